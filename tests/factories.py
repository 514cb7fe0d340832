"""Valid-by-default rows; a test names only what matters to it."""

import itertools
from typing import Any

from apps.accounts.models import Company, Role, User
from apps.accounts.services import user_create
from apps.requisitions.models import Revision
from apps.requisitions.services import requisition_create, revision_submit
from apps.requisitions.workflow import State

_serial = itertools.count(1)

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
    revision.refresh_from_db()
    return revision
