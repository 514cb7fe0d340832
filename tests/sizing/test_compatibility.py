"""Each rule refuses what cannot be built, says why, and lets the right thing through."""

from dataclasses import replace

import pytest

from apps.catalog.facts import fixture_catalog
from apps.sizing.compatibility import RULES, Proposal, check
from apps.sizing.compatibility_rules import servers_taking
from apps.sizing.estimators.network import islands

CATALOG = fixture_catalog()


def proposal(server, accelerator, gpus=8, **more):
    return Proposal(server=server, accelerator=accelerator, gpus=gpus, **more)


def rules_of(found, severity):
    return {f.rule for f in found.findings if f.severity == severity}


@pytest.mark.parametrize(
    ("rule", "refused", "valid"),
    [
        # A card never replaces a module, a module never a card.
        (
            "form-factor",
            proposal("SYS-821GE-TNHR", "H200-NVL-141"),
            proposal("SYS-821GE-TNHR", "H200-SXM-141"),
        ),
        (
            "form-factor",
            proposal("SYS-521GE-TNRT", "H200-SXM-141"),
            proposal("SYS-521GE-TNRT", "H200-NVL-141"),
        ),
        (
            "form-factor",
            proposal("SYS-821GE-TNHR", "MI300X"),
            proposal("AS-8125GS-TNMR2", "MI300X"),
        ),
        # A Hopper board's chassis does not take Blackwell boards.
        ("listed", proposal("SYS-821GE-TNHR", "B200"), proposal("SYS-822GS-NBRT", "B200")),
        (
            "listed",
            proposal("SYS-521GE-TNRT", "A100-PCIE-80"),
            proposal("SYS-420GP-TNR", "A100-PCIE-80"),
        ),
        # A board of eight is indivisible.
        (
            "fixed-count",
            proposal("SYS-821GE-TNHR", "H200-SXM-141", 4),
            proposal("SYS-821GE-TNHR", "H200-SXM-141", 8),
        ),
        (
            "card-places",
            proposal("SYS-521GE-TNRT", "L40S", 9),
            proposal("SYS-521GE-TNRT", "L40S", 7),
        ),
        (
            "socket",
            proposal("SYS-521GE-TNRT", "L40S", 4, cpu="6960P", cpus=2),
            proposal("SYS-521GE-TNRT", "L40S", 4, cpu="8558", cpus=2),
        ),
        (
            "sockets-filled",
            proposal("SYS-821GE-TNHR", "H100-SXM5-80", 8, cpu="8468", cpus=1),
            proposal("SYS-821GE-TNHR", "H100-SXM5-80", 8, cpu="8468", cpus=2),
        ),
        (
            "dimm-slots",
            proposal("SYS-821GE-TNHR", "H100-SXM5-80", 8, dimms=48),
            proposal("SYS-821GE-TNHR", "H100-SXM5-80", 8, dimms=32),
        ),
    ],
)
def test_a_rule_refuses_one_and_passes_the_other(rule, refused, valid):
    found = check(refused, CATALOG)
    assert not found.valid
    assert rule in {f.rule for f in found.refusals}
    assert check(valid, CATALOG).valid


@pytest.mark.parametrize(("gpus", "refused"), [(2, False), (3, True)])
def test_no_more_than_two_cards_of_four_slots_find_a_place(gpus, refused):
    found = check(proposal("SYS-521GE-TNRT", "RTX-4090", gpus), CATALOG)
    assert ("card-places" in rules_of(found, "refused")) is refused


def test_a_refusal_carries_its_reason_its_source_and_the_nearest_valid_pair():
    refusal = check(proposal("SYS-821GE-TNHR", "H200-NVL-141"), CATALOG).refusals[0]
    assert refusal.message.params["accelerator"] == "H200-NVL-141"
    assert refusal.source.source_url.startswith("https://")
    assert "SYS-521GE-TNRT" in refusal.servers
    assert refusal.accelerators[0] == "H200-SXM-141"
    for sku in refusal.servers:
        assert check(proposal(sku, "H200-NVL-141"), CATALOG).valid


def test_an_sxm_module_is_never_offered_a_slot():
    refusal = check(proposal("SYS-521GE-TNRT", "H100-SXM5-80"), CATALOG).refusals[0]
    assert refusal.message.key == "compatibility.form-factor.module"
    assert "SYS-821GE-TNHR" in refusal.servers


def test_four_sxm_modules_have_a_board_of_their_own():
    assert check(proposal("SYS-421GU-TNXR", "H100-SXM5-80", 4), CATALOG).valid
    assert servers_taking(CATALOG.accelerators["H100-SXM5-80"], 4, CATALOG) == ("SYS-421GU-TNXR",)


@pytest.mark.parametrize(
    ("gpus", "domain", "sizes"),
    [(8, 4, (4, 4)), (4, 4, (4,)), (6, 4, (4, 2)), (3, 1, (1, 1, 1)), (8, 8, (8,)), (2, 0, (1, 1))],
)
def test_cards_fall_into_islands(gpus, domain, sizes):
    assert islands(gpus, domain) == sizes


def test_eight_h200_nvl_are_two_islands_and_four_are_one():
    eight = check(proposal("SYS-521GE-TNRT", "H200-NVL-141", 8), CATALOG)
    assert "islands" in rules_of(eight, "warning")
    four = check(proposal("SYS-521GE-TNRT", "H200-NVL-141", 4), CATALOG)
    assert "islands" not in rules_of(four, "warning")
    assert "bridges" in rules_of(four, "confirm")


def test_cards_without_nvlink_are_told_so_and_modules_are_not():
    assert "no-nvlink" in rules_of(check(proposal("SYS-521GE-TNRT", "L40S"), CATALOG), "warning")
    modules = check(proposal("SYS-821GE-TNHR", "H100-SXM5-80"), CATALOG)
    assert not rules_of(modules, "warning") & {"no-nvlink", "islands"}


def test_half_the_supplies_carry_four_h200_nvl_but_not_eight():
    eight = check(proposal("SYS-521GE-TNRT", "H200-NVL-141", 8), CATALOG)
    four = check(proposal("SYS-521GE-TNRT", "H200-NVL-141", 4), CATALOG)
    assert "supplies" in rules_of(eight, "warning")
    assert "supplies" not in rules_of(four, "warning")
    # Nobody has found which scheme the maker certifies.
    assert "supplies" in rules_of(four, "confirm")


@pytest.mark.parametrize(("dimms", "warned"), [(16, False), (12, True), (32, True)])
def test_modules_fill_every_channel_evenly(dimms, warned):
    found = check(proposal("SYS-521GE-TNRT", "L40S", 4, dimms=dimms, module_gb=64), CATALOG)
    assert ("dimm-population" in rules_of(found, "warning")) is warned
    assert found.valid


def test_the_second_module_a_channel_slows_the_memory():
    found = check(proposal("SYS-821GE-TNHR", "H200-SXM-141", dimms=32, module_gb=64), CATALOG)
    slower = next(f for f in found.findings if f.rule == "dimm-population")
    assert slower.message.params == {"one_mts": 5600, "two_mts": 4400}


def test_a_terabyte_is_less_than_eight_h200_hold():
    lean = check(proposal("SYS-821GE-TNHR", "H200-SXM-141", dimms=16, module_gb=64), CATALOG)
    ample = check(proposal("SYS-821GE-TNHR", "H200-SXM-141", dimms=32, module_gb=64), CATALOG)
    assert "ram-ratio" in rules_of(lean, "warning")
    assert "ram-ratio" not in rules_of(ample, "warning")
    assert lean.valid


def test_twelve_channels_take_24_modules():
    found = check(proposal("AS-8125GS-TNHR", "H200-SXM-141", dimms=24, module_gb=64), CATALOG)
    assert "dimm-population" not in rules_of(found, "warning")


@pytest.mark.parametrize(
    ("fact", "limit", "rule"),
    [("gpu_max_w", 500, "card-power"), ("cpu_max_tdp_w", 300, "cpu-power")],
)
def test_a_chassis_refuses_what_it_cannot_feed(fact, limit, rule):
    cool = proposal("SYS-521GE-TNRT", "H200-NVL-141", 4, cpu="8558", cpus=2)
    assert check(cool, CATALOG).valid
    server = CATALOG.servers["SYS-521GE-TNRT"]
    limited = replace(server, extra={**server.extra, fact: limit})
    catalog = replace(CATALOG, servers={server.sku: limited})
    assert {f.rule for f in check(cool, catalog).refusals} == {rule}


def test_what_is_not_said_is_not_judged():
    found = check(Proposal(server="SYS-821GE-TNHR", accelerator="H200-SXM-141"), CATALOG)
    assert found.findings == ()


def test_every_rule_has_a_source():
    for rule in RULES.values():
        assert rule.source
        assert rule.source_url.startswith("https://")


def test_every_pair_of_the_catalog_passes_its_own_rules():
    for server in CATALOG.servers.values():
        for accelerator in server.accelerators:
            gpus = max(server.gpu_counts)
            found = check(proposal(server.sku, accelerator, gpus), CATALOG)
            assert not {f.rule for f in found.refusals} - {"card-places"}, server.sku
