"""Answering the engineer's values: accept or decline, one press each."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.core.errors import DomainError
from apps.intake.access import person, signed_in
from apps.intake.selectors import client_requisition_for
from apps.requisitions import services as requisitions
from apps.requisitions.models import Override

WORDS_CHARS = 1000


class ReplyForm(forms.Form):
    """The client's answer to one value, with words if they like."""

    answer = forms.ChoiceField(choices=[("accept", ""), ("decline", "")])
    words = forms.CharField(max_length=WORDS_CHARS, required=False)


@require_POST
@signed_in
def reply(request: HttpRequest, requisition_id: UUID, override_id: UUID) -> HttpResponse:
    user = person(request)
    requisition = client_requisition_for(user, requisition_id)
    override = Override.objects.filter(
        pk=override_id, revision__requisition=requisition
    ).select_related("revision__requisition")
    found = override.first()
    if found is None:
        raise Http404
    form = ReplyForm(request.POST)
    if not form.is_valid():
        raise DomainError(_("The form was not complete. Go back and try again."))
    accepted = form.cleaned_data["answer"] == "accept"
    requisitions.value_reply(
        revision=found.revision,
        override_id=override_id,
        actor=user,
        accepted=accepted,
        words=form.cleaned_data["words"],
    )
    messages.success(
        request,
        _("You have accepted the value.")
        if accepted
        else _("The engineer is told that you do not accept the value."),
    )
    page = reverse("intake:status", args=[requisition_id])
    return redirect(f"{page}?letter={found.revision.letter}#values")
