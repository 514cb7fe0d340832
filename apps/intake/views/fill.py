"""Answers out of attached settings: what they say, taking it over, putting back what was there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from apps.configs.errors import ConfigError
from apps.intake import services
from apps.intake.access import person
from apps.intake.clashes import clashed_names
from apps.intake.configs import ReadConfig, asked_rows, fill_rows, offered_rows, run_of
from apps.intake.navigation import section_url
from apps.intake.posted import version_of
from apps.intake.selectors import Draft
from apps.intake.views.common import with_draft
from apps.phrases.papers import is_paper
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.sections import SECTION_OF
from apps.requisitions.selectors import attachment_get_for

# What was taken last and what stood there before, for as long as the person is signed in.
TAKEN: Final = "taken_from_file"
_RECIPE: Final = SECTION_OF["measured_run"]


@require_http_methods(["GET", "POST"])
@with_draft
def fill(request: HttpRequest, draft: Draft, *, attachment_id: UUID) -> HttpResponse:
    """What an attached configuration states, and taking it over."""
    attachment = attachment_get_for(person(request), attachment_id)
    if attachment.requisition_id != draft.requisition.pk:
        raise Http404
    try:
        config = run_of(attachment)
    except ConfigError as problem:
        if is_paper(attachment.name):
            return redirect("intake:heard", draft.requisition.pk, attachment.pk)
        messages.error(request, problem.message)
        return redirect("intake:files", draft.requisition.pk)
    if request.method == "POST":
        return _take(request, draft, config)
    context = {
        "draft": draft,
        "file": attachment,
        "config": config,
        "rows": fill_rows(draft, config),
        "offered": offered_rows(draft, config),
        "asked": asked_rows(draft, config),
    }
    return render(request, "intake/fill.html", context)


def _take(request: HttpRequest, draft: Draft, config: ReadConfig) -> HttpResponse:
    keys = [key for key in request.POST.getlist("take") if key in config.found.stated]
    versions = {key: version_of(request.POST, key, draft) for key in keys}
    outcome = services.config_take(
        draft=draft, config=config, versions=versions, actor=person(request)
    )
    _remember(request, draft, {key: outcome.versions[key] for key in outcome.written})
    if config.of_a_run or not outcome.written:  # else the list of sections says it, with the undo
        taken = ngettext(
            "%(count)s answer is taken from the file.",
            "%(count)s answers are taken from the file.",
            len(outcome.versions),
        )
        messages.success(request, taken % {"count": len(outcome.versions)})
    if outcome.clashes:
        names = clashed_names(outcome.clashes)
        text = _("Somebody else has answered meanwhile, so this was not taken: %(names)s.")
        messages.warning(request, text % {"names": names})
    if config.of_a_run:
        return HttpResponseRedirect(section_url(draft.requisition.pk, _RECIPE, page="figures"))
    return redirect("intake:hub", draft.requisition.pk)


def _remember(request: HttpRequest, draft: Draft, written: Mapping[str, int]) -> None:
    before = {
        key: {"version": version, "answer": draft.raw.get(key, RawAnswer()).as_dict()}
        for key, version in written.items()
    }
    if before:
        request.session[TAKEN] = {"requisition": str(draft.requisition.pk), "before": before}


@require_POST
@with_draft
def put_back(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Undo the last taking; what somebody has changed since stays as it is now."""
    taken: dict[str, Any] = request.session.pop(TAKEN, {})
    if taken.get("requisition") != str(draft.requisition.pk):
        messages.error(request, _("There is nothing to undo any more."))
        return redirect("intake:hub", draft.requisition.pk)
    before = {
        key: (RawAnswer.from_dict(kept["answer"]), int(kept["version"]))
        for key, kept in taken["before"].items()
    }
    outcome = services.answers_put_back(draft=draft, before=before, actor=person(request))
    messages.success(request, _("The answers are as they were before the file."))
    if outcome.clashes:
        names = clashed_names(outcome.clashes)
        text = _("These were changed meanwhile and are left alone: %(names)s.")
        messages.warning(request, text % {"names": names})
    return redirect("intake:hub", draft.requisition.pk)
