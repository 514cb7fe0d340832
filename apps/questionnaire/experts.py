"""Whom a section is for: the person who usually knows its answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.questionnaire.sentences import Text

_ML_ENGINEER: Final = _("ML engineer")
_ARCHITECT: Final = _("IT architect")
_OWNER: Final = _("owner of the task")

EXPERTS: Final[Mapping[str, Text]] = {
    "goal": _OWNER,
    "task": _OWNER,
    "method": _ML_ENGINEER,
    "model": _ML_ENGINEER,
    "data": _ML_ENGINEER,
    "timing": _OWNER,
    "horizon": _ARCHITECT,
    "recipe": _ML_ENGINEER,
    "purchase": _OWNER,
    "site": _ARCHITECT,
}
