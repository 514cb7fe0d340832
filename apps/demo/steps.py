"""The steps of a demo story. Each is what a person would do, through the same services."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.accounts.models import Role, User
from apps.demo import further, waiting
from apps.demo.scene import Scene, Words
from apps.demo.stories import Told
from apps.intake import other_ways
from apps.intake import services as intake
from apps.intake.posted import change_of
from apps.intake.selectors import Draft, draft_of
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions import services as requisitions
from apps.requisitions.models import Requisition
from apps.requisitions.outcomes import OtherWay, Refusal
from apps.requisitions.services.review import Ask
from apps.review import services as review
from apps.review.selectors import current_drafts

_MOST_ROUNDS: Final = 10  # an answer may bring up further questions


def open_story(told: Told) -> Requisition:
    """The requisition as its client starts it."""
    client = User.objects.get(email=told.client)
    return intake.requisition_start(actor=client).requisition


def _answer(scene: Scene, words: Words) -> None:
    """Give answers; without any, the ones of the story."""
    draft = draft_of(scene.revision)
    values = words.get("answers") or scene.told.answers
    changes = [
        change_of(key, _raw(value), draft.version(key))
        for key, value in values.items()
        if key in QUESTIONS
    ]
    requisitions.answers_save(revision=draft.revision, changes=changes, actor=scene.client)


def _raw(value: Any) -> RawAnswer:
    return RawAnswer(tuple(value) if isinstance(value, list) else str(value))


def _rest_unknown(scene: Scene, words: Words) -> None:
    """«I do not know» for all that is left, and who will find out."""
    for _ in range(_MOST_ROUNDS):
        draft = draft_of(scene.revision)
        if not intake.rest_mark_unknown(draft=draft, keys=QUESTIONS, actor=scene.client):
            return
        _name_who_finds_out(draft_of(scene.revision), scene)


def _name_who_finds_out(draft: Draft, scene: Scene) -> None:
    changes = [
        change_of(
            key,
            RawAnswer(answer.value, unknown=True, who=scene.told.who, when=scene.told.when),
            draft.version(key),
        )
        for key, answer in draft.raw.items()
        if answer.unknown and not answer.who
    ]
    requisitions.answers_save(revision=draft.revision, changes=changes, actor=scene.client)


def _send(scene: Scene, words: Words) -> None:
    intake.requisition_send(draft=draft_of(scene.revision), seen_digest="", actor=scene.client)


def _another_way(scene: Scene, words: Words) -> None:
    other_ways.requisition_redirect(draft=draft_of(scene.revision), actor=scene.client)


def _withdraw(scene: Scene, words: Words) -> None:
    intake.requisition_withdraw(
        revision=scene.revision, comment=words["comment"], actor=scene.client
    )


def _open_next(scene: Scene, words: Words) -> None:
    requisitions.revision_open_next(revision=scene.revision, actor=scene.client)


def _take(scene: Scene, words: Words) -> None:
    requisitions.revision_take(revision=scene.sent, actor=scene.staff(Role.ENGINEER))


def _remark(scene: Scene, words: Words) -> None:
    requisitions.annotation_add(
        revision=scene.sent,
        actor=scene.staff(Role.ENGINEER),
        text=words["text"],
        visibility=words["visibility"],
        target=words.get("target", ""),
    )


def _override(scene: Scene, words: Words) -> None:
    revision = scene.sent
    review.override_apply(
        revision=revision,
        actor=scene.staff(Role.ENGINEER),
        field=words["field"],
        value=words["value"],
        reason=words["reason"],
        expected_version=revision.version,
    )


def _ask(scene: Scene, words: Words) -> None:
    revision = scene.sent
    review.clarification_request(
        revision=revision,
        actor=scene.staff(Role.ENGINEER),
        asks=[Ask(text=ask["text"], key=ask.get("key", "")) for ask in words["questions"]],
        comment=words.get("comment", ""),
        expected_version=revision.version,
    )


def _to_approval(scene: Scene, words: Words) -> None:
    revision = scene.sent
    review.approval_request(
        revision=revision,
        actor=scene.staff(Role.ENGINEER),
        comment=words.get("comment", ""),
        expected_version=revision.version,
    )


def _approve(scene: Scene, words: Words) -> None:
    revision = scene.sent
    shown = next(d for d in current_drafts(revision) if d.language == scene.client.language)
    review.revision_approve(
        revision=revision,
        actor=scene.staff(Role.APPROVER),
        comment=words.get("comment", ""),
        document_sha256=shown.sha256,
        expected_version=revision.version,
    )


def _reject(scene: Scene, words: Words) -> None:
    revision = scene.sent
    review.revision_reject(
        revision=revision,
        actor=scene.staff(Role.APPROVER),
        refusal=Refusal(words["refusal"]),
        comment=words["comment"],
        expected_version=revision.version,
    )


def _return(scene: Scene, words: Words) -> None:
    revision = scene.sent
    review.revision_return(
        revision=revision,
        actor=scene.staff(Role.APPROVER),
        comment=words["comment"],
        expected_version=revision.version,
    )


def _redirect(scene: Scene, words: Words) -> None:
    revision = scene.sent
    review.redirect_elsewhere(
        revision=revision,
        actor=scene.staff(Role.ENGINEER),
        way=OtherWay(words["target"]),
        reason=words["reason"],
        expected_version=revision.version,
    )


def _nothing(scene: Scene, words: Words) -> None:
    """The step is the waiting before it."""


def _estimated(scene: Scene) -> None:
    waiting.estimates(scene.sent)


def _printed(scene: Scene) -> None:
    for revision in scene.requisition.revisions.all():
        waiting.documents(revision)


@dataclass(frozen=True, slots=True)
class Step:
    """`act` runs in a transaction; `wait` before it and outside, for others need the database."""

    act: Callable[[Scene, Words], None]
    wait: Callable[[Scene], None] | None = None


STEPS: Final[Mapping[str, Step]] = {
    "answer": Step(_answer),
    "rest-unknown": Step(_rest_unknown),
    "send": Step(_send),
    "another-way": Step(_another_way),
    "withdraw": Step(_withdraw),
    "open-next": Step(_open_next),
    "take": Step(_take, _estimated),
    "remark": Step(_remark),
    "override": Step(_override),
    "ask": Step(_ask, _estimated),
    "to-approval": Step(_to_approval, _estimated),
    "approve": Step(_approve, _printed),
    "return": Step(_return, _printed),
    "reject": Step(_reject, _estimated),
    "redirect": Step(_redirect, _estimated),
    "invite-guest": Step(further.invite_guest),
    "confirm-part": Step(further.confirm_part, _estimated),
    "offer": Step(further.offer, _printed),
    "pilot": Step(further.pilot, _printed),
    "accept-value": Step(further.accept_value),
    "reply": Step(further.reply),
    "resolve": Step(further.resolve),
    "wait-for-estimates": Step(_nothing, _estimated),
    "wait-for-documents": Step(_nothing, _printed),
}
