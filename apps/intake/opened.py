"""Questions that a correction from the check page has opened: they are asked before going back.

The page says what was unanswered when it was shown, and what an earlier correction has opened: an
answer that saves itself meanwhile hides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import quote

from django.http import QueryDict

from apps.intake.navigation import question_url
from apps.intake.selectors import Draft

_SEPARATOR = "."
_OPENED = "opened"


def opened_fields(draft: Draft, query: Mapping[str, str]) -> dict[str, str]:
    """What the page's form carries along."""
    return {
        "gaps": _SEPARATOR.join(draft.evaluated.missing),
        _OPENED: query.get(_OPENED, ""),
    }


def opened_url(draft: Draft, posted: QueryDict) -> str:
    """Where the first of them is asked; empty when nothing was opened or all is answered."""
    if "gaps" not in posted:
        return ""
    before = set(posted.get("gaps", "").split(_SEPARATOR))
    earlier = set(posted.get(_OPENED, "").split(_SEPARATOR))
    missing = draft.evaluated.missing
    opened = [key for key in missing if key not in before or key in earlier]
    return _with(question_url(draft, opened[0]), opened) if opened else ""


def _with(url: str, opened: Iterable[str]) -> str:
    address, _hash, anchor = url.partition("#")
    return f"{address}&{_OPENED}={quote(_SEPARATOR.join(opened))}#{anchor}"
