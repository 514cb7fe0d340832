"""A refusal names the nearest that is valid, and what it names passes the same rule."""

from dataclasses import replace

import pytest

from apps.catalog.facts import fixture_catalog
from apps.sizing.cases import accelerator_of
from apps.sizing.compatibility import Proposal, check
from apps.sizing.compatibility_rules import COUNTED
from apps.sizing.configurations import parse_configuration
from apps.sizing.errors import TaskError
from apps.sizing.offers import offer_block
from apps.sizing.task import Placement

CATALOG = fixture_catalog()
H200 = Proposal(server="SYS-821GE-TNHR", accelerator="H200-SXM-141", gpus=8)
NVL = Proposal(server="SYS-521GE-TNRT", accelerator="H200-NVL-141", gpus=8)


def with_fact(sku, **facts):
    server = CATALOG.servers[sku]
    changed = replace(server, extra={**server.extra, **facts})
    return replace(CATALOG, servers={**CATALOG.servers, sku: changed})


def refusal_of(rule, proposal, catalog=CATALOG):
    return next(f for f in check(proposal, catalog).refusals if f.rule == rule)


def repaired(proposal, refusal):
    """The proposal with each alternative of the refusal in turn."""
    for field, names in (
        ("server", refusal.servers),
        ("accelerator", refusal.accelerators),
        ("cpu", refusal.processors),
        ("nic", refusal.network_cards),
    ):
        yield from (replace(proposal, **{field: name}) for name in names)
    if refusal.counted:
        yield from (replace(proposal, **{refusal.counted: n}) for n in refusal.counts)


@pytest.mark.parametrize(
    ("rule", "proposal", "catalog"),
    [
        ("form-factor", replace(H200, accelerator="H200-NVL-141"), CATALOG),
        ("form-factor", replace(NVL, accelerator="H200-SXM-141"), CATALOG),
        ("form-factor", replace(H200, accelerator="MI300X"), CATALOG),
        ("listed", replace(H200, accelerator="B200"), CATALOG),
        ("fixed-count", replace(H200, accelerator="H100-SXM5-80", gpus=4), CATALOG),
        ("card-places", replace(NVL, gpus=9), CATALOG),
        ("card-power", NVL, with_fact("SYS-521GE-TNRT", gpu_max_w=500)),
        ("sockets-filled", replace(H200, cpu="8558", cpus=1), CATALOG),
        ("socket", replace(H200, cpu="6960P", cpus=2), CATALOG),
        ("socket", replace(NVL, cpu="EPYC-9654", cpus=2), CATALOG),
        (
            "cpu-power",
            replace(NVL, cpu="8592+", cpus=2),
            with_fact("SYS-521GE-TNRT", cpu_max_tdp_w=330),
        ),
        ("dimm-slots", replace(H200, dimms=48), CATALOG),
        ("nic-slots", replace(NVL, nic="MCX75310AAS-NEAT", nics=6), CATALOG),
        ("nic-connector", replace(H200, nic="B3140H", nics=8, optics="OSFP"), CATALOG),
        ("nic-connector", replace(H200, nic="MCX75310AAS-NEAT", optics="QSFP112"), CATALOG),
    ],
)
def test_what_a_refusal_offers_passes_the_same_rule(rule, proposal, catalog):
    refusal = refusal_of(rule, proposal, catalog)
    offered = list(repaired(proposal, refusal))
    assert offered
    for one in offered:
        assert rule not in {f.rule for f in check(one, catalog).refusals}, one
    assert refusal.source.source_url.startswith("https://")


def test_supplies_that_carry_fewer_gpus_say_how_many():
    server = CATALOG.servers["SYS-521GE-TNRT"]
    weak = replace(server, psu_count=2)
    catalog = replace(CATALOG, servers={server.sku: weak})
    refusal = refusal_of("supplies", NVL, catalog)
    assert refusal.counted == "gpus"
    (fewer,) = refusal.counts
    assert 1 <= fewer < 8
    assert check(replace(NVL, gpus=fewer), catalog).valid
    assert not check(replace(NVL, gpus=fewer + 1), catalog).valid


def test_four_modules_are_offered_a_board_of_four():
    refusal = refusal_of("fixed-count", replace(H200, accelerator="H100-SXM5-80", gpus=4))
    assert refusal.servers == ("SYS-421GU-TNXR",)
    assert (refusal.counted, refusal.counts) == ("gpus", (8,))
    assert refusal.counted in COUNTED


def test_network_cards_take_the_slots_that_the_gpus_leave():
    card = replace(NVL, nic="MCX75310AAS-NEAT")
    assert check(replace(card, nics=5), CATALOG).valid
    assert not check(replace(card, nics=6), CATALOG).valid
    # Four places without a GPU take a network card each.
    assert check(replace(card, gpus=4, nics=9), CATALOG).valid
    # A card of two slots fits half as often.
    wide = replace(NVL, nic="B3240")
    assert check(replace(wide, nics=2), CATALOG).valid
    assert refusal_of("nic-slots", replace(wide, nics=3)).counts == (2,)


def test_an_osfp_card_takes_osfp_and_an_auxiliary_cable_is_asked_for():
    assert check(replace(H200, nic="MCX75310AAS-NEAT", optics="OSFP"), CATALOG).valid
    needs_cable = check(replace(H200, nic="B3220", nics=1, optics="QSFP112"), CATALOG)
    assert needs_cable.valid
    assert [f.severity for f in needs_cable.findings if f.rule == "nic-power"] == ["confirm"]


@pytest.mark.parametrize(
    ("text", "warned"), [("16×64 ГБ DDR5-6400", True), ("16×64 ГБ DDR5-5600", False)]
)
def test_faster_modules_do_not_make_the_board_faster(text, warned):
    block = offer_block(f"SYS-821GE-TNHR: 8×H200 SXM, 2×8558, {text}", None, CATALOG)
    assert ("dimm-speed" in {f["rule"] for f in block["findings"]}) is warned
    assert block["valid"]


def test_an_offer_with_network_cards_is_judged_with_them():
    block = offer_block("SYS-521GE-TNRT: 8×H200 NVL, 8×MCX75310AAS-NEAT", None, CATALOG)
    assert block["configuration"]["nic"] == "MCX75310AAS-NEAT"
    assert block["valid"] is False
    refused = [f for f in block["findings"] if f["severity"] == "refused"]
    assert [(f["rule"], f["counted"], f["counts"]) for f in refused] == [("nic-slots", "nics", [5])]


def test_a_family_of_network_cards_is_no_part_number():
    assert parse_configuration("8×ConnectX-7", CATALOG).nic is None


def test_h200_alone_asks_which_form_factor():
    with pytest.raises(TaskError) as problem:
        accelerator_of(Placement(accelerator="H200", gpus=8), CATALOG)
    assert problem.value.code == "ambiguous-accelerator"
    for name in ("H200-SXM-141", "H200-NVL-141"):
        assert name in str(problem.value)
    assert accelerator_of(Placement(accelerator="H200-NVL-141"), CATALOG).form_factor == "nvl"
    notes = parse_configuration("8×H200", CATALOG).notes
    assert "configuration.ask-form-factor" in {note.key for note in notes}


@pytest.mark.parametrize(
    ("card", "bf16", "fp8"),
    [
        ("H100-SXM5-80", 989.5, 1979),
        ("H200-SXM-141", 989.5, 1979),
        ("H200-NVL-141", 835.5, 1670.5),
        ("A100-SXM4-80", 312, None),
        ("V100-SXM2", None, None),
    ],
)
def test_rates_are_dense_and_absent_where_the_silicon_has_none(card, bf16, fp8):
    found = CATALOG.accelerators[card]
    assert (found.bf16_tflops_per_s, found.fp8_tflops_per_s) == (bf16, fp8)


@pytest.mark.parametrize(
    ("card", "mib"),
    [
        ("H100-SXM5-80", 81559),
        ("H200-SXM-141", 143771),
        ("H200-NVL-141", 143771),
        ("H100-NVL-94", 95830),
        ("RTX-PRO-6000-BSE", 97887),
        ("B200", 183359),
    ],
)
def test_usable_memory_is_what_the_driver_reports(card, mib):
    assert CATALOG.accelerators[card].usable_memory_gib == pytest.approx(mib / 1024, abs=0.02)
