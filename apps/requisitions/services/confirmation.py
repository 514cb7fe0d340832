"""A manager's draft for a client: handed over to be confirmed, taken back, sent on their behalf."""

from __future__ import annotations

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.accounts.services import contact_create, invitations_lead_home
from apps.audit import services as audit
from apps.core.errors import Conflict
from apps.requisitions import policy
from apps.requisitions.announcements import announce_confirmation_asked
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State


@transaction.atomic
def confirmation_ask(*, revision: Revision, actor: User) -> None:
    """Ask the client to check and send what the manager has filled in.

    From here on only the client's people change it. A contact without an account gets the
    invitation once more; it says what waits, and accepting leads there.

    Raises:
        Conflict: it was sent, handed over or taken up by the client meanwhile.
    """
    if not policy.may(actor, policy.Deed.ASK_CONFIRMATION, revision):
        raise Conflict(_("This draft cannot be handed over to the client now."))
    now = timezone.now()
    drafts = Revision.objects.filter(pk=revision.pk, state=State.DRAFT)
    if not drafts.filter(confirmation_asked_at__isnull=True).update(confirmation_asked_at=now):
        raise Conflict(_("This draft cannot be handed over to the client now."))
    revision.confirmation_asked_at = now
    owner = revision.requisition.owner
    audit.record(
        actor=actor, action="requisition.ask-confirmation", subject=revision, client=str(owner)
    )
    if owner.confirmed_at is None:
        contact_create(
            company=revision.requisition.company,
            email=owner.email,
            full_name=owner.full_name,
            next_path=reverse("intake:check", args=[revision.requisition_id]),
            actor=actor,
        )
    announce_confirmation_asked(revision=revision, actor=actor)


@transaction.atomic
def confirmation_take_back(*, revision: Revision, actor: User) -> None:
    """Take a draft back from the client, to go on filling it in.

    Raises:
        Conflict: the client has sent it, or it is not with them.
    """
    if not policy.may(actor, policy.Deed.TAKE_BACK, revision):
        raise Conflict(_("This draft is not with the client."))
    drafts = Revision.objects.filter(pk=revision.pk, state=State.DRAFT)
    if not drafts.filter(confirmation_asked_at__isnull=False).update(confirmation_asked_at=None):
        raise Conflict(_("This draft is not with the client."))
    revision.confirmation_asked_at = None
    invitations_lead_home(person=revision.requisition.owner)
    audit.record(actor=actor, action="requisition.take-back", subject=revision)


def record_on_behalf(*, revision: Revision, actor: User) -> None:
    """Put on record that a manager had a hand in what was sent, and whose word it is."""
    if revision.on_behalf_of is not None:
        client = str(revision.on_behalf_of)
        audit.record(actor=actor, action="requisition.on-behalf", subject=revision, client=client)
    elif revision.prepared_by is not None:
        manager = str(revision.prepared_by)
        audit.record(actor=actor, action="requisition.confirm", subject=revision, manager=manager)
