"""Links to one section: who has which, how far they came, and what an open question offers."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.audit.actions import ACTIONS
from apps.audit.selectors import events_for
from apps.intake.selectors import Draft, client_revision_for
from apps.questionnaire.experts import EXPERTS
from apps.questionnaire.relevance import relevant_sections
from apps.questionnaire.sections import SECTION_OF, Section, section_for
from apps.questionnaire.sentences import Text
from apps.requisitions.models import GuestInvitation, Revision

_NOT_TO_DELEGATE: Final = frozenset({"goal"})  # it decides what is asked at all
_ADDRESS: Final = re.compile(r"[^\s,;<>()]+@[^\s,;<>()]+\.[^\s,;<>()]+")

# The case of `GuestLink.state` -> (words, colour of the tag, "" for plain text).
_STATES: Final[dict[str, tuple[Promise, str]]] = {
    "waiting": (_("not opened yet"), ""),
    "begun": (_("opened, not finished"), "info"),
    "done": (_("answered"), ""),
    "lacking": (_("looked, data is missing"), "tight"),
    "overdue": (_("overdue"), "tight"),
    "expired": (_("the time is over"), "tight"),
    "revoked": (_("revoked"), ""),
}


@dataclass(frozen=True, slots=True)
class Happened:
    at: datetime
    who: str
    what: str


@dataclass(frozen=True, slots=True)
class GuestLink:
    """One invitation as its owner sees it; `log` is everything that happened to it."""

    row: GuestInvitation
    section: Text
    state: str
    log: tuple[Happened, ...] = ()

    @property
    def words(self) -> Promise:
        return _STATES[self.state][0]

    @property
    def tag(self) -> str:
        return _STATES[self.state][1]

    @property
    def is_open(self) -> bool:
        return self.row.revoked_at is None


def delegable_sections(draft: Draft) -> list[Section]:
    """Those that somebody else may be asked to answer."""
    asked = relevant_sections(draft.evaluated.effective)
    return [s for s in asked if s.pages and s.key not in _NOT_TO_DELEGATE]


def section_choices(draft: Draft) -> list[tuple[str, str]]:
    """For a form: each section with who usually knows it."""
    return [(s.key, f"{s.name} ({EXPERTS[s.key]})") for s in delegable_sections(draft)]


def links_of(revision: Revision, *, with_log: bool = False) -> list[GuestLink]:
    """All links to sections of a draft; those that wait for the owner first."""
    rows = list(revision.guest_invitations.select_related("revision", "invited_by"))
    logs = _logs(revision) if with_log and rows else {}
    found = [
        GuestLink(row, _section_name(row), _state(row), tuple(logs.get(str(row.pk), ())))
        for row in rows
    ]
    return sorted(found, key=lambda link: (not link.is_open, link.tag != "tight"))


def last_words(links: Iterable[GuestLink]) -> dict[str, str]:
    """Section -> what the colleague who was asked last has done: has nobody looked, or is data
    missing?
    """
    open_ones = sorted((link for link in links if link.is_open), key=lambda li: li.row.created_at)
    return {
        link.row.section: f"{link.row.name or link.row.email or _('a guest')}: {link.words}"
        for link in open_ones
    }


def _section_name(row: GuestInvitation) -> Text:
    section = section_for(row.section)
    return section.name if section else row.section


def _state(row: GuestInvitation) -> str:
    if row.revoked_at:
        return "revoked"
    if row.verdict:
        return str(row.verdict)
    if row.is_expired:
        return "expired"
    if row.is_overdue:
        return "overdue"
    return "begun" if row.begun_at else "waiting"


def _logs(revision: Revision) -> dict[str, list[Happened]]:
    """Invitation -> its events, oldest first."""
    found: dict[str, list[Happened]] = {}
    for event in events_for(revision).filter(action__startswith="guest.").order_by("seq"):
        happened = Happened(
            datetime.fromisoformat(event.at_text), event.actor_name, str(ACTIONS[event.action])
        )
        found.setdefault(json.loads(event.payload_text)["invitation"], []).append(happened)
    return found


def guest_get_for(user: User, requisition_id: UUID, invitation_id: UUID) -> GuestInvitation:
    """An invitation to the draft of a requisition whose client the user is, or 404."""
    revision = client_revision_for(user, requisition_id)
    rows = GuestInvitation.objects.select_related(
        "revision__requisition__owner", "revision__requisition__company", "invited_by"
    )
    return get_object_or_404(rows, pk=invitation_id, revision=revision)


def guest_section_of(draft: Draft, guest: GuestInvitation) -> Section:
    """The guest's one section while it is asked, or 404."""
    for section in delegable_sections(draft):
        if section.key == guest.section:
            return section
    raise Http404


def address_in(text: str) -> str:
    """The e-mail address that somebody wrote as who may know; "" when there is none."""
    found = _ADDRESS.search(text)
    return found[0].lower() if found else ""


def name_in(text: str) -> str:
    """What was written beside the address."""
    return " ".join(_ADDRESS.sub(" ", text).strip(" ,;<>()").split())


def invited_for(revision: Revision) -> set[str]:
    """Questions that a colleague is being asked by a link which still works."""
    rows = revision.guest_invitations.filter(
        pk__in=GuestInvitation.objects.usable(), answered_at__isnull=True
    )
    return set(rows.values_list("question", flat=True))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an open question says of who could answer it: the form begins with it."""

    section: str
    question: str
    name: str
    email: str
    due: date | None


def wanted_for(draft: Draft, key: str, due: date | None) -> Wanted | None:
    """None for a question that cannot be handed over."""
    keys: Iterable[str] = (s.key for s in delegable_sections(draft))
    if key not in SECTION_OF or SECTION_OF[key].key not in set(keys):
        return None
    raw = draft.raw.get(key)
    who = raw.who if raw else ""
    return Wanted(SECTION_OF[key].key, key, name_in(who), address_in(who), due)


@dataclass(frozen=True, slots=True)
class Asking:
    """How somebody else can be asked. With an `email` one press writes to them; `url` leads to the
    form otherwise, "" where the section is not to be handed over. `due` is a day still to come.
    """

    overdue: bool
    invited: bool
    url: str
    section: str = ""
    name: str = ""
    email: str = ""
    due: date | None = None

    @property
    def form(self) -> uuid.UUID:
        """Of the button as it is shown: pressed twice, it writes once."""
        return uuid.uuid4()
