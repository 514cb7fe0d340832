"""The sections in the top bar, by role. Addresses are names: apps above own the pages."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True, slots=True)
class Section:
    """`roles` see it, or everybody, signed in or not, when it is `public`; `also` are other path
    prefixes that belong to the section."""

    label: Promise
    view: str
    roles: frozenset[str]
    also: tuple[str, ...] = ()
    public: bool = False


@dataclass(frozen=True, slots=True)
class NavItem:
    label: str
    url: str
    current: bool


SECTIONS: Final = (
    Section(
        pgettext_lazy("section", "My requisitions"), "intake:list", frozenset({"client"}), ("/r/",)
    ),
    Section(pgettext_lazy("section", "Queue"), "review:queue", frozenset({"engineer"})),
    Section(pgettext_lazy("section", "Approval"), "review:approvals", frozenset({"approver"})),
    Section(pgettext_lazy("section", "Board"), "review:board", frozenset({"manager"})),
    Section(pgettext_lazy("section", "Catalog"), "catalog:list", frozenset(), public=True),
    Section(pgettext_lazy("section", "Your company"), "accounts:company", frozenset({"client"})),
    Section(pgettext_lazy("section", "People"), "accounts:people", frozenset({"administrator"})),
    Section(
        pgettext_lazy("section", "Calendar"), "worktime:calendar", frozenset({"administrator"})
    ),
)


def sections_for(roles: Collection[str], path: str) -> list[NavItem]:
    """The sections that these roles see, with the one that `path` lies in marked."""
    seen = [s for s in SECTIONS if s.public or not s.roles.isdisjoint(roles)]
    items = []
    for section in seen:
        url = reverse(section.view)
        current = any(path.startswith(prefix) for prefix in (url, *section.also))
        items.append(NavItem(label=str(section.label), url=url, current=current))
    return items
