"""Conditions about what engineers and clients said of the figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from apps.accounts.models import User
from apps.core.formatting import number
from apps.estimation.presenters import VariantView
from apps.estimation.texts import field_label
from apps.requisitions.services import reply_of
from apps.review.check import Check, Rule
from apps.review.dossier import Dossier
from apps.review.presenters.variant_page import lost_count

# The grade of a figure that no measurement and few answers stand behind.
_WEAKEST: Final = "D"


def own_words(view: VariantView) -> Iterator[str]:
    """Everything about a variant that an engineer wrote and a client will read."""
    for lines in (*view.own.values(), view.hidden, (view.pick,) if view.pick else ()):
        yield from (line.text for line in lines)
    if view.part:
        yield from (view.part.says, view.part.number)


def _lost(dossier: Dossier, user: User) -> Iterator[Check]:
    """Lines of the engineer that no variant carries any more are not left out unseen."""
    count = lost_count(dossier)
    if count:
        text = ngettext(
            "%(count)s line of yours does not apply to the variants any more.",
            "%(count)s lines of yours do not apply to the variants any more.",
            count,
        )
        yield Check(
            key="lost-lines",
            state="tight",
            text=text % {"count": number(count)},
            sub=_("The calculation has changed under it; it is not in the document."),
            href=reverse("review:variants", args=[dossier.revision.pk]),
            link=_("Variants"),
        )


def _declined(dossier: Dossier, user: User) -> Iterator[Check]:
    """A value that the client declined stands in the document as declined."""
    for override in dossier.overrides:
        reply = reply_of(override)
        if reply is None or reply.accepted:
            continue
        yield Check(
            key="declined",
            state="tight",
            text=_("The client declined your value: %(field)s.")
            % {"field": field_label(override.field)},
            sub=reply.words or _("Without a word why."),
            href=reverse("review:workspace", args=[dossier.revision.pk])
            + f"?set={override.field}#set",
            link=pgettext("check", "See"),
        )


def _confidence(dossier: Dossier, user: User) -> Iterator[Check]:
    if dossier.result is not None and dossier.result.get("confidence") == _WEAKEST:
        yield Check(
            key="confidence",
            state="tight",
            text=_("The confidence of the assessment is the lowest, D."),
            sub=_("The document says so; answers or a measured run would raise it."),
            href=reverse("review:ask", args=[dossier.revision.pk]),
            link=_("Ask the client"),
        )


def _single(dossier: Dossier, user: User) -> Iterator[Check]:
    """One experiment seldom is: what is bought for one run stands idle or does not suffice."""
    planned = dossier.evaluated.effective.get("experiments")
    if planned == 1:
        yield Check(
            key="single-experiment",
            state="tight",
            text=_("Only one experiment is planned."),
            sub=_("A run that has to be repeated takes the time of another."),
        )


VARIANT_RULES: Final[tuple[Rule, ...]] = (_lost, _declined, _confidence, _single)
