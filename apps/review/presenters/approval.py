"""The approver's page: obstacles, what the engineer changed, the document, the decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import User
from apps.documents.selectors import document_runs
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.outcomes import Refusal
from apps.requisitions.workflow import Action, State
from apps.review.checks import checks_of, split
from apps.review.dossier import Dossier, dossier_of
from apps.review.forms import DecisionForm
from apps.review.presenters.actions import own_work_reason
from apps.review.presenters.answers import answer_sheet, override_view
from apps.review.presenters.changes import changes_of, next_letter
from apps.review.presenters.decisions import decision_rows
from apps.review.presenters.documents import DocumentRow, document_rows
from apps.review.presenters.estimates import summary_items
from apps.review.presenters.questions import rows_with_figures
from apps.review.selectors import current_drafts, final_documents


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPanel:
    """Drafts of the facts as they are now. `sha256` is that of the page's language."""

    rows: tuple[DocumentRow, ...]
    waiting: bool
    ready: bool
    sha256: str


def draft_panel(revision: Revision) -> DraftPanel:
    drafts = current_drafts(revision)
    rows = tuple(document_rows(document_runs(drafts)))
    language = translation.get_language() or settings.LANGUAGE_CODE
    shown = next((d for d in drafts if d.language == language), None)
    return DraftPanel(
        rows=rows,
        waiting=any(row.waiting for row in rows),
        ready=bool(drafts) and all(draft.is_ready for draft in drafts),
        sha256=shown.sha256 if shown else "",
    )


def approval_page(user: User, revision: Revision, form: DecisionForm | None) -> dict[str, Any]:
    dossier = dossier_of(revision)
    open_now = revision.state == State.IN_APPROVAL
    # Before and after the decision the conditions are nobody's question here.
    stops, notices, done = split(checks_of(dossier, user) if open_now else [])
    drafts = draft_panel(revision)
    refusal = _refusal(user, dossier, len(stops), drafts) if open_now else ""
    return {
        "title": _title(revision, len(stops), refusal),
        "stops": stops,
        "notices": notices,
        "done": done,
        "changes": [override_view(dossier, o) for o in dossier.overrides],
        "answer_count": answer_sheet(dossier).answer_count,
        "decisions": decision_rows(revision.decisions.select_related("by")),
        "drafts": drafts,
        "finals": document_rows(document_runs(final_documents(revision))),
        "open_now": open_now,
        "may_return": policy.can(user, Action.RETURN, revision),
        "may_reject": policy.can(user, Action.REJECT, revision),
        "refusal": refusal,
        "questions": rows_with_figures(dossier),
        "summary": summary_items(dossier),
        "since": changes_of(revision),
        "next_letter": next_letter(revision),
        "comment": form.data.get("comment", "") if form else "",
        "comment_error": _error(form, "comment"),
        "refusals": [
            {
                "value": value,
                "label": label,
                "chosen": form is not None and value == form.data.get("refusal"),
            }
            for value, label in Refusal.choices
        ],
        "refusal_error": _error(form, "refusal"),
    }


def _error(form: DecisionForm | None, name: str) -> str:
    return str(form.errors[name][0]) if form and name in form.errors else ""


def _title(revision: Revision, stop_count: int, refusal: str) -> str:
    """The conclusion is the heading."""
    if revision.state != State.IN_APPROVAL:
        return str(State(revision.state).label)
    if stop_count:
        return ngettext(
            "It cannot be approved: %(count)s obstacle",
            "It cannot be approved: %(count)s obstacles",
            stop_count,
        ) % {"count": stop_count}
    return (
        _("Not yours to approve")
        if refusal == own_work_reason()
        else _("No obstacles: ready for a decision")
    )


def _refusal(user: User, dossier: Dossier, stop_count: int, drafts: DraftPanel) -> str:
    """Why approving is not possible, said before the click; "" when it is."""
    if not policy.may_ever(user, Action.APPROVE, dossier.revision):
        return own_work_reason()
    if stop_count:
        return ngettext(
            "First remove %(count)s obstacle.", "First remove %(count)s obstacles.", stop_count
        ) % {"count": stop_count}
    if not drafts.rows:
        return _("The facts changed after the draft was made. Have it made again first.")
    if not drafts.ready:
        return _("The draft document is not made yet.")
    return ""
