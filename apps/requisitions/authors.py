"""Who gave an answer: a person with an account, or a guest of a link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.requisitions.models import GuestInvitation, Revision

Author: TypeAlias = User | GuestInvitation


@dataclass(frozen=True, slots=True)
class AuthorName:
    """A name as it was when somebody answered; `guest` says that no account stands behind it."""

    name: str
    guest: bool = False

    def __str__(self) -> str:
        return _("%(name)s, by a link") % {"name": self.name} if self.guest else self.name

    @classmethod
    def of(cls, author: Author) -> AuthorName:
        if isinstance(author, GuestInvitation):
            return cls(author.name or _("a guest"), guest=True)
        return cls(str(author))


def authors_of(revision: Revision) -> dict[str, AuthorName]:
    """Question -> who gave its answer. The rows stay as they were when the revision was sent."""
    rows = revision.answers.select_related("updated_by", "guest")
    return {row.key: AuthorName.of(row.author) for row in rows}


@dataclass(frozen=True, slots=True)
class Hands:
    """Who answered what, said once: `most` gave every answer that has no name in `beside`."""

    most: str
    beside: Mapping[str, str]


def hands_of(authors: Mapping[str, str]) -> Hands:
    """Nothing to say about answers that one person gave."""
    counted = Counter(authors.values())
    if len(counted) < 2:
        return Hands("", {})
    most = counted.most_common(1)[0][0]
    return Hands(most, {key: name for key, name in authors.items() if name != most})
