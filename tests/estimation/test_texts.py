"""Everything the engine can say has words in both languages."""

import ast
import logging
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from apps.estimation import texts
from apps.estimation.texts import field_label, value_text
from apps.estimation.wording.codes import CODES
from apps.estimation.wording.fields import FIELD_LABELS
from apps.estimation.wording.sentences import SENTENCES
from apps.estimation.wording.values import COMPONENTS, ESTIMATORS, VALUE_LABELS, VARIANTS
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.to_task import TASK_FIELDS
from apps.sizing import evidence
from apps.sizing.memory import doubts as memory_doubts
from apps.sizing.memory import kinds
from apps.sizing.messages import Message
from apps.sizing.settling_kinds import GENERATION_FACTS
from apps.sizing.timing import doubts as time_doubts
from apps.sizing.vocabulary import PARTS, TOP, Words

ENGINE = Path(__file__).resolve().parents[2] / "apps" / "sizing"
PLACE = re.compile(r"%\((\w+)\)s")
CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)


def message_calls() -> Iterator[ast.Call]:
    """Every `Message(…)` that the engine's source builds."""
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message":
                yield node


def constant_keys() -> set[str]:
    return {
        call.args[0].value
        for call in message_calls()
        if call.args and isinstance(call.args[0], ast.Constant)
    }


# Keys that the engine puts together: every ending that can come out, from the code that makes it.
PUT_TOGETHER = {
    "programme.cap-": ("within", "risk", "over"),
    "programme.rent-": ("within", "risk", "over"),
    "rack.warning.": ("full-phases", "uneven-phases"),
    "storage.advice.io-": ("light", "moderate", "intensive"),
    "storage.warning.shared-location-": ("too-slow", "check"),
    "storage.advice.endurance-": ("read-intensive", "mixed-use", "beyond"),
    "configuration.": ("ask-form-factor", "ask-which"),
    "interconnect.reason.": tuple(
        f"{n}-parallel" for n in ("tensor", "pipeline", "context", "expert")
    ),
    "evidence.gap.": tuple(gap.reason for gap in evidence._GAPS),
    "memory.assumption.image-": ("counted", "family", "backbone", "widths", "size"),
    "memory.assumption.average-": ("kept", "not-kept"),
    "memory.assumption.tower-": ("frozen", "trained"),
    "memory.assumption.predicts-": ("tokens", "classes"),
    "memory.assumption.": ("encoders-cached", "encoders-resident"),
    "variant.risk.memory-": ("tight", "risk", "does-not-fit"),
    "variant.risk.": ("units", "depth", "weight"),
    "compatibility.form-factor.": ("module", "card"),
    "plan.lack.": ("units", "depth", "weight"),
    "plan.lack.not-sold-": ("legacy", "reference", "announced", "unknown"),
    "plan.why.": ("only-measured", "measured"),
    "result.variants.": ("only-one", "none-fits"),
    "measured.memory.": ("counted", "at-least", "contradicts", "impossible", "silent"),
    "measured.step.": ("counted", "contradicts", "impossible"),
    "measured.": tuple(
        f"{quantity}.{end}"
        for quantity in ("memory", "step")
        for end in ("too-far", "agrees", "raised", "lowered")
    ),
}


def compatibility_keys() -> set[str]:
    """The third argument of `_found(rule, severity, key)`."""
    source = (ENGINE / "compatibility.py").read_text(encoding="utf-8")
    calls = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call)]
    found = [c for c in calls if getattr(c.func, "id", "") == "_found"]
    return {f"compatibility.{c.args[2].value}" for c in found}


def put_together_keys() -> set[str]:
    keys = {start + end for start, ends in PUT_TOGETHER.items() for end in ends}
    return keys | compatibility_keys()


def every_path() -> list[str]:
    return [*TOP, *(f"{part}.{name}" for part, fields in PARTS.items() for name in fields)]


def test_every_message_of_the_engine_has_a_sentence():
    assert constant_keys() - set(SENTENCES) == set()


@pytest.mark.parametrize("key", sorted(put_together_keys()))
def test_every_message_that_is_put_together_has_a_sentence(key):
    assert key in SENTENCES


def test_no_key_is_put_together_that_this_test_does_not_know():
    starts = set()
    for call in message_calls():
        if call.args and isinstance(call.args[0], ast.JoinedStr):
            first = call.args[0].values[0]
            starts.add(first.value if isinstance(first, ast.Constant) else "")
    known = {*PUT_TOGETHER, "compatibility."}
    assert starts <= known


def test_no_sentence_is_left_over():
    assert set(SENTENCES) - constant_keys() - put_together_keys() == set()


def test_places_of_a_sentence_are_parameters_of_its_message():
    wrong = []
    for call in message_calls():
        if not (call.args and isinstance(call.args[0], ast.Constant)):
            continue
        given = call.args[1] if len(call.args) > 1 else ast.Dict(keys=[], values=[])
        if not isinstance(given, ast.Dict) or None in given.keys:
            continue
        names = {key.value for key in given.keys if isinstance(key, ast.Constant)}
        missing = set(PLACE.findall(str(SENTENCES[call.args[0].value]))) - names
        if missing:
            wrong.append((call.args[0].value, missing))
    assert wrong == []


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_sentence_is_whole(language):
    """A full stop at the end, and the same places in every language."""
    with translation.override(language):
        for key, template in SENTENCES.items():
            words = str(template)
            # Things to settle before buying stand in one sentence together.
            assert words.rstrip().endswith(".") != key.startswith("methods.check."), key
            assert not re.search(r"%(?!\(\w+\)s|%)", words), key


def test_every_word_is_translated():
    tables = [SENTENCES, FIELD_LABELS, ESTIMATORS, COMPONENTS, VARIANTS]
    with translation.override("en"):
        english = [[str(word) for word in table.values()] for table in tables]
    with translation.override("ru"):
        russian = [[str(word) for word in table.values()] for table in tables]
    untranslated = [
        source
        for sources, words in zip(english, russian, strict=True)
        for source, word in zip(sources, words, strict=True)
        if not CYRILLIC.search(word)
    ]
    assert [word for word in untranslated if word != "LoRA"] == []


@pytest.mark.parametrize("path", every_path())
def test_every_field_has_a_label(path):
    assert path in FIELD_LABELS


@pytest.mark.parametrize("language", ["ru", "en"])
def test_a_field_is_called_what_its_question_is_called(language):
    """One word for one thing: on the client's pages, the engineer's, in documents and mails."""
    with translation.override(language):
        differing = {
            field: (field_label(field), str(QUESTIONS[key].name))
            for field, key in TASK_FIELDS.items()
            if field_label(field) != str(QUESTIONS[key].name)
        }
    # A yes or no for the client, a list of modules for the engineer.
    assert set(differing) == {"recipe.modules_to_save"}


@pytest.mark.parametrize("language", ["ru", "en"])
def test_no_two_fields_share_a_name(language):
    with translation.override(language):
        names = Counter(str(label) for label in FIELD_LABELS.values())
    assert [name for name, times in names.items() if times > 1] == []


def test_a_word_that_is_chosen_is_never_shown_as_its_code():
    """What the client chose reads as words on the engineer's side too."""
    with translation.override("ru"):
        assert value_text("site.cooling", "rear-door") != "rear-door"
        codes = [
            (question.field, option.value)
            for question in QUESTIONS.values()
            for option in question.options
            if question.field
            and str(option.label) != option.value
            and value_text(question.field, option.value) == option.value
        ]
    assert codes == []


def test_values_with_words_are_in_the_vocabulary():
    specs = TOP | {f"{p}.{n}": spec for p, fields in PARTS.items() for n, spec in fields.items()}
    for path, labels in VALUE_LABELS.items():
        spec = specs[path]
        allowed = spec.allowed if isinstance(spec, Words) else {spec.all_word}
        assert set(labels) <= allowed, path


def test_parameters_carry_their_units():
    message = Message("host.warning.load-copies", {"copies_gb": 128.4})
    with translation.override("ru"):
        assert "128\N{NO-BREAK SPACE}ГБ" in texts.sentence(message)
    with translation.override("en"):
        assert "128\N{NO-BREAK SPACE}GB" in texts.sentence(message)


def test_modules_that_are_counted_are_not_rounded():
    params = {"dimms": 16, "module_gb": 64, "ram_gb": 1024.0}
    assert "1,024" in texts.sentence(Message("configuration.ram-total", params))


def test_an_unknown_key_is_shown_quoted_and_logged(caplog):
    with caplog.at_level(logging.ERROR):
        assert texts.sentence({"key": "nobody.said.this", "params": {}}) == "“nobody.said.this”"
    assert "nobody.said.this" in caplog.text


def test_a_missing_parameter_never_breaks_the_page(caplog):
    with caplog.at_level(logging.ERROR):
        said = texts.sentence({"key": "host.warning.load-copies", "params": {}})
    assert "host.warning.load-copies" in said


def test_sentences_are_said_once():
    twice = [Message("storage.not-counted.backup")] * 2
    assert len(texts.sentences(twice)) == 1


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("recipe.micro_batch", 2, "2"),
        ("data.bytes", 200_000_000_000, "200\N{NO-BREAK SPACE}GB (186\N{NO-BREAK SPACE}GiB)"),
        ("recipe.fused_cross_entropy", True, "yes"),
        ("recipe.lora_targets", ["q_proj", "v_proj"], "q_proj, v_proj"),
        ("recipe.optimizer", "adamw-8bit", "AdamW, 8-bit"),
        ("cycle.target_hours", None, "not specified"),
        ("recipe.trainable_params_million", 42, "42 M"),
    ],
)
def test_values_are_said_with_their_units(path, value, said):
    assert texts.value_text(path, value) == said


def test_every_doubt_of_the_engine_has_words():
    tables = (memory_doubts._DOUBTS, time_doubts._DOUBTS, kinds._DOUBTS)
    causes = {cause for table in tables for cause, _doubt in table}
    assert causes <= set(CODES["cause"])


def test_every_fact_that_is_asked_about_has_a_label():
    asked = {*kinds.FACTS.values(), *GENERATION_FACTS}
    assert asked <= set(FIELD_LABELS)


def test_codes_have_no_empty_words():
    for kind, words in CODES.items():
        assert all(str(word) for word in words.values()), kind


def test_dimensions_guessed_are_named_in_the_reader_s_language():
    message = Message("memory.assumption.shape", {"fields": "layers, kv_heads"})
    with translation.override("ru"):
        assert texts.sentence(message).endswith("«Слои», «Головы ключей и значений».")
