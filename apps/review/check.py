"""One condition of the way to approval, as every rule yields it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from apps.accounts.models import User
from apps.review.dossier import Dossier


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One condition. `state` is "ok", "tight" (mind it) or "blocked"; `link` says how to mend it."""

    key: str
    state: str
    text: str
    sub: str = ""
    href: str = ""
    link: str = ""

    @property
    def stop(self) -> bool:
        return self.state == "blocked"


Rule = Callable[[Dossier, User], Iterator[Check]]
