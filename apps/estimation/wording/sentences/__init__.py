"""Every sentence the engine can ask for, by its key; one file an estimator.

Parameters come as text already, formatted by the unit in their name: a template adds none.
"""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise

from apps.estimation.wording.sentences import (
    changes,
    compatibility,
    evidence,
    explorations,
    host,
    interconnect,
    measured,
    memory,
    ownership,
    planning,
    programme,
    rack,
    result,
    scaling,
    storage,
    time,
    variants,
)

_FILES: Final = (
    memory,
    interconnect,
    time,
    storage,
    host,
    rack,
    evidence,
    measured,
    variants,
    explorations,
    scaling,
    planning,
    programme,
    ownership,
    result,
    compatibility,
    changes,
)

SENTENCES: Final[dict[str, Promise]] = {
    key: words for file in _FILES for key, words in file.SENTENCES.items()
}
