"""The rules of compatibility of GPU servers, by their numbers: what each catches, and what it lets by.

A rule that refuses has something refused; one that warns or asks has something it speaks of and
something it is silent about.
"""

from dataclasses import dataclass, replace

import pytest

from apps.catalog.facts import fixture_catalog
from apps.sizing.compatibility import Proposal, check

CATALOG = fixture_catalog()
BOARD = Proposal(server="SYS-821GE-TNHR", accelerator="H200-SXM-141", gpus=8)
CARDS = Proposal(server="SYS-521GE-TNRT", accelerator="H200-NVL-141", gpus=8)
TRAYS = Proposal(server="AS-8125GS-TNMR2", accelerator="MI300X", gpus=8)
BLACKWELL = Proposal(server="SYS-822GS-NBRT", accelerator="B200", gpus=8)


@dataclass(frozen=True, kw_only=True)
class Held:
    """One rule: what it says `severity` of, and what it does not."""

    number: int
    rule: str
    severity: str
    caught: Proposal
    passes: Proposal


def refuses(number, rule, caught, passes):
    return Held(number=number, rule=rule, severity="refused", caught=caught, passes=passes)


def warns(number, rule, caught, passes):
    return Held(number=number, rule=rule, severity="warning", caught=caught, passes=passes)


def asks(number, rule, caught, passes):
    return Held(number=number, rule=rule, severity="confirm", caught=caught, passes=passes)


def with_(proposal, **more):
    return replace(proposal, **more)


L40S = with_(CARDS, accelerator="L40S")
HELD = (
    # 1. A module is no card; a board is indivisible.
    refuses(1, "form-factor", with_(CARDS, accelerator="H200-SXM-141"), BOARD),
    refuses(1, "fixed-count", with_(BOARD, gpus=4), BOARD),
    # 2. A card never stands in for the modules of a board.
    refuses(2, "form-factor", with_(BOARD, accelerator="H200-NVL-141"), CARDS),
    refuses(2, "form-factor", with_(BOARD, accelerator="H100-NVL-94"), CARDS),
    # 3. OAM goes on its own board only.
    refuses(3, "form-factor", with_(BOARD, accelerator="MI300X"), TRAYS),
    # 4. A Hopper chassis does not take Blackwell boards.
    refuses(4, "listed", with_(BOARD, accelerator="B200"), BLACKWELL),
    # 5. What has NVLink at all, and what it joins.
    warns(5, "no-nvlink", L40S, BOARD),
    warns(5, "islands", with_(CARDS, accelerator="H100-NVL-94", gpus=4), with_(CARDS, gpus=4)),
    asks(5, "bridges", with_(CARDS, gpus=4), BOARD),
    # 6. Eight H200 NVL are two islands, four are one.
    warns(6, "islands", CARDS, with_(CARDS, gpus=4)),
    # 7. Places by the width of a card, and slots for the network beside them.
    refuses(7, "card-places", with_(CARDS, gpus=9), CARDS),
    refuses(
        7,
        "nic-slots",
        with_(CARDS, nic="MCX75310AAS-NEAT", nics=6),
        with_(CARDS, nic="MCX75310AAS-NEAT", nics=5),
    ),
    # 8. Half of four supplies carries four H200 NVL, not eight; the scheme is the maker's to say.
    warns(8, "supplies", CARDS, with_(CARDS, gpus=4)),
    asks(
        8, "supplies", CARDS, Proposal(server="DGX-H100-H200", accelerator="H100-SXM5-80", gpus=8)
    ),
    # 9. The socket first, and both of them filled.
    refuses(9, "socket", with_(BOARD, cpu="6960P"), with_(BOARD, cpu="8558")),
    refuses(9, "sockets-filled", with_(BOARD, cpu="8468", cpus=1), with_(BOARD, cpus=2)),
    # 10. Every channel alike; more RAM than GPU memory; the board's own speed.
    refuses(10, "dimm-slots", with_(BOARD, dimms=48), with_(BOARD, dimms=32)),
    warns(10, "dimm-population", with_(BOARD, dimms=12), with_(BOARD, dimms=16)),
    warns(
        10,
        "ram-ratio",
        with_(BOARD, dimms=16, module_gb=64),
        with_(BOARD, dimms=32, module_gb=64),
    ),
    warns(10, "dimm-speed", with_(BOARD, module_mts=6400), with_(BOARD, module_mts=5600)),
    # 13. Connectors of network cards, and a cable of their own.
    refuses(
        13,
        "nic-connector",
        with_(BOARD, nic="B3140H", optics="OSFP"),
        with_(BOARD, nic="MCX75310AAS-NEAT", optics="OSFP"),
    ),
    asks(13, "nic-power", with_(BOARD, nic="B3220"), with_(BOARD, nic="MCX75310AAS-NEAT")),
    # 14. A chassis full of the hottest cards: not at any inlet temperature.
    asks(14, "thermal", CARDS, with_(CARDS, gpus=4)),
    asks(14, "thermal", CARDS, L40S),
    asks(14, "thermal", CARDS, BOARD),
)
# 11, dense rates, and 12, usable memory, are of figures and not of what stands together: they are
# held by test_nearest_valid, as is that H200 alone is asked about.
OF_FIGURES = {11, 12}


def said(proposal, rule):
    return {f.severity for f in check(proposal, CATALOG).findings if f.rule == rule}


@pytest.mark.parametrize("held", HELD, ids=lambda held: f"{held.number}-{held.rule}")
def test_a_rule_catches_what_it_is_for_and_lets_the_right_thing_through(held):
    assert held.severity in said(held.caught, held.rule)
    assert held.severity not in said(held.passes, held.rule)
    assert check(held.caught, CATALOG).valid is (held.severity != "refused")
    assert check(held.passes, CATALOG).valid


@pytest.mark.parametrize("held", HELD, ids=lambda held: f"{held.number}-{held.rule}")
def test_a_finding_names_its_source(held):
    (found, *_rest) = [
        f
        for f in check(held.caught, CATALOG).findings
        if (f.rule, f.severity) == (held.rule, held.severity)
    ]
    assert found.source.source
    assert found.source.source_url.startswith("https://")


def test_no_rule_is_left_without_a_case():
    assert {held.number for held in HELD} | OF_FIGURES == {*range(1, 15)}
