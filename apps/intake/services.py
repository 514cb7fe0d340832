"""What a client does: saves a page, marks the rest unknown, sends, takes it back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import Company, User
from apps.catalog.published import published_names
from apps.core.errors import Conflict, DomainError, NotAllowed
from apps.estimation.inputs import context_of, with_values
from apps.estimation.services import calculation_start
from apps.intake.configs import ReadConfig
from apps.intake.offers import Offers
from apps.intake.other_ways import effective_answers
from apps.intake.posted import Posted, change_of
from apps.intake.replied import unreplied
from apps.intake.selectors import Draft, asked_by_engineer, draft_of, last_sent_of
from apps.questionnaire.answers import Evaluated, RawAnswer
from apps.questionnaire.sections import QUESTIONS, SECTION_OF, Section
from apps.questionnaire.summary import headlines
from apps.questionnaire.to_task import to_task
from apps.requisitions import services as requisitions
from apps.requisitions.authors import Author
from apps.requisitions.models import Revision
from apps.requisitions.selectors import active_overrides, draft_after
from apps.requisitions.services import SaveOutcome
from apps.requisitions.workflow import Action


class NotReady(DomainError):
    """Something that the estimate needs is missing; the check page lists it."""

    code = "not-ready"


@transaction.atomic
def check_can_start(owner: User) -> Company:
    """The company that the person asks for.

    Raises:
        NotAllowed: the person works for nobody who could ask.
    """
    if owner.company is None:
        raise NotAllowed(_("Your account belongs to no company, so there is nobody to ask for."))
    return owner.company


def requisition_start(*, actor: User, contact: User | None = None) -> Draft:
    """Open a requisition whose contact is the person who opens it, or the client's person.

    Args:
        contact: for whom a manager opens it; a client opens for themself.

    Raises:
        NotAllowed: the person works for nobody who could ask.
    """
    owner = contact or actor
    company = check_can_start(owner)
    revision = requisitions.requisition_create(company=company, owner=owner, actor=actor)
    whom = {"contact_name": owner.full_name, "contact_email": owner.email}
    known = {key: RawAnswer(value) for key, value in whom.items() if value}
    known |= _answers_about_the_rack(company)
    changes = [change_of(key, answer, 0) for key, answer in known.items()]
    requisitions.answers_save(revision=revision, changes=changes, actor=actor)
    return draft_of(revision)


def _answers_about_the_rack(company: Company) -> dict[str, RawAnswer]:
    """The rack stays where it is: nobody is asked about it twice. Each value names its source."""
    before = last_sent_of(company)
    if before is None:
        return {}
    number = before.requisition.display_number
    return {
        key: replace(answer, provenance="earlier", note=number)
        for key, answer in draft_of(before).raw.items()
        if SECTION_OF[key].key == "site" and not answer.unknown
    }


@transaction.atomic
def page_save(
    *, draft: Draft, posted: Posted, section: Section, finished: str, actor: Author
) -> SaveOutcome:
    """Save a page as it was typed. `finished` is the client's word on the section: yes, no, ""."""
    outcome = requisitions.answers_save(
        revision=draft.revision, changes=posted.changes, actor=actor
    )
    if finished in ("yes", "no"):
        requisitions.section_finish(
            revision=draft.revision,
            section=section.key,
            finished=finished == "yes",
            actor=actor,
        )
    return outcome


def offer_take(*, draft: Draft, key: str, actor: Author) -> SaveOutcome:
    """Fill in the value that is offered for a question, with where it comes from."""
    question = QUESTIONS.get(key)
    offer = Offers(draft).of(question) if question else None
    if offer is None:
        return SaveOutcome()
    change = change_of(key, offer.answer, draft.version(key))
    return requisitions.answers_save(revision=draft.revision, changes=[change], actor=actor)


def model_pick(*, draft: Draft, name: str, actor: Author) -> SaveOutcome:
    """Name the model as the catalog does; a name that it does not have changes nothing."""
    if name not in published_names():
        return SaveOutcome()
    change = change_of("model_name", RawAnswer(name), draft.version("model_name"))
    return requisitions.answers_save(revision=draft.revision, changes=[change], actor=actor)


def config_take(
    *, draft: Draft, config: ReadConfig, versions: Mapping[str, int], actor: User
) -> SaveOutcome:
    """Answer questions with what a file states; each answer names the file.

    Args:
        versions: the questions to answer, with the version of the answer that was shown.
    """
    changes = [
        change_of(key, answer, versions[key])
        for key, answer in config.found.stated.items()
        if key in versions
    ]
    return requisitions.answers_save(revision=draft.revision, changes=changes, actor=actor)


def answers_put_back(
    *, draft: Draft, before: Mapping[str, tuple[RawAnswer, int]], actor: User
) -> SaveOutcome:
    """Give questions the answers they had.

    Args:
        before: the former answer, with the version that took its place.
    """
    changes = [change_of(key, answer, version) for key, (answer, version) in before.items()]
    return requisitions.answers_save(revision=draft.revision, changes=changes, actor=actor)


def rest_mark_unknown(*, draft: Draft, keys: Iterable[str], actor: Author) -> int:
    """Mark as unknown what has no answer yet. Returns how many."""
    open_keys = [
        key
        for key in draft.evaluated.missing
        if key in set(keys) and QUESTIONS[key].accepts_unknown
    ]
    changes = [
        change_of(key, replace(draft.raw.get(key, RawAnswer()), unknown=True), draft.version(key))
        for key in open_keys
    ]
    requisitions.answers_save(revision=draft.revision, changes=changes, actor=actor)
    return len(changes)


@transaction.atomic
def requisition_send(*, draft: Draft, seen_digest: str, actor: User) -> Revision:
    """Freeze the answers that count and start the estimators, all or nothing.

    Raises:
        NotReady: an answer is missing or cannot be read, or a question of the engineer has neither
            a changed answer nor a comment.
        Conflict: somebody changed an answer after the person had checked them, or it was sent.
    """
    fresh = _checked(draft, seen_digest)
    _refuse_without_reply(fresh)
    evaluated = fresh.evaluated
    revision = requisitions.revision_submit(
        revision=fresh.revision,
        actor=actor,
        effective=effective_answers(evaluated),
        title=headlines(evaluated),
        settled=_settled(evaluated),
    )
    number = f"{revision.requisition.display_number} {revision.letter}"
    overrides = active_overrides(revision)
    calculation_start(
        revision=revision,
        task=with_values(to_task(evaluated, number), overrides),
        context=context_of(evaluated, overrides),
        actor=actor,
    )
    return revision


@transaction.atomic
def confirmation_ask(*, draft: Draft, seen_digest: str, actor: User) -> None:
    """Hand a manager's draft over to the client, complete: there is only to check and to send.

    Raises:
        NotReady, Conflict: as `requisition_send`.
    """
    fresh = _checked(draft, seen_digest)
    requisitions.confirmation_ask(revision=fresh.revision, actor=actor)


def _checked(draft: Draft, seen_digest: str) -> Draft:
    """The draft as it is now: complete, and as the person has seen it."""
    fresh = draft_of(draft.revision)
    if not fresh.evaluated.ready:
        raise NotReady(_("Some answers are missing or need correction."))
    if seen_digest and seen_digest != fresh.digest:
        raise Conflict(_("The answers have changed since you looked at them. Check them again."))
    return fresh


def _refuse_without_reply(draft: Draft) -> None:
    left = len(unreplied(draft, asked_by_engineer(draft.revision)))
    if left:
        raise NotReady(
            ngettext(
                "%(count)s question of the engineer has no changed answer and no comment.",
                "%(count)s questions of the engineer have no changed answer and no comment.",
                left,
            )
            % {"count": left}
        )


def _settled(evaluated: Evaluated) -> frozenset[str]:
    """What the client does not know and need not: the catalog does."""
    marked = {key for key, answer in evaluated.answers.items() if answer.unknown}
    return frozenset(marked - set(evaluated.unknown))


@transaction.atomic
def requisition_withdraw(*, revision: Revision, comment: str, actor: User) -> Revision:
    """Stop the work on a revision; a draft of the next letter goes with it."""
    withdrawn = requisitions.revision_transition(
        revision=revision, action=Action.WITHDRAW, actor=actor, comment=comment[:1000]
    )
    draft = draft_after(withdrawn)
    if draft is not None:
        draft_delete(revision=draft, actor=actor)
    return withdrawn


def draft_delete(*, revision: Revision, actor: User) -> Revision:
    """Give up a draft. Nothing is lost: `revision_open_next` brings it back as it was.

    Raises:
        Conflict: it was sent meanwhile.
    """
    if not revision.is_draft:
        raise Conflict(_("This revision was sent already; it can be withdrawn, not deleted."))
    return requisitions.revision_transition(revision=revision, action=Action.WITHDRAW, actor=actor)
