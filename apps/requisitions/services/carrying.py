"""Taking the engineers' values along when the client sends the next letter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from apps.accounts.models import User
from apps.audit import services as audit
from apps.questionnaire.bank.measured import FIGURES, REST, WHERE
from apps.questionnaire.to_task import TASK_FIELDS
from apps.requisitions.models import Override, OverrideReply, Recheck, Revision
from apps.requisitions.selectors import raw_answers

_MODEL: Final = ("model_source", "model_name")
# Answers that decide about a field beside the one that asks for it.
_BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "recipe.lora_targets": ("lora_target_list",),
    "measured.counted": tuple(question.key for question in (*WHERE, *FIGURES, REST)),
}


def answers_behind(field: str) -> tuple[str, ...]:
    """Questions whose answers a value of this task field stands beside."""
    own = (TASK_FIELDS[field],) if field in TASK_FIELDS else ()
    named = _MODEL if field.startswith("model.") else ()
    return (*own, *_BESIDE.get(field, ()), *named)


def values_carry(*, revision: Revision, actor: User) -> None:
    """Let the engineers' values of the letter before stand where the client's answer did not change.

    The others are listed to be checked again and are not applied; so is what was still to be
    checked there. Call it once the answers are frozen, in the same transaction.
    """
    before = _letter_before(revision)
    if before is None:
        return
    old, new = raw_answers(before), raw_answers(revision)
    carried = []
    for value in before.overrides.filter(removed_at__isnull=True):
        if _unchanged(answers_behind(value.field), old, new):
            carried.append(_copy(value, revision))
        else:
            Recheck.objects.create(revision=revision, override=value)
    for open_still in before.rechecks.filter(settled_at__isnull=True):
        Recheck.objects.create(revision=revision, override=open_still.override)
    if carried:
        fields = [value.field for value in carried]
        audit.record(actor=actor, action="review.carry", subject=revision, fields=fields)


def _letter_before(revision: Revision) -> Revision | None:
    """The latest that was sent before."""
    earlier = revision.requisition.revisions.filter(index__lt=revision.index)
    return earlier.filter(submitted_at__isnull=False).last()


def _copy(value: Override, revision: Revision) -> Override:
    copy = Override.objects.create(
        revision=revision,
        field=value.field,
        value=value.value,
        reason=value.reason,
        reason_shown=value.reason_shown,
        author=value.author,
        carried_from=value,
    )
    # The day on which the engineer set it, not that of the client's sending.
    Override.objects.filter(pk=copy.pk).update(created_at=value.created_at)
    reply = value.replies.last()
    if reply is not None:
        OverrideReply.objects.create(
            override=copy, accepted=reply.accepted, words=reply.words, by=reply.by, at=reply.at
        )
    return copy


Answers = Mapping[str, Mapping[str, Any]]


def _unchanged(keys: Iterable[str], old: Answers, new: Answers) -> bool:
    return all(_said(old.get(key)) == _said(new.get(key)) for key in keys)


def _said(answer: Mapping[str, Any] | None) -> tuple[Any, bool]:
    """What counts of an answer: who may know it and by when is no part of the value."""
    if answer is None:
        return ("", False)
    return (answer.get("value"), bool(answer.get("unknown")))
