"""Four agreements of the site without which no platform is final.

Who runs the power, the cooling, the network and the room says yes; the product only asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

SIGN_OFFS: Final = ("power", "cooling", "network", "access")


def sign_offs_of(context: Mapping[str, Any], *, elsewhere: bool) -> list[dict[str, Any]]:
    """Each agreement with whether it is there; none where the server stands at a landlord's."""
    if elsewhere:
        return []
    given = context.get("agreed") or ()
    return [{"key": key, "agreed": key in given} for key in SIGN_OFFS]


def all_agreed(sign_offs: list[dict[str, Any]]) -> bool:
    return all(row["agreed"] for row in sign_offs)
