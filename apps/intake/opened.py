"""Questions that a correction from the check page has opened: they are asked before going back.

The page says what was unanswered when it was shown, and what an earlier correction has opened: an
answer that saves itself meanwhile hides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.http import QueryDict

from apps.intake.navigation import joined_keys, question_url, read_keys, with_keys
from apps.intake.selectors import Draft

_OPENED = "opened"


def opened_fields(draft: Draft, query: Mapping[str, str]) -> dict[str, str]:
    """What the page's form carries along."""
    return {
        "gaps": joined_keys(draft.evaluated.missing),
        _OPENED: query.get(_OPENED, ""),
    }


def opened_url(draft: Draft, posted: QueryDict) -> str:
    """Where the first of them is asked; empty when nothing was opened or all is answered."""
    if "gaps" not in posted:
        return ""
    before = set(read_keys(posted.get("gaps", "")))
    earlier = set(read_keys(posted.get(_OPENED, "")))
    missing = draft.evaluated.missing
    opened = [key for key in missing if key not in before or key in earlier]
    return with_keys(question_url(draft, opened[0]), _OPENED, opened) if opened else ""
