"""The page of a pilot, its files, and what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts.access import person
from apps.accounts.models import User
from apps.core.downloads import file_to_keep
from apps.core.errors import Conflict, DomainError
from apps.core.spreadsheets import csv_text
from apps.pilots import policy, services
from apps.pilots.acceptance import acceptance_of
from apps.pilots.carrying import answers_of
from apps.pilots.forms import RecordForm, UploadForm
from apps.pilots.judging import counts_for_calibration, no_gain, values_of
from apps.pilots.kit import kit_of
from apps.pilots.models import PilotRun
from apps.pilots.presenters import run_views, stop_words
from apps.pilots.protocol import csv_rows, protocol_of
from apps.pilots.records import read_file
from apps.pilots.selectors import facts_of, piloted_revision_for, run_get, runs_of
from apps.pilots.table import fields_of
from apps.questionnaire.answers import RawAnswer, read_answer
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.summary import display_value
from apps.requisitions.models import Revision
from apps.requisitions.policy import is_client_of


@require_GET
@login_required
def pilot(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """The protocol, the files to take, the runs beside the estimate, and what they decide."""
    user = person(request)
    revision = piloted_revision_for(user, revision_id)
    key = request.GET.get("variant", "")
    facts = facts_of(revision, key)
    runs = list(runs_of(revision))
    with_figures = policy.sees_figures(user, revision)
    stopped = no_gain(runs)
    context = {
        "revision": revision,
        "back": _way_back(user, revision),
        "protocol": protocol_of(facts, with_figures=with_figures) if facts else None,
        "with_figures": with_figures,
        "variant": facts["variant"] if facts else "",
        "runs": run_views(runs, with_figures=with_figures),
        "stop": stop_words(stopped) if stopped else "",
        "acceptance": acceptance_of(facts) if facts and with_figures else (),
        "may_enter": facts is not None and policy.may_enter(user, revision),
        "may_carry": policy.may_carry(user, revision),
    }
    return render(request, "pilots/pilot.html", context)


def _way_back(user: User, revision: Revision) -> str:
    if is_client_of(user, revision.requisition):
        return reverse("intake:status", args=[revision.requisition_id])
    return reverse("review:workspace", args=[revision.pk])


def _facts(revision: Revision, key: str = "") -> dict[str, Any]:
    facts = facts_of(revision, key)
    if facts is None:
        raise Conflict(_("No variant is worked out here, so there is nothing to measure yet."))
    return facts


def _shown_facts(request: HttpRequest, revision_id: UUID) -> tuple[Revision, dict[str, Any]]:
    """For files that name the hardware and its figures."""
    user = person(request)
    revision = piloted_revision_for(user, revision_id)
    if not policy.sees_figures(user, revision):
        raise Http404
    return revision, _facts(revision, request.GET.get("variant", ""))


@require_GET
@login_required
def protocol_csv(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """One table for every supplier."""
    revision, facts = _shown_facts(request, revision_id)
    return _file(csv_text(csv_rows(facts)).encode(), "text/csv; charset=utf-8", revision, "csv")


@require_GET
@login_required
def kit(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """What runs the protocol: a launch configuration and a probe that writes the result."""
    revision, facts = _shown_facts(request, revision_id)
    return _file(kit_of(facts), "application/zip", revision, "zip")


def _file(content: bytes, kind: str, revision: Revision, suffix: str) -> HttpResponse:
    what = _("pilot")
    name = f"{revision.requisition.display_number}-{revision.letter}-{what}.{suffix}"
    return file_to_keep(content, kind, name)


def _writable(request: HttpRequest, revision_id: UUID) -> Revision:
    revision = piloted_revision_for(person(request), revision_id)
    if not policy.may_enter(person(request), revision):
        raise Http404
    return revision


@require_http_methods(["GET", "POST"])
@login_required
def enter(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """A new record; the form begins with the protocol's own workload."""
    revision = _writable(request, revision_id)
    facts = _facts(revision, request.GET.get("variant", ""))
    return _record(request, revision, facts, None, _beginning(request, revision, facts))


@require_http_methods(["GET", "POST"])
@login_required
def change(request: HttpRequest, revision_id: UUID, run_id: UUID) -> HttpResponse:
    revision = _writable(request, revision_id)
    run = run_get(revision, run_id)
    if run.state == PilotRun.State.CLOSED:
        raise Conflict(_("This pilot is closed: its record cannot change any more."))
    return _record(request, revision, run.record["facts"], run, values_of(run))


def _beginning(
    request: HttpRequest, revision: Revision, facts: Mapping[str, Any]
) -> dict[str, Any]:
    workload, place = facts["workload"], facts["place"]
    values = {"model": workload["model"]}
    values |= {f"parameters.{name}": value for name, value in workload["parameters"].items()}
    values |= {f"steps.{name}": value for name, value in workload["steps"].items()}
    if policy.sees_figures(person(request), revision):
        for name in ("accelerator", "gpus", "nodes", "layout"):
            values[f"place.{name}"] = place[name]
    return values


def _record(
    request: HttpRequest,
    revision: Revision,
    facts: Mapping[str, Any],
    run: PilotRun | None,
    values: Mapping[str, Any],
) -> HttpResponse:
    form = RecordForm(request.POST or None, fields=fields_of(facts), values=values)
    if form.is_valid():
        version = request.POST.get("expected_version", "")
        saved = services.pilot_save(
            revision=revision,
            facts=facts,
            values=form.values(),
            origin=run.origin if run else PilotRun.Origin.FORM,
            actor=person(request),
            run=run,
            expected_version=int(version) if version.isdigit() else None,
        )
        return _saved(request, saved)
    context = {"revision": revision, "run": run, "form": form}
    status = 422 if form.errors else 200
    return render(request, "pilots/enter.html", context, status=status)


def _saved(request: HttpRequest, run: PilotRun) -> HttpResponse:
    if run.state == PilotRun.State.DRAFT:
        messages.warning(request, _("Kept as a draft: the page says what is missing."))
    else:
        messages.success(request, _("The pilot is written down."))
    return redirect("pilots:pilot", run.revision_id)


@require_POST
@login_required
def upload(request: HttpRequest, revision_id: UUID) -> HttpResponse:
    """The result of the kit, as a file or pasted."""
    revision = _writable(request, revision_id)
    facts = _facts(revision, request.GET.get("variant", ""))
    form = UploadForm(request.POST, request.FILES)
    content = form.content() if form.is_valid() else b""
    if not content:
        raise DomainError(_("Choose the file of the kit, or paste its text."))
    found = read_file(content, fields_of(facts))
    if not found.values:
        raise DomainError(_("There is no figure of the protocol in this file."))
    run = services.pilot_save(
        revision=revision,
        facts=facts,
        values=found.values,
        origin=PilotRun.Origin.FILE,
        actor=person(request),
    )
    if found.refused:
        text = _("Left out, for it cannot be so: %(names)s.") % {"names": ", ".join(found.refused)}
        messages.warning(request, text)
    return _saved(request, run)


@require_POST
@login_required
def close(request: HttpRequest, revision_id: UUID, run_id: UUID) -> HttpResponse:
    revision = _writable(request, revision_id)
    services.pilot_close(run=run_get(revision, run_id), actor=person(request))
    messages.success(request, _("The pilot is closed."))
    return redirect("pilots:pilot", revision.pk)


@require_http_methods(["GET", "POST"])
@login_required
def carry(request: HttpRequest, revision_id: UUID, run_id: UUID) -> HttpResponse:
    """What the next letter would say of the run, then that letter."""
    user = person(request)
    revision = piloted_revision_for(user, revision_id)
    if not policy.may_carry(user, revision):
        raise Http404
    run = run_get(revision, run_id)
    if not counts_for_calibration(run):
        raise Conflict(_("This run is incomplete or of another workload: it moves no estimate."))
    if request.method == "POST":
        draft = services.pilot_carry(run=run, actor=user)
        text = _("Revision %(letter)s is open with the measured run. Check it and send it.")
        messages.success(request, text % {"letter": draft.letter})
        return redirect("intake:check", draft.requisition_id)
    told = ((QUESTIONS[key], text) for key, text in answers_of(run).items() if text)
    answers = [(q.name, display_value(read_answer(q, RawAnswer(text)))) for q, text in told]
    context = {"revision": revision, "run": run, "answers": answers}
    return render(request, "pilots/carry.html", context)
