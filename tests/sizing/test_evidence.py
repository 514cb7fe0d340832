"""What is called measured follows from the runs that ship, and from nothing else."""

import json

import pytest

from apps.catalog.calibration_reader import calibration_from
from apps.catalog.readers import FIXTURES
from apps.sizing.evidence import covered_by, gaps_of, measured_card
from apps.sizing.timing.exchange import step_exchange
from apps.sizing.timing.links import links_of
from tests.sizing.engine import CATALOG, case_of

CALIBRATION = CATALOG.calibration


def reasons(**changes):
    return {gap.reason for gap in gaps_of(case_of(**changes))}


@pytest.mark.parametrize("card", CATALOG.accelerators.values(), ids=lambda card: card.id)
def test_a_card_is_measured_when_a_run_on_it_ships(card):
    runs = [run for run in CALIBRATION.evidence if run.accelerator == card.id]
    assert measured_card(card, CALIBRATION) is bool(runs)
    timed = any(run.step_s is not None for run in runs)
    found = reasons(accelerator=card.id) & {"card", "card-of-family", "card-untimed"}
    if timed:
        assert found == set()
    else:
        fitted = CALIBRATION.families[card.family].fitted
        assert found == {"card-untimed" if runs else "card-of-family" if fitted else "card"}


def test_a_gap_of_a_card_widens_by_as_much_whatever_is_known_of_its_family():
    widths = {
        (gap.memory_width, gap.time_width)
        for card in ("B300", "L40S", "RTX-4090")
        for gap in gaps_of(case_of(accelerator=card))
        if gap.reason.startswith("card")
    }
    assert widths == {(0.02, 0.08)}


def test_a_release_that_was_kept_earlier_is_read():
    text = (FIXTURES / "calibration.json").read_text(encoding="utf-8")
    earlier = json.loads(text.replace('"fitted": ', '"measured": '))
    assert calibration_from(earlier, []).families == CALIBRATION.families


@pytest.mark.parametrize("scheme", ["none", "ddp", "zero2", "zero3", "fsdp"])
@pytest.mark.parametrize(
    ("framework", "gap"),
    [
        (None, {"framework-unknown"}),
        ("axolotl", {"framework"}),
        ("trl", {"framework"}),
        ("hf-trainer", set()),
    ],
)
def test_software_that_is_unknown_or_unmeasured_stays_so_in_every_layout(scheme, framework, gap):
    gpus = 1 if scheme == "none" else 4
    found = reasons(gpus=gpus, placement={"data_parallel": scheme}, recipe={"framework": framework})
    assert found & {"framework", "framework-unknown"} == gap


def test_measured_software_is_that_of_the_shipped_runs():
    assert covered_by(CALIBRATION).frameworks == {run.framework for run in CALIBRATION.evidence}


@pytest.mark.parametrize(
    ("adapter_precision", "each_bytes"), [("fp32", 4.0), ("bf16", 2.0), (None, 4.0)]
)
def test_adapters_exchange_gradients_of_their_own_type(adapter_precision, each_bytes):
    """An all-reduce sends 2 (n - 1)/n of what the gradients take in memory."""
    recipe = {"precision": "bf16-mixed", "lora_rank": 16, "adapter_precision": adapter_precision}
    case = case_of(method="lora", gpus=4, placement={"data_parallel": "ddp"}, recipe=recipe)
    found = step_exchange(case, links_of(case))
    assert found.gradients_bytes == pytest.approx(
        2 * 3 / 4 * case.adapters.trained_params * each_bytes
    )
