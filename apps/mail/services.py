"""Queueing mails and handing them over."""

import re
import smtplib
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.jobs import services as jobs
from apps.jobs.broker import poke_on_commit
from apps.jobs.models import Job, JobState
from apps.jobs.services import Claim, Unrepeatable
from apps.mail.message import message_of
from apps.mail.models import Mail

ID_MAX_CHARS = 64
PURGED_AT_ONCE = 500


class DeliveryFailed(jobs.Away):
    """The mail server did not take the mail; its text says why, without the address."""


def mail_queue(
    *,
    key: str,
    to: str,
    language: str,
    template: str,
    params: Mapping[str, Any],
    not_before: datetime | None = None,
) -> Mail:
    """Put a mail into the outbox, in the caller's transaction: rolled back, it was never queued.

    Args:
        key: of what happened and to whom; the same key twice is one mail.
        to: the address. One that its owner has not confirmed yet gets a mail without a word that
            somebody else typed (a name too): otherwise the product sends strangers' texts.
        language: of the person.
        template: a key of `settings.MAIL_CONTEXTS`.
        params: ids only, for the context function that runs when the mail is sent. Answers,
            names and tokens have no place in the row.
        not_before: when it may be sent; at once without it.

    Raises:
        KeyError: the template has no context function.
        TypeError: a parameter is not an id.
    """
    if template not in settings.MAIL_CONTEXTS:
        raise KeyError(f"name the context of {template!r} in settings.MAIL_CONTEXTS")
    known = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    existing = Mail.objects.filter(key=key).first()
    if existing is not None:
        return existing
    row = Mail(key=key, to=to, language=known, template=template, params=_ids(params))
    try:
        with transaction.atomic():
            row.job = jobs.enqueue(
                kind=f"mail:{template}",
                key=f"mail:{row.pk}",
                payload={"mail": str(row.pk)},
                not_before=not_before,
            )
            row.save(force_insert=True)
    except IntegrityError:  # somebody queued it between our look and our insert
        return Mail.objects.get(key=key)
    if not_before is None:
        poke_on_commit(row.job)
    return row


def _ids(params: Mapping[str, Any]) -> dict[str, int | str]:
    ids: dict[str, int | str] = {}
    for name, value in params.items():
        plain = str(value) if isinstance(value, uuid.UUID) else value
        if not isinstance(plain, int | str) or len(str(plain)) > ID_MAX_CHARS:
            raise TypeError(f"{name} is not an id")
        ids[name] = plain
    return ids


def mail_send(mail: Mail, held: Claim) -> None:
    """Hand the mail over, then note it in the transaction that ends its job.

    A mail server has no transactions. A worker that dies between the two, or loses its lease
    meanwhile, leaves the job to another, which sends the mail a second time: never lost, at most
    doubled, and the double carries the same Message-ID, by which mail programs tell it.

    Raises:
        Unrepeatable: no attempt can succeed: the person is gone, the address is none or refused.
        DeliveryFailed: the server is away or busy; the job waits and is tried again for a day.
        LostClaim: somebody else holds the job now.
    """
    if mail.sent_at is None:
        _check_address(mail.to)
        _deliver(message_of(mail), mail.to)
    with transaction.atomic():
        held.finish()
        Mail.objects.filter(pk=mail.pk, sent_at__isnull=True).update(sent_at=timezone.now())


def _check_address(address: str) -> None:
    try:
        validate_email(address)
    except ValidationError:
        raise Unrepeatable("the address is not one") from None


def _deliver(message: EmailMessage, address: str) -> None:
    """Errors come without the address and without their cause: they go to the log."""
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused as problem:
        code, answer = next(iter(problem.recipients.values()), (0, b""))
        text = _reason("the address was refused", code, answer, address)
        raise (Unrepeatable if code // 100 == 5 else DeliveryFailed)(text) from None
    except smtplib.SMTPResponseException as problem:
        what, told = type(problem).__name__, problem.smtp_error
        raise DeliveryFailed(_reason(what, problem.smtp_code, told, address)) from None
    except (smtplib.SMTPException, OSError) as problem:
        text = _reason(type(problem).__name__, 0, str(problem), address)
        raise DeliveryFailed(text) from None


def _reason(what: str, code: int, answer: bytes | str, address: str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    masked = re.sub(re.escape(address), "(the address)", text, flags=re.IGNORECASE)
    return " ".join(f"{what}: {code or ''} {masked}".split())


def mail_retry(mail: Mail) -> bool:
    """Start a mail that failed afresh. False when it has not failed (any more)."""
    restarted = jobs.retry(mail.job)
    if restarted:
        poke_on_commit(mail.job)
    return restarted


def mail_hurry(mail: Mail) -> bool:
    """Try a mail that waits for the server now. False when it does not wait (any more)."""
    due = jobs.hurry(mail.job)
    if due:
        poke_on_commit(mail.job)
    return due


def mails_purge() -> int:
    """Delete mails that were sent, or given up, more than `settings.MAIL_KEPT_DAYS` days ago.

    Their jobs go with them. What still waits stays, however old.
    """
    before = timezone.now() - timedelta(days=settings.MAIL_KEPT_DAYS)
    over = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)
    old = Mail.objects.filter(
        created_at__lt=before, job__state__in=over, job__finished_at__lt=before
    )
    count = 0
    while rows := list(old.values_list("pk", "job_id")[:PURGED_AT_ONCE]):
        with transaction.atomic():
            Mail.objects.filter(pk__in=[pk for pk, _job in rows]).delete()
            Job.objects.filter(pk__in=[job for _pk, job in rows]).delete()
        count += len(rows)
    return count
