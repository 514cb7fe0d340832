"""What the client's own part number or offer says, and how it stands to the recommended GPUs."""

from __future__ import annotations

import re
from typing import Any, Final

from apps.sizing.candidates import Candidate
from apps.sizing.compatibility import Proposal, check
from apps.sizing.configurations import Configuration, parse_configuration
from apps.sizing.facts import Catalog
from apps.sizing.variant_blocks import finding_block

_WORD: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{3,}")

# What stands between a part number and what is in it: «SYS-… с 8×H200», «SYS-…: 8×H200».
_JOINED: Final = r"\s*[:–—]?\s*(?:(?:с|with)\s+)?"


def offer_block(
    text: str | None, best: Candidate | None, catalog: Catalog
) -> dict[str, Any] | None:
    """The offer of the result document; None when the client has none in mind.

    A part number the catalog does not have is said to be unknown, never guessed at, and reading a
    text confirms nothing: the supplier's document does.
    """
    if not text or not text.strip():
        return None
    sku = _sku_in(text, catalog)
    described = (
        re.sub(f"{re.escape(sku)}{_JOINED}", ", ", text, flags=re.IGNORECASE) if sku else text
    )
    more = any(character.isdigit() for character in described)
    found = parse_configuration(described, catalog, server=sku) if more else None
    proposal = _proposal(sku, found, best)
    judged = check(proposal, catalog) if proposal else None
    return {
        "text": text,
        "sku": sku,
        "known": sku is not None,
        "valid": judged.valid if judged else None,
        "checked_with": None
        if proposal is None
        else "offer"
        if _names_gpu(found)
        else "recommended",
        "findings": [finding_block(f) for f in judged.findings] if judged else [],
        "configuration": _parts(found) if found else None,
        "notes": [note.as_dict() for note in found.notes] if found else [],
    }


def _sku_in(text: str, catalog: Catalog) -> str | None:
    """The first word that is a part number of the catalog, as it is written there."""
    by_name = {sku.upper(): sku for sku in catalog.servers}
    words = (word.upper() for word in _WORD.findall(text))
    return next((by_name[word] for word in words if word in by_name), None)


def _names_gpu(found: Configuration | None) -> bool:
    """Does the offer say which GPU it has, beyond doubt?"""
    return found is not None and len(found.accelerators) == 1


def _proposal(
    sku: str | None, found: Configuration | None, best: Candidate | None
) -> Proposal | None:
    """What to check together: the offer's own GPUs when it names them, else the recommended."""
    if sku is None:
        return None
    if found is not None and _names_gpu(found):
        return Proposal(
            server=sku,
            accelerator=found.accelerators[0],
            gpus=found.gpus,
            cpu=found.cpu,
            cpus=found.cpus,
            dimms=found.dimms,
            module_gb=found.module_gb,
            module_mts=found.module_mts,
            nic=found.nic,
            nics=found.nics,
        )
    if best is None or best.platform.accelerator is None:
        return None
    gpus = best.platform.gpus_per_node
    return Proposal(server=sku, accelerator=best.platform.accelerator, gpus=gpus)


def _parts(found: Configuration) -> dict[str, Any]:
    return {
        "gpus": found.gpus,
        "gpu": found.gpu,
        "accelerators": list(found.accelerators),
        "cpus": found.cpus,
        "cpu": found.cpu,
        "dimms": found.dimms,
        "module_gb": found.module_gb,
        "ram_gb": found.ram_gb,
        "module_mts": found.module_mts,
        "nics": found.nics,
        "nic": found.nic,
    }
