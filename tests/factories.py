"""Valid-by-default rows; a test names only what matters to it."""

import itertools
from datetime import timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.utils import timezone

from apps.accounts.models import Company, EmailChange, Invitation, Role, SignUp, User
from apps.accounts.services import user_create
from apps.catalog.models import Item, Proposal
from apps.catalog.proposals import Correction, proposal_make
from apps.requisitions.models import Revision
from apps.requisitions.services import requisition_create, revision_submit
from apps.requisitions.workflow import State

_serial = itertools.count(1)

OVER = {State.APPROVED, State.REJECTED, State.REDIRECTED, State.WITHDRAWN}

ANSWERS: dict[str, dict[str, Any]] = {
    "lora_rank": {
        "value": "",
        "unknown": True,
        "who": "Анна",
        "when": "4 декабря",
        "provenance": "client",
        "note": "",
    },
}


def make_company(**overrides: Any) -> Company:
    return Company.objects.create(**{"name": f"Company {next(_serial)}"} | overrides)


def make_user(*roles: Role, company: Company | None = None, **overrides: Any) -> User:
    serial = next(_serial)
    defaults: dict[str, Any] = {
        "email": f"person{serial}@test.example",
        "full_name": f"Person {serial}",
        "password": "long-enough-password",
        "roles": roles or (Role.CLIENT,),
        "company": company,
    }
    return user_create(**defaults | overrides)


def make_client(**overrides: Any) -> User:
    return make_user(
        Role.CLIENT, company=overrides.pop("company", None) or make_company(), **overrides
    )


def make_draft(owner: User | None = None) -> Revision:
    owner = owner or make_client()
    assert owner.company is not None
    return requisition_create(company=owner.company, owner=owner, actor=owner)


def make_submitted(owner: User | None = None, **overrides: Any) -> Revision:
    """A revision in `estimating`, without a calculation."""
    draft = make_draft(owner)
    values = {"effective": ANSWERS, "title": "LoRA, Llama-3.1-8B"} | overrides
    return revision_submit(revision=draft, actor=draft.requisition.owner, **values)


def make_in_state(state: State, owner: User | None = None) -> Revision:
    """A submitted revision put into `state` without the steps between."""
    revision = make_submitted(owner)
    Revision.objects.filter(pk=revision.pk).update(state=state)
    if state in OVER:
        revision.requisition.clocks.update(stopped_at=timezone.now())
    revision.refresh_from_db()
    return revision


def make_sign_up(**overrides: Any) -> SignUp:
    """One that waits for its confirmation."""
    serial = next(_serial)
    password = make_password(overrides.pop("password", "long-enough-password"))
    defaults = {
        "email": f"new{serial}@test.example",
        "full_name": f"New {serial}",
        "company_name": f"Company {serial}",
        "language": "ru",
        "expires_at": timezone.now() + timedelta(days=1),
    }
    return SignUp.objects.create(**defaults | overrides, password=password)


def make_invitation(inviter: User | None = None, **overrides: Any) -> Invitation:
    """Open, into the inviter's company."""
    inviter = inviter or make_client()
    defaults: dict[str, Any] = {
        "company": inviter.company,
        "email": f"invited{next(_serial)}@test.example",
        "roles": [Role.CLIENT.value],
        "language": "ru",
        "invited_by": inviter,
        "expires_at": timezone.now() + timedelta(days=1),
    }
    return Invitation.objects.create(**defaults | overrides)


def make_email_change(person: User, **overrides: Any) -> EmailChange:
    defaults: dict[str, Any] = {
        "email": f"other{next(_serial)}@test.example",
        "old_email": person.email,
        "expires_at": timezone.now() + timedelta(days=1),
    }
    return EmailChange.objects.create(user=person, **defaults | overrides)


def make_proposal(actor: User | None = None, **overrides: Any) -> Proposal:
    """An open one about a server of the catalog, which has to be loaded."""
    values = {
        "key": "depth_mm",
        "value": "800",
        "source": "Measured on the spot",
        "source_ref": "",
        "as_of": timezone.localdate(),
        "confidence": "measurement",
        "reason": "The rails are longer than the data sheet says",
    } | overrides
    return proposal_make(
        item=Item.objects.get(slug="SYS-521GE-TNRT"),
        correction=Correction(**values),
        actor=actor or make_user(Role.ENGINEER),
    )
