"""Answers about a measured run as the engine takes them, and what a log says as answers."""

import pytest

from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.from_log import measured_answers
from apps.questionnaire.to_task import to_context, to_task
from tests.questionnaire.answers import REFERENCE

RUN = {
    "measured_run": "yes",
    "measured_card": "A100 SXM 80 GB",
    "measured_gpus": "1",
    "measured_allocated": "61.5 GiB",
    "measured_step_s": "2.4",
    "measured_wait": "5",
}


def context(**answers: str | RawAnswer):
    given = {k: v if isinstance(v, RawAnswer) else RawAnswer(v) for k, v in answers.items()}
    return to_context(evaluate({**REFERENCE, **given}))["measured"]


def test_nothing_is_measured_until_somebody_says_so():
    assert context() == []
    assert context(**RUN | {"measured_run": "no"}) == []


def test_every_figure_goes_out_in_the_engines_units():
    (run,) = context(**RUN)
    assert run == {
        "card": "A100 SXM 80 GB",
        "gpus": 1,
        "allocated_gib": 61.5,
        "step_s": 2.4,
        "data_wait_ratio": 0.05,
        "origin": "client",
        "source": "",
    }


def test_what_is_held_between_steps_goes_along_and_a_profile_in_words_does_not():
    (run,) = context(**RUN, measured_rest="24 GiB", measured_stages="forward 0.7 s")
    assert run["rest_gib"] == 24
    assert "forward" not in str(run)


def test_the_task_document_stays_what_it_was():
    given = {k: RawAnswer(v) for k, v in RUN.items()}
    assert to_task(evaluate({**REFERENCE, **given})) == to_task(evaluate(REFERENCE))


@pytest.mark.parametrize(
    ("answers", "origin", "source"),
    [
        ({}, "client", ""),
        ({"measured_step_s": RawAnswer("2", provenance="file", note="a.log")}, "file", "a.log"),
        ({"measured_origin": "pilot"}, "pilot", ""),
    ],
)
def test_where_it_comes_from_goes_along(answers, origin, source):
    (run,) = context(**RUN | answers)
    assert (run["origin"], run["source"]) == (origin, source)


def test_a_run_that_stopped_only_bounds_its_memory():
    (run,) = context(**RUN, measured_stopped="yes", measured_device="79 GiB")
    assert run["at_least"] == ["allocated_gib", "device_gib"]


def test_a_second_batch_is_a_second_run_of_the_same_figure():
    first, second = context(**RUN, measured_other_batch="4", measured_other_peak="74 GiB")
    assert second["micro_batch"] == 4
    assert second["allocated_gib"] == 74
    assert second["card"] == first["card"]
    assert "step_s" not in second


def test_what_a_log_says_reads_as_if_it_had_been_typed():
    figures = {
        "measured_allocated": 15.2 * 2**30,
        "measured_step_s": 14.2875,
        "measured_wait": 0.125,
        "measured_stopped": True,
        "measured_card": "NVIDIA L40S",
        "measured_rate": None,
    }
    found = measured_answers(figures, source="run.log")
    assert {key: answer.text for key, answer in found.items()} == {
        "measured_allocated": "15.2 GiB",
        "measured_step_s": "14.29",
        "measured_wait": "12.5",
        "measured_stopped": "yes",
        "measured_card": "NVIDIA L40S",
    }
    read = evaluate({"measured_run": RawAnswer("yes"), **found})
    assert not read.errors
    assert read.effective["measured_allocated"] == round(15.2 * 2**30)
