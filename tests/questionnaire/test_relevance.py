"""Which questions are asked follows from earlier answers alone, in one pass."""

from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import given

from apps.questionnaire.answers import evaluate
from apps.questionnaire.relevance import (
    effective_answers,
    relevant_pages,
    relevant_questions,
    relevant_sections,
)
from apps.questionnaire.sections import QUESTIONS, SECTIONS, section_for
from tests.questionnaire.answers import raw_answer_sets


def keys(answers: Mapping[str, Any]) -> set[str]:
    return {q.key for q in relevant_questions(answers)}


class Watched(Mapping[str, Any]):
    """Answers that note which keys a rule looks at."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.seen.add(key)
        return default

    def __getitem__(self, key: str) -> Any:
        self.seen.add(key)
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("a rule looks at named questions only")

    def __len__(self) -> int:
        raise AssertionError("a rule looks at named questions only")


def test_a_rule_looks_only_at_questions_asked_earlier():
    earlier: set[str] = set()
    for section in SECTIONS:
        watched = Watched()
        section.relevant(watched)
        assert watched.seen <= earlier, section.key
        for question in section.questions:
            watched = Watched()
            question.relevant(watched)
            assert watched.seen <= earlier, question.key
            earlier.add(question.key)


@given(raw_answer_sets())
def test_effective_answers_are_final_after_one_pass(raw):
    effective = effective_answers(evaluate(raw).effective)
    assert effective_answers(effective) == effective
    assert set(effective) <= keys(effective)


@given(raw_answer_sets(), raw_answer_sets())
def test_a_hidden_answer_changes_nothing(raw, other):
    evaluated = evaluate(raw)
    hidden = {k: v for k, v in other.items() if k not in evaluated.answers}
    again = evaluate({**raw, **hidden})
    assert again.effective == evaluated.effective
    assert list(again.answers) == list(evaluated.answers)


def test_lora_brings_its_questions_and_full_training_takes_them_away():
    assert {"lora_rank", "lora_targets"} <= keys({"method": "lora"})
    assert "quantization" not in keys({"method": "lora"})
    assert "quantization" in keys({"method": "qlora"})
    assert not {"lora_rank", "lora_targets"} & keys({"method": "full"})


def test_an_answer_comes_back_when_its_branch_returns():
    answers = {"method": "lora", "lora_rank": 16}
    assert "lora_rank" not in effective_answers({**answers, "method": "full"})
    assert effective_answers(answers)["lora_rank"] == 16


def test_an_own_architecture_is_asked_for_its_dimensions():
    dimensions = {"layers", "hidden", "heads", "ffn", "vocab"}
    assert dimensions <= keys({"model_source": "own"})
    assert dimensions <= keys({"strategy": "from-scratch"})
    assert not dimensions & keys({"model_source": "published"})


def test_pictures_are_asked_for_their_size_and_texts_for_their_length():
    assert "image_size" in keys({"model_kind": "vision"})
    assert "sequence_length" not in keys({"model_kind": "vision"})
    assert "sequence_length" in keys({"model_kind": "decoder"})
    assert "image_size" not in keys({"model_kind": "decoder"})


def test_a_rent_needs_no_rack_unless_one_is_the_alternative():
    def racks(answers):
        return "site" in {s.key for s in relevant_sections(answers)}

    assert racks({})
    assert racks({"acquisition": "buy"})
    assert not racks({"acquisition": "rent"})
    assert racks({"acquisition": "rent", "own_rack": True})
    assert not racks({"acquisition": "rent", "own_rack": False})


def test_months_are_asked_about_only_for_very_large_models():
    assert "months_acceptable" in keys({"params": 400_000_000_000})
    assert "months_acceptable" not in keys({"params": 8_000_000_000})


def test_a_page_without_questions_is_not_shown():
    recipe = section_for("recipe")
    assert recipe is not None
    assert "adapters" not in {p.key for p in relevant_pages(recipe, {"method": "full"})}
    assert "adapters" in {p.key for p in relevant_pages(recipe, {"method": "lora"})}
    assert all(p.questions for p in relevant_pages(recipe, {}))


def test_selection_starts_from_what_changes_and_by_when():
    order = list(QUESTIONS)
    assert order[:3] == ["purpose", "weights_change", "target_time"]
    assert "target_time" in keys({"purpose": "behaviour"})
    assert "target_time" not in keys({"purpose": "serve"})
    assert "target_time" not in keys({"weights_change": False})


KINDS_OF_TASK = {
    "vision": {"purpose": "vision", "model_kind": "vision", "method": "full", "acquisition": "buy"},
    "adapter": {
        "purpose": "behaviour",
        "model_kind": "decoder",
        "model_source": "published",
        "strategy": "finetune",
        "method": "lora",
        "acquisition": "rent",
    },
    "from scratch": {
        "purpose": "scratch",
        "model_kind": "decoder",
        "strategy": "from-scratch",
        "method": "full",
        "params": 7e10,
        "acquisition": "buy",
    },
}


def test_three_kinds_of_task_are_asked_three_sets_of_questions():
    asked = {name: keys(answers) for name, answers in KINDS_OF_TASK.items()}
    for name, mine in asked.items():
        others = [questions for other, questions in asked.items() if other != name]
        assert all(mine != questions for questions in others), name
    assert "image_size" in asked["vision"]
    assert "sequence_length" not in asked["vision"]
    assert {"lora_rank", "lora_targets"} <= asked["adapter"]
    assert not {"layers", "lora_rank"} & asked["vision"]
    assert {"layers", "hidden", "vocab"} <= asked["from scratch"] - asked["adapter"]
    sections = {
        name: {s.key for s in relevant_sections(answers)} for name, answers in KINDS_OF_TASK.items()
    }
    assert "site" in sections["vision"]
    assert "site" not in sections["adapter"]


def test_only_who_may_need_several_servers_is_asked_about_the_network():
    large = {"strategy": "from-scratch", "params": 200_000_000_000, "acquisition": "buy"}
    assert "node_network" in keys(large)
    assert "node_network" in keys({**large, "strategy": "finetune"})
    assert "node_network" not in keys({**large, "params": 8_000_000_000})
    assert "node_network" not in keys({**large, "acquisition": "rent"})
