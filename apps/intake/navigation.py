"""Where each page of the questionnaire stands, and what comes before and after it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from urllib.parse import quote, urlencode
from uuid import UUID

from django.http import Http404
from django.urls import reverse

from apps.intake.selectors import Draft
from apps.questionnaire.relevance import relevant_pages, relevant_sections
from apps.questionnaire.sections import QUESTIONS, SECTION_OF, Page, Section

TO_CHECK = "check"
_SEPARATOR = "."


@dataclass(frozen=True, slots=True)
class Place:
    """One page of a section, with the pages beside it as they are asked now."""

    section: Section
    pages: tuple[Page, ...]
    index: int

    @property
    def page(self) -> Page:
        return self.pages[self.index]

    @property
    def is_last(self) -> bool:
        return self.index == len(self.pages) - 1


def section_of(draft: Draft, key: str) -> Section:
    """The section of that address among those that are asked, or 404."""
    for section in relevant_sections(draft.evaluated.effective):
        if section.key == key:
            return section
    raise Http404


def place_of(draft: Draft, section: Section, page_key: str | None) -> Place:
    """The page of that key; the first one when it is not asked (any more)."""
    pages = relevant_pages(section, draft.evaluated.effective)
    keys = [page.key for page in pages]
    index = keys.index(page_key) if page_key in keys else 0
    return Place(section, pages, index)


def section_url(
    requisition_id: UUID, section: Section, *, page: str = "", back: str = "", anchor: str = ""
) -> str:
    """Address of a section's page; `back` says where its form returns to."""
    if section.key == "check":
        return reverse("intake:check", args=[requisition_id])
    url = reverse("intake:section", args=[requisition_id, section.key])
    query = {k: v for k, v in (("page", page), ("return", back)) if v}
    url += f"?{urlencode(query)}" if query else ""
    return f"{url}#{anchor}" if anchor else url


def joined_keys(keys: Iterable[str]) -> str:
    """Questions as a page carries them along, in its address or in its form."""
    return _SEPARATOR.join(keys)


def with_keys(url: str, name: str, keys: Iterable[str]) -> str:
    """`url` that carries questions along: nothing is kept in the session. The same without keys."""
    joined = joined_keys(keys)
    if not joined:
        return url
    address, hash_sign, anchor = url.partition("#")
    return f"{address}{'&' if '?' in address else '?'}{name}={quote(joined)}{hash_sign}{anchor}"


def read_keys(text: str) -> list[str]:
    """The inverse of `joined_keys`; what is no question is left out."""
    return [key for key in text.split(_SEPARATOR) if key in QUESTIONS]


def page_url(draft: Draft, section: Section, page: str, *, back: str = "", anchor: str = "") -> str:
    """Address of a page for whoever the draft is read for; a guest has one section."""
    if draft.guest is None:
        return section_url(draft.requisition.pk, section, page=page, back=back, anchor=anchor)
    url = f"{reverse('intake:guest-section', args=[draft.guest.pk])}?{urlencode({'page': page})}"
    return f"{url}#{anchor}" if anchor else url


def home_url(draft: Draft) -> str:
    """Where all pages of the draft are found: the task list, or the guest's one section."""
    if draft.guest is not None:
        return reverse("intake:guest-home", args=[draft.guest.pk])
    return reverse("intake:hub", args=[draft.requisition.pk])


def autosave_url(draft: Draft, place: Place) -> str:
    """Where a page that is being filled in is saved."""
    query = urlencode({"page": place.page.key})
    if draft.guest is not None:
        return f"{reverse('intake:guest-autosave', args=[draft.guest.pk])}?{query}"
    saved = reverse("intake:autosave", args=[draft.requisition.pk, place.section.key])
    return f"{saved}?{query}"


def question_url(draft: Draft, key: str, *, back: str = TO_CHECK) -> str:
    """Straight to one question; its form comes back to the check page."""
    section = SECTION_OF[key]
    page = next(p for p in section.pages if any(q.key == key for q in p.questions))
    return page_url(draft, section, page.key, back=back, anchor=f"q-{key}")


def next_url(draft: Draft, place: Place) -> str:
    """The page after this one, as the answers stand now."""
    if not place.is_last:
        return page_url(draft, place.section, place.pages[place.index + 1].key)
    if draft.guest is not None:
        return home_url(draft)
    sections = relevant_sections(draft.evaluated.effective)
    after = sections[sections.index(place.section) + 1 :]
    return section_url(draft.requisition.pk, after[0])


def previous_url(draft: Draft, place: Place, back: str) -> str:
    """Where the back link leads: where one came from, the page before, or the task list."""
    if back == TO_CHECK and draft.guest is None:
        return reverse("intake:check", args=[draft.requisition.pk])
    if place.index:
        return page_url(draft, place.section, place.pages[place.index - 1].key)
    return home_url(draft)


def has_new_questions(place: Place, asked: Collection[str]) -> bool:
    """Has the answer just given brought up questions that the page did not show?"""
    return any(question.key not in asked for question in place.page.questions)
