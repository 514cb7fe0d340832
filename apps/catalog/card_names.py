"""Accelerators by the names that programs and people give them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from apps.catalog.releases import known_catalog
from apps.sizing.facts import Accelerator, Catalog

_TOKEN: Final = re.compile(r"[a-z0-9]+")
_SIZE_TOKEN: Final = re.compile(r"[0-9]+(?:gb|гб)?|hbm[0-9]\w*|gddr\w*|sxm[0-9]?")
_SOCKET: Final = re.compile(r"\bsxm[0-9]\b")
_SIZE: Final = re.compile(r"\b([0-9]{1,4})\s{0,2}(?:gib|gb|гб|гиб)\b", re.IGNORECASE)
_LONGEST: Final = 200
_DRIVER: Final = "nvidia "
_CARDS: Final = frozenset({"pcie", "nvl"})
# The driver keeps some of a card for itself: what a program sees differs from the data sheet.
_SAME_SIZE_RATIO: Final = 0.05


def tokens_of(name: str) -> set[str]:
    """Words of a name; a socket is one whatever its generation."""
    found = _TOKEN.findall(name[:_LONGEST].lower())
    return {_SOCKET.sub("sxm", token) for token in found}


def model_tokens_of(name: str) -> set[str]:
    """`h100`, `4090`: words with a figure that is no size of memory and no socket."""
    return {
        t
        for t in tokens_of(name)
        if any(c.isdigit() for c in t) and not (_SIZE_TOKEN.fullmatch(t) and t not in _PLAIN)
    }


# Models whose name is a bare number.
_PLAIN: Final = frozenset({"3090", "4090", "5090", "6000", "5000", "4000"})


def named_among(name: str, cards: Iterable[Accelerator]) -> list[Accelerator]:
    """Of `cards` those that share the model with the name and most of its other words."""
    words = tokens_of(name)
    named = [card for card in cards if model_tokens_of(card.name) & words]
    shared = {card.id: len(tokens_of(card.name) & words) for card in named}
    most = max(shared.values(), default=0)
    return [card for card in named if shared[card.id] == most]


def accelerator_named(name: str) -> Accelerator | None:
    """The one card that is meant; None when none is, or several could be."""
    found = accelerators_meant(name)
    return found[0] if len(found) == 1 else None


def accelerators_meant(name: str) -> list[Accelerator]:
    """The cards that a name could mean, an exact one alone.

    Read are an id or a name of the catalog, words of it (`A100 SXM 80 GB`), and the name that the
    driver shows (`NVIDIA A100-SXM4-80GB`), which says so wherever a card is no module.
    """
    catalog, wanted = known_catalog(), name.strip().casefold()
    for card in catalog.accelerators.values():
        if wanted in (card.id.casefold(), card.name.casefold()):
            return [card]
    found = named_among(name, _of_size(name, catalog))
    if len(found) > 1 and wanted.startswith(_DRIVER):
        modules = [card for card in found if card.form_factor not in _CARDS]
        return [card for card in modules if card.memory_gb == _usual_gb(modules)] or found
    return found


def _usual_gb(cards: list[Accelerator]) -> float:
    """Without a size in its name the driver means the first that was sold."""
    return cards[0].memory_gb if cards else 0.0


def _of_size(name: str, catalog: Catalog) -> list[Accelerator]:
    cards = list(catalog.accelerators.values())
    stated = _SIZE.search(name)
    if stated is None:
        return cards
    size_gb = float(stated.group(1))
    return [card for card in cards if abs(card.memory_gb / size_gb - 1) <= _SAME_SIZE_RATIO]


def accelerator_names() -> tuple[str, ...]:
    """Names to suggest while a card is typed."""
    return _names(known_catalog())


@lru_cache(maxsize=2)
def _names(catalog: Catalog) -> tuple[str, ...]:
    return tuple(card.name for card in catalog.accelerators.values())
