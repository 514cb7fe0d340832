"""Beginning with what is written already: a request in words, a specification, settings, a draft."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.models import User
from apps.configs.errors import ConfigError
from apps.core.errors import DomainError
from apps.intake import services
from apps.intake.access import person, signed_in
from apps.intake.clashes import clashed_names
from apps.intake.configs import config_of
from apps.intake.draft_files import is_draft_file, read_draft_file
from apps.intake.earlier import earlier_for, earlier_get_for
from apps.intake.gate import GATE_SECTION
from apps.intake.navigation import section_url
from apps.intake.posted import read_answer, version_of
from apps.intake.selectors import Draft, draft_of
from apps.intake.taking import Confirmed, draft_restore, earlier_take, words_take
from apps.intake.tasklist import gate_is_open
from apps.intake.views.common import with_draft
from apps.intake.words import heard_in, heard_rows, pieces_of, text_in
from apps.phrases.found import Found
from apps.phrases.papers import is_paper, text_of
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.answers import read_answer as understand
from apps.questionnaire.sections import QUESTIONS, SECTION_OF
from apps.requisitions import services as requisitions
from apps.requisitions.models import Attachment
from apps.requisitions.selectors import attachment_get_for
from apps.requisitions.services.answers import MAX_FILE_BYTES

PASTED_NAME: Final = "request.txt"
_MOST_NAMED: Final = 10


@require_http_methods(["GET", "POST"])
@signed_in
def new_written(request: HttpRequest) -> HttpResponse:
    """A new requisition out of a text or a file; nothing of it is an answer until confirmed."""
    actor = person(request)
    services.check_can_start(actor)
    if request.method == "POST":
        name, content = _sent(request)
        if content:
            return _begin(request, actor, name, content)
        messages.error(request, _("Paste a text or choose a file first."))
    return render(request, "intake/written.html", {"earlier": earlier_for(actor)})


def _begin(request: HttpRequest, actor: User, name: str, content: bytes) -> HttpResponse:
    try:
        if is_draft_file(content):
            return _restore(request, actor, content)
        _check_readable(name, content)
    except DomainError as problem:
        messages.error(request, problem.message)
        text = request.POST.get("text", "")
        return render(request, "intake/written.html", {"earlier": earlier_for(actor), "text": text})
    return _keep(request, services.requisition_start(actor=actor), name, content)


def _check_readable(name: str, content: bytes) -> None:
    """A paper is read before a requisition is made for it."""
    if is_paper(name) or content[:4] in (b"PK\x03\x04", b"%PDF"):
        text_of(name, content)


def _restore(request: HttpRequest, actor: User, content: bytes) -> HttpResponse:
    file = read_draft_file(content)
    draft = draft_restore(file=file, actor=actor)
    count = len(file.answers)
    taken = ngettext(
        "%(count)s answer is restored from the file.",
        "%(count)s answers are restored from the file.",
        count,
    )
    messages.success(request, taken % {"count": count})
    if file.left_out:
        text = _("This version does not ask for these, so they are left out: %(names)s.")
        messages.warning(request, text % {"names": ", ".join(file.left_out[:_MOST_NAMED])})
    return redirect("intake:hub", draft.requisition.pk)


@require_http_methods(["GET", "POST"])
@with_draft
def written(request: HttpRequest, draft: Draft) -> HttpResponse:
    """The same for a requisition that is being filled in."""
    if request.method == "POST":
        name, content = _sent(request)
        try:
            if content:
                _check_readable(name, content)
                return _keep(request, draft, name, content)
            messages.error(request, _("Paste a text or choose a file first."))
        except DomainError as problem:
            messages.error(request, problem.message)
    return render(
        request, "intake/written.html", {"draft": draft, "text": request.POST.get("text", "")}
    )


def _sent(request: HttpRequest) -> tuple[str, bytes]:
    """The chosen file, or the pasted text as one."""
    uploaded: UploadedFile[bytes] | None = request.FILES.get("file")
    if uploaded:
        # Never read more than may be kept: the size is known before the content.
        return uploaded.name or PASTED_NAME, uploaded.read(MAX_FILE_BYTES + 1)
    return PASTED_NAME, request.POST.get("text", "").strip().encode("utf-8", "replace")


def _keep(request: HttpRequest, draft: Draft, name: str, content: bytes) -> HttpResponse:
    """Keep it as a file of the requisition, then show what it says."""
    paper = is_paper(name) or content[:4] == b"PK\x03\x04"
    attachment = requisitions.attachment_add(
        requisition=draft.requisition,
        revision=draft.revision,
        name=name,
        kind=Attachment.Kind.SPECIFICATION if paper else Attachment.Kind.SETTINGS,
        content=content,
        actor=person(request),
    )
    page = "intake:heard" if paper else "intake:fill"
    return redirect(page, draft.requisition.pk, attachment.pk)


@require_http_methods(["GET", "POST"])
@with_draft
def heard(request: HttpRequest, draft: Draft, *, attachment_id: UUID) -> HttpResponse:
    """What an attached paper says, each answer to be confirmed, changed or dropped."""
    attachment = attachment_get_for(person(request), attachment_id)
    if attachment.requisition_id != draft.requisition.pk:
        raise Http404
    try:
        text = text_in(attachment)
    except DomainError as problem:
        messages.error(request, problem.message)
        return redirect("intake:files", draft.requisition.pk)
    found = heard_in(text)
    typed = None
    if request.method == "POST":
        typed = _ticked(request, found)
        if not _unreadable(typed):
            return _take(request, draft, found, typed)
    context = {
        "draft": draft,
        "file": attachment,
        "rows": heard_rows(draft, found, typed=typed),
        "pieces": pieces_of(text, found),
        "agree": len(found) - len(heard_rows(draft, found, typed=typed)),
        "is_config": not found and _is_config(attachment),
        "problems": [
            {"anchor": f"w-{key}", "message": f"{QUESTIONS[key].name}: {message}"}
            for key, message in _unreadable(typed or {}).items()
        ],
    }
    status = 422 if context["problems"] else 200
    return render(request, "intake/heard.html", context, status=status)


def _is_config(attachment: Attachment) -> bool:
    """Whether what was pasted are settings of a training rather than sentences."""
    try:
        return bool(config_of(attachment).found.stated)
    except ConfigError:
        return False


def _ticked(request: HttpRequest, found: tuple[Found, ...]) -> dict[str, str]:
    """The ticked questions with the value that stands beside each."""
    ticked = set(request.POST.getlist("take"))
    keys = (one.key for one in found if one.key in ticked)
    return {key: read_answer(request.POST, QUESTIONS[key]).text for key in keys}


def _unreadable(typed: dict[str, str]) -> dict[str, str]:
    read = {key: understand(QUESTIONS[key], RawAnswer(value)) for key, value in typed.items()}
    return {key: str(answer.error) for key, answer in read.items() if answer.error}


def _take(
    request: HttpRequest, draft: Draft, found: tuple[Found, ...], typed: dict[str, str]
) -> HttpResponse:
    confirmed = {
        key: Confirmed(value, version_of(request.POST, key, draft))
        for key, value in typed.items()
        if value.strip()
    }
    outcome = words_take(draft=draft, found=found, confirmed=confirmed, actor=person(request))
    count = len(outcome.versions)
    taken = ngettext(
        "%(count)s answer is taken from the text.",
        "%(count)s answers are taken from the text.",
        count,
    )
    messages.success(request, taken % {"count": count})
    if outcome.clashes:
        names = clashed_names(outcome.clashes)
        text = _("Somebody else has answered meanwhile, so this was not taken: %(names)s.")
        messages.warning(request, text % {"names": names})
    return _onward(draft_of(draft.revision))


def _onward(draft: Draft) -> HttpResponse:
    """To the advice of the gate, to the goal while it is open, else to the sections."""
    if not gate_is_open(draft):
        return HttpResponseRedirect(section_url(draft.requisition.pk, SECTION_OF["purpose"]))
    page = "intake:gate" if draft.evaluated.gate.advised else "intake:hub"
    return redirect(page, draft.requisition.pk)


@require_POST
@signed_in
def new_from_earlier(request: HttpRequest, requisition_id: UUID) -> HttpResponse:
    """Begin with the answers of an earlier requisition of the same company."""
    actor = person(request)
    earlier = earlier_get_for(actor, requisition_id)
    draft = earlier_take(earlier=earlier, actor=actor)
    text = _("The answers of requisition %(number)s are taken over. Look through what has changed.")
    messages.success(request, text % {"number": earlier.requisition.display_number})
    return redirect("intake:section", draft.requisition.pk, GATE_SECTION)
