"""Canonical JSON: one text for one value, so that its hash means something."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Sorted keys, no spaces, no NaN, no infinity, UTF-8 as it is.

    Raises:
        ValueError: the value holds NaN or infinity.
        TypeError: the value is not plain JSON.
    """
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def sha256_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
