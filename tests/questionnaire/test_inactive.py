"""An answer that nobody is asked for any more: kept, without effect, and back with its branch."""

from dataclasses import asdict

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.core.canonical import canonical_json
from apps.intake.other_ways import effective_answers
from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import headline, open_questions, summarise
from apps.questionnaire.to_task import to_context, to_task
from tests.questionnaire.answers import REFERENCE, raw_answer_sets, raw_for

# Answers that open and close branches.
BRANCHES = {
    "method": ("full", "lora", "qlora"),
    "strategy": ("finetune", "from-scratch", "continual"),
    "acquisition": ("rent", "buy"),
    "own_rack": ("yes", "no"),
    "model_source": ("published", "own"),
    "model_kind": ("decoder", "vision", "moe-decoder"),
    "data_kind": ("text", "images"),
    "power_known_as": ("kilowatts", "circuit"),
}


def row_text(row):
    """A row as it is read; lazy sentences compare by identity."""
    return {name: str(value) for name, value in asdict(row).items()}


def outcome(raw):
    """Everything that leaves the questionnaire: engine, pages, document, ТЗ, what is frozen."""
    evaluated = evaluate(raw)
    frozen = effective_answers(evaluated)
    task = canonical_json([to_task(evaluated), to_context(evaluated), frozen])
    rows = [(s.section.key, [row_text(row) for row in s.rows]) for s in summarise(evaluated)]
    said = [str(problem.message) for problem in (*evaluated.blockers, *evaluated.warnings)]
    asked = [row.key for row in open_questions(evaluated)]
    return task, rows, headline(evaluated), said, asked, evaluated.sections


@settings(max_examples=15, deadline=None)
@given(raw_answer_sets(), st.data())
def test_changing_a_hidden_answer_changes_nothing_that_anybody_sees(raw, data):
    before = outcome(raw)
    hidden = [key for key in QUESTIONS if key not in evaluate(raw).answers]
    changed = dict(raw)
    for key in data.draw(st.lists(st.sampled_from(hidden), max_size=8)) if hidden else []:
        changed[key] = data.draw(raw_for(QUESTIONS[key]))
    assert outcome(changed) == before


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from([(k, v) for k, vs in BRANCHES.items() for v in vs]), max_size=8))
def test_random_flips_and_back_lose_nothing(flips):
    raw = dict(REFERENCE)
    before = outcome(raw)
    for key, value in flips:
        raw[key] = RawAnswer(value)
        shown = {row["key"] for _section, rows in outcome(raw)[1] for row in rows}
        assert shown <= set(evaluate(raw).answers)
    back = {**raw, **{key: REFERENCE[key] for key in BRANCHES if key in REFERENCE}}
    for key in BRANCHES.keys() - REFERENCE.keys():
        back.pop(key, None)
    assert outcome(back) == before


def test_an_inactive_answer_is_in_no_text_and_returns_with_its_branch():
    lora = {**REFERENCE, "lora_rank": RawAnswer("77")}
    full = {**lora, "method": RawAnswer("full")}
    assert "77" in outcome(lora)[0]
    assert "77" not in outcome(full)[0]
    assert "lora_rank" not in outcome(full)[4]
    assert outcome({**full, "method": RawAnswer("lora")}) == outcome(lora)
