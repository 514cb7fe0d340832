"""Sending a client the link to their requisition once more."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts import throttle
from apps.accounts.models import Role, User
from apps.audit import services as audit
from apps.core.errors import DomainError, NotAllowed
from apps.notices.services import announce
from apps.requisitions.announcements import client_side, page_of, params_of
from apps.requisitions.models import Revision

LINKS: Final = throttle.Limit("client-link", 3, timedelta(hours=1))


@transaction.atomic
def link_send_again(*, revision: Revision, actor: User) -> list[User]:
    """Write the people of the client where their requisition is. Returns who is written to.

    Raises:
        NotAllowed: the person is no manager.
        DomainError: nobody of the client can be reached, or there were enough letters.
    """
    if not actor.is_active or not actor.has_role(Role.MANAGER):
        raise NotAllowed(_("Your role does not allow this step."))
    people = list({p.pk: p for p in client_side(revision) if p.is_active}.values())
    if not people:
        raise DomainError(_("The client has no account yet: the invitation leads to the page."))
    key = LINKS.key(str(revision.requisition_id))
    if throttle.is_blocked(LINKS, key) or not throttle.may_send_letter(actor.pk):
        raise DomainError(_("The link was sent several times already. Wait an hour."))
    throttle.record(key)
    for person in people:
        announce(
            event="link-again",
            recipients=[person],
            actor=actor,
            subject=revision,
            params=params_of(revision),
            path=page_of(person, revision),
            by_mail=True,
            occurrence=timezone.now().isoformat(),
        )
    audit.record(actor=actor, action="requisition.link", subject=revision)
    return people
