"""Formulas as people read them: symbols, numbers with units, where each number is from."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from apps.catalog.releases import fixture_contents
from apps.core.canonical import canonical_json
from apps.demo.stories import told_stories
from apps.estimation.explained import Explained, explained
from apps.estimation.explanations import agrees, kept
from apps.estimation.presenters.derivation import DerivationView, derivation_of
from apps.estimation.presenters.derivation_text import derivation_lines
from apps.estimation.presenters.formula_sources import Source, SourceBook
from apps.estimation.presenters.formulas import formula_text
from apps.estimation.wording.coefficients import CALIBRATED, CONSTANTS
from apps.estimation.wording.figures import FIGURES
from apps.estimation.wording.formula_inputs import INPUTS as NAMES
from apps.estimation.wording.formula_names import figure_name, input_name
from apps.estimation.wording.formula_values import UNITS as WRITTEN
from apps.estimation.wording.formula_values import quantity_text
from apps.estimation.wording.source_titles import OWN_WORDS, source_title
from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.to_task import to_task
from apps.sizing.errors import TaskError
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.explain.explanation import explain
from apps.sizing.explain.expressions import evaluate as evaluate_formula
from apps.sizing.explain.quantities import DATA, INPUTS
from apps.sizing.explain.units import UNITS
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task

TASK: dict[str, Any] = {
    "method": "full",
    "model": {"name": "meta-llama/Llama-3.1-8B"},
    "recipe": {
        "framework": "hf-trainer",
        "precision": "bf16-mixed",
        "sequence_length": 8192,
        "micro_batch": 2,
        "grad_accumulation": 4,
        "activation_checkpointing": "full",
    },
    "data": {"bytes": 2e11, "kind": "text", "tokens": 1e9},
    "site": {"kw_usable": 5.0, "feeds": 2},
    "placement": {"accelerator": "H100-SXM5-80", "gpus": 8, "data_parallel": "fsdp"},
}


def found(**changes: Any) -> Explained:
    return explained(json.dumps({**TASK, **changes}))


def viewed(one: Explained, stated: dict[str, str] | None = None, *, rough: bool = False):
    return derivation_of(
        one.explanation,
        rows=SourceBook.of(fixture_contents(), one.explanation),
        blocks=one.result,
        stated=stated or {},
        rough=rough,
    )


def line_of(view: DerivationView, part: str, name: str) -> str:
    lines = view.part(part).lines  # type: ignore[union-attr]
    text = next(line.text for line in lines if line.name == name)
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def test_a_formula_stands_with_its_numbers_and_their_units() -> None:
    view = found().view()
    assert line_of(view, "memory", "Weights") == ("W = P × b_w ÷ S = 8.03·10⁹ × 4 B ÷ 8 = 3.74 GiB")
    with translation.override("ru"):
        assert line_of(found().view(), "memory", "Веса") == (
            "W = P × b_w ÷ S = 8,03·10⁹ × 4 Б ÷ 8 = 3,74 ГиБ"
        )


def test_every_part_has_its_lines_inputs_and_what_widens_its_range() -> None:
    view = found().view()
    assert [part.key for part in view.parts] == [
        *("memory", "interconnect", "time", "storage", "host", "rack")
    ]
    for part in view.parts:
        assert part.main
        assert part.inputs
        assert {one.source for one in part.inputs if one.source} == {s.number for s in part.sources}
    assert "spread of measured runs" in view.part("memory").widened  # type: ignore[union-attr]
    assert "time for saving" in view.part("storage").widened  # type: ignore[union-attr]


def test_a_part_without_figures_is_not_explained() -> None:
    one = found()
    without = replace(one, result={**one.result, "rack": None})
    assert without.view().part("rack") is None


def test_a_number_says_who_stated_it_and_a_fact_its_source() -> None:
    stated = {"recipe.micro_batch": "engineer", "recipe.sequence_length": "file"}
    inputs = {one.symbol: one for part in viewed(found(), stated).parts for one in part.inputs}
    assert (inputs["b"].provenance, inputs["b"].origin) == ("engineer", "corrected by an engineer")
    assert (inputs["s"].provenance, inputs["s"].origin) == ("client", "from the file")
    assert inputs["m"].origin == "stated by the client"
    assert inputs["P"].provenance == "catalog"
    assert inputs["R_hbm"].source is not None
    assert inputs["c_h"].origin == "the framework's own way"


def test_an_assumed_number_is_said_to_be_one() -> None:
    recipe = {k: v for k, v in TASK["recipe"].items() if k != "sequence_length"}
    inputs = [one for part in found(recipe=recipe).view().parts for one in part.inputs]
    assert next(one for one in inputs if one.symbol == "s").origin == "assumed: not stated"


def test_what_nobody_stated_stands_first_among_what_widens_a_range() -> None:
    recipe = {k: v for k, v in TASK["recipe"].items() if k != "sequence_length"}
    memory = found(recipe=recipe).view().part("memory")
    assert memory is not None
    assert memory.widened.startswith("The range holds: not stated: “")
    assert "Sequence length" in memory.widened
    # What is asked about without widening the range is not said to widen it.
    assert "Attention" not in memory.widened


def test_an_order_of_magnitude_shows_two_digits() -> None:
    one = found()
    assert " = 3.7 GiB" in line_of(viewed(one, rough=True), "memory", "Weights")
    assert quantity_text(340.2 * 2**20, "binary", rough=True).startswith("340")
    assert quantity_text(0.0000673, "hours").replace("\u00a0", " ") == "242 ms"
    assert quantity_text(53.2, "hours").replace("\u00a0", " ") == "53.2 h"
    assert quantity_text(4523.0, "s", rough=True).replace("\u00a0", " ") == "75 min"


def test_a_source_is_named_once_whatever_is_taken_from_it() -> None:
    view = found().view()
    titles = [(source.title, source.address) for source in view.sources]
    assert len(titles) == len(set(titles))
    assert [source.number for source in view.sources] == list(range(1, len(titles) + 1))


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://example.org/a", "https://example.org/a"),
        ("https://example.org/a and its neighbours", ""),
        ("javascript:alert(1)", ""),
        ("", ""),
    ],
)
def test_only_a_whole_address_is_a_link(address: str, link: str) -> None:
    assert Source(number=1, title="t", address=address, day="").link == link


@pytest.mark.parametrize(("day", "said"), [("2026-11-30", "30.11.2026"), ("", "")])
def test_a_source_is_dated_as_the_language_writes_dates(day: str, said: str) -> None:
    with translation.override("ru"):
        assert Source(number=1, title="t", address="", day=day).dated == said


@pytest.mark.parametrize("title", sorted(OWN_WORDS | {"fitted to 442 published runs"}))
def test_a_source_in_our_own_words_speaks_the_readers_language(title: str) -> None:
    with translation.override("ru"):
        assert re.search("[а-яё]", source_title(title))


def test_the_title_of_a_publication_stays_as_it_is() -> None:
    with translation.override("ru"):
        assert source_title("QLoRA: Efficient Finetuning") == "QLoRA: Efficient Finetuning"


def test_the_catalog_names_no_document_of_ours_and_no_list_for_an_address() -> None:
    contents = fixture_contents()
    told = json.dumps(contents.document, ensure_ascii=False)
    assert not re.findall(r"\b(?:FORMULAS|RESIDUALS|INFRA|prototype)\b", told)
    facts = [fact for row in contents.rows.values() for fact in row.get("facts", ())]
    addresses = {fact["source_ref"] or "" for fact in facts}
    assert not [a for a in addresses if a.startswith("http") and re.search(r"\s", a)]


def test_a_document_keeps_the_sources_with_the_formulas() -> None:
    one = found()
    # Stored with its keys sorted, as all documents are.
    document = json.loads(canonical_json(kept(one.explanation, "V2", fixture_contents())))
    again = derivation_of(
        document["explanation"],
        rows=SourceBook.from_dict(document["sources"]),
        blocks=one.result,
        stated={},
        rough=False,
    )
    assert again == one.view()


def test_another_figure_than_the_engines_has_no_explanation() -> None:
    one = found()
    assert agrees(one.explanation, one.result)
    memory = one.result["memory"]
    device = {**memory["device_gib"], "typical": memory["device_gib"]["typical"] * 1.01}
    assert not agrees(one.explanation, {**one.result, "memory": {**memory, "device_gib": device}})


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (["÷", ["$", "a"], ["×", ["$", "b"], 2.0]], "a ÷ (b × 2)"),
        (["×", ["÷", ["$", "a"], ["$", "b"]], 2.0], "a ÷ b × 2"),
        (["-", ["$", "a"], ["+", ["$", "b"], 1.0]], "a − (b + 1)"),
        (["+", ["$", "a"], ["×", ["$", "b"], 2.0]], "a + b × 2"),
        (["×", ["+", ["$", "a"], 1.0], ["$", "b"]], "(a + 1) × b"),
        (["^", ["+", ["^", ["$", "a"], 4.0], 1.0], 0.25], "(a⁴ + 1)^¼"),
        (["max", ["$", "a"], ["⌈", ["$", "b"]]], "max(a; ceil(b))"),
        (["unit", ["$", "a"], 1e-9], "a"),
        (["-", ["$", "a"]], "−a"),
    ],
)
def test_brackets_stand_where_they_are_needed(expression: Any, text: str) -> None:
    assert formula_text(expression, str) == text


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_line_and_input_has_words(language: str) -> None:
    one = found()
    with translation.override(language):
        for line in one.explanation["lines"]:
            assert figure_name(line["key"]) != line["key"]
        for key, leaf in one.explanation["inputs"].items():
            assert input_name(key, leaf) not in (key, key.removeprefix("k."))


def test_every_quantity_and_constant_has_a_name_and_every_unit_a_way_to_be_written() -> None:
    assert set(NAMES) | set(FIGURES) >= INPUTS.keys() - DATA.keys()
    rows = fixture_contents().document
    assert set(CALIBRATED) >= {row["key"] for row in rows["calibration"]["constants"]}
    assert set(CONSTANTS) <= {row["key"] for row in rows["constants"]}
    assert set(WRITTEN) == set(UNITS)


@pytest.mark.parametrize(
    "key", [key for key in told_stories() if key not in ("draft", "search-first")]
)
def test_the_formulas_of_the_demo_stories_come_to_their_figures(key: str) -> None:
    answers = {
        name: RawAnswer(value if isinstance(value, str) else tuple(value))
        for name, value in told_stories()[key].answers.items()
    }
    task, catalog = parse_task(to_task(evaluate(answers))), fixture_contents().catalog
    platforms = candidate_platforms(task, catalog)
    for platform in {platforms[0], platforms[len(platforms) // 2]}:
        explanation = explain(task, catalog, platform)
        document = explanation.as_dict()
        values = {name: leaf["value"] for name, leaf in document["inputs"].items()}
        for line in document["lines"]:
            found_value = evaluate_formula(line["expression"], values)
            assert found_value == pytest.approx(line["value"], rel=1e-6), line["key"]
            values[line["key"]] = line["value"]
        outputs = estimate_all(task, catalog, (platform,))
        blocks = {name: out["platforms"].get(platform.key) for name, out in outputs.items() if out}
        assert agrees(document, blocks)


def test_a_model_of_images_has_no_tokens_and_no_number_without_a_name() -> None:
    recipe = {"framework": "ultralytics", "precision": "fp16-mixed", "micro_batch": 16}
    one = found(model={"name": "yolo-m", "kind": "vision", "params_billion": 0.026}, recipe=recipe)
    lines = {line["key"]: line for line in one.explanation["lines"]}
    assert not lines.keys() & {"tokens", "layer_params", "rate_attention"}
    assert "3.22" not in "".join(line.text for part in one.view().parts for line in part.lines)
    assert "usual.image_workspace" in one.explanation["inputs"]


def test_bytes_of_memory_are_all_read_in_powers_of_two() -> None:
    units = {
        line["unit"]
        for line in found().explanation["lines"]
        if line["part"] == "memory" and line["value"] > 1024
    }
    assert "bytes" not in units


def test_only_a_placed_task_can_be_explained() -> None:
    with pytest.raises(TaskError, match="placement"):
        found(placement=None)


def test_a_terminal_gets_every_step_and_the_sources() -> None:
    text = "\n".join(derivation_lines(found().view()))
    assert "    W = P × b_w ÷ S\n      = 8.03·10⁹ × 4" in text.replace("\u00a0", " ")
    assert "[1] " in text
    assert "MEMORY" in text
