"""What an engineer types becomes a value of the task document, or says how to mend it."""

import pytest

from apps.estimation.inputs import value_in, with_values
from apps.questionnaire.errors import ParseError
from apps.review.fields import (
    VOCABULARY,
    choices_of,
    field_groups,
    read_value,
    unit_beside,
)
from apps.sizing.task_reader import parse_task
from apps.sizing.vocabulary import Flag, Names, Number, Words

# The accelerators to choose from are rows.
pytestmark = [pytest.mark.django_db, pytest.mark.one_stack]


@pytest.mark.parametrize(
    ("path", "typed", "value"),
    [
        ("data.bytes", "1,5 ТБ", 1_500_000_000_000),
        ("data.bytes", "200 ГБ", 200_000_000_000),
        ("model.params_billion", "8,03 млрд", 8.03),
        ("recipe.trainable_params_million", "42 млн", 42),
        ("cycle.target_hours", "3 дня", 72),
        ("site.kw_usable", "5,5 кВт", 5.5),
        ("site.depth_mm", "1 м", 1000),
        ("recipe.sequence_length", "8 192", 8192),
        ("placement.gpus", "8", 8),
        ("recipe.lora_dropout", "0,05", 0.05),
        ("recipe.optimizer", "adamw-8bit", "adamw-8bit"),
        ("recipe.packing", "yes", True),
        ("recipe.packing", "no", False),
        ("recipe.lora_targets", "all-linear", "all-linear"),
        ("recipe.lora_targets", "q_proj, v_proj", ["q_proj", "v_proj"]),
        ("placement.inter_node_link", "8x400G", "8x400G"),
    ],
)
def test_reads_what_people_write(path, typed, value):
    assert (
        read_value(path, typed) == pytest.approx(value)
        if isinstance(value, float)
        else (read_value(path, typed) == value)
    )


@pytest.mark.parametrize(
    ("path", "typed"),
    [
        ("recipe.micro_batch", "0"),
        ("recipe.micro_batch", "два"),
        ("recipe.layers", ""),
        ("model.layers", "1,5"),
        ("model.layers", "999999999"),
        ("placement.gpus", "0"),
        ("recipe.optimizer", "adam!"),
        ("recipe.packing", "может быть"),
        ("placement.accelerator", "RTX-9999"),
        ("recipe.lora_targets", " , "),
        ("placement.inter_node_link", "x" * 600),
        ("site.kw_usable", "5 кВА"),
        ("recipe.sequence_length", "\x00"),
    ],
)
def test_refuses_what_cannot_be_true(path, typed):
    with pytest.raises((ParseError, KeyError)):
        read_value(path, typed)


# Numbers for which two is not possible.
TYPICAL = {"recipe.lora_dropout": "0,1", "site.volts": "230", "site.depth_mm": "1000"}


@pytest.mark.parametrize("path", VOCABULARY)
def test_what_it_reads_is_a_task_document(path):
    """Whatever can be chosen or typed for a field, the engine's reader accepts it."""
    spec = VOCABULARY[path]
    choices = [choice.value for choice in choices_of(path)]
    typed = choices or [TYPICAL.get(path, "2" if isinstance(spec, Number) else "q_proj")]
    for text in typed:
        document = with_values({"schema": "podbor.task/1"}, {path: read_value(path, text)})
        parse_task(document)
        assert value_in(document, path) is not None


def test_closed_words_and_flags_are_chosen_not_typed():
    for path, spec in VOCABULARY.items():
        if isinstance(spec, Words | Flag):
            assert choices_of(path), path
        if isinstance(spec, Number | Names):
            assert not choices_of(path), path


def test_every_field_stands_in_one_group():
    listed = [choice.value for _part, fields in field_groups() for choice in fields]
    assert sorted(listed) == sorted(VOCABULARY)


def test_a_unit_stands_beside_a_number_that_has_one():
    assert unit_beside("site.kw_usable") == "kW"
    assert unit_beside("recipe.optimizer") == ""


def test_setting_a_value_leaves_the_clients_document_alone():
    task = {"recipe": {"micro_batch": 2}, "placement": None}
    changed = with_values(task, {"recipe.micro_batch": 1, "placement.gpus": 8, "method": "lora"})
    assert task == {"recipe": {"micro_batch": 2}, "placement": None}
    assert changed["recipe"]["micro_batch"] == 1
    assert changed["placement"] == {"gpus": 8}
    assert changed["method"] == "lora"
