"""What engineers add beside a result: writing it down, taking it back, reading it.

The caller holds the revision and has seen its version (see `review.editing`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit import services as audit
from apps.catalog.card_names import tokens_of
from apps.catalog.releases import known_catalog
from apps.core.errors import DomainError, NotAllowed
from apps.core.prices import words_for_client
from apps.estimation.edited import build_of
from apps.estimation.models import PartConfirmation, VariantRemark
from apps.requisitions import policy
from apps.requisitions.models import Attachment, Revision
from apps.requisitions.policy import Deed

Variant = Mapping[str, Any]
_LEAST_CHARS: Final = 6
_COUNT: Final = re.compile(r"^[0-9]+\s*[x×х*]\s*")


def edits_of(revision: Revision) -> dict[str, Any]:
    """What stands beside the results of a revision, as `edited.with_edits` takes it; {} for nothing."""
    parts = [_part(row) for row in confirmations_of(revision)]
    standing = revision.variant_remarks.filter(removed_at__isnull=True)
    remarks = [_remark(row) for row in standing.select_related("author")]
    return {"parts": parts, "remarks": remarks} if parts or remarks else {}


def confirmations_of(revision: Revision) -> Sequence[PartConfirmation]:
    """Those that stand in this letter: its own and those of earlier ones, the newest first."""
    return list(
        PartConfirmation.objects.filter(
            revision__requisition_id=revision.requisition_id,
            revision__index__lte=revision.index,
            withdrawn_at__isnull=True,
        )
        .select_related("revision", "by", "attachment")
        .order_by("-at")
    )


def _part(row: PartConfirmation) -> dict[str, Any]:
    return {
        "build": row.build,
        "number": row.part_number,
        "document": row.attachment.name,
        "sha256": row.attachment.sha256,
        "says": row.says,
        "by": str(row.by),
        "at": row.at.isoformat(),
        "letter": row.revision.letter,
    }


def _remark(row: VariantRemark) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "key": row.key,
        "build": row.build,
        "kind": row.kind,
        "line": row.line,
        "text": row.text,
        "author": str(row.author),
        "at": row.created_at.isoformat(),
    }


def _build_fields(variant: Variant) -> dict[str, Any]:
    return dict(
        zip(("server", "accelerator", "gpu_count", "node_count"), build_of(variant), strict=True)
    )


def _require(revision: Revision, actor: User) -> None:
    """The engineer who has the revision answers for what it says."""
    if not policy.may(actor, Deed.OVERRIDE, revision) or revision.engineer_id != actor.pk:
        raise NotAllowed(_("Only the engineer who has the requisition changes its variants."))


@transaction.atomic
def part_confirm(
    *,
    revision: Revision,
    actor: User,
    variant: Variant,
    part_number: str,
    says: str,
    attachment: Attachment,
) -> PartConfirmation:
    """Say that a document confirms the part number of a variant; an earlier word steps back.

    Raises:
        DomainError: no part number, a mere name of a product, or nothing said of the document.
        NotAllowed: the person, or the state of the revision.
    """
    _require(revision, actor)
    if variant.get("rented"):
        raise DomainError(_("A rented server needs no part number: it is the landlord's."))
    number = words_for_client(part_number, _("Give the part number that the document names."))
    if _is_generic(number):
        raise DomainError(
            _("This is a name, not a part number: copy the number from the supplier's document.")
        )
    says = words_for_client(
        says, _("Say what the document confirms: composition, compatibility, date.")
    )
    build = _build_fields(variant)
    revision.part_confirmations.filter(**build, withdrawn_at__isnull=True).update(
        withdrawn_at=timezone.now(), withdrawn_by=actor, withdrawn_reason=_("Confirmed anew.")
    )
    row = PartConfirmation.objects.create(
        revision=revision,
        **build,
        part_number=number[:200],
        attachment=attachment,
        says=says,
        by=actor,
    )
    audit.record(
        actor=actor,
        action="review.part-confirm",
        subject=revision,
        part_number=row.part_number,
        sha256=attachment.sha256,
    )
    return row


def _is_generic(number: str) -> bool:
    """«8× H200», «DGX»: what a product is called, not what is ordered."""
    words = tokens_of(_COUNT.sub("", number.lower()))
    said = "".join(words)
    if len(said) < _LEAST_CHARS or not any(c.isdigit() for c in said):
        return True
    cards = known_catalog().accelerators.values()
    return any(words <= tokens_of(f"{card.name} {card.id}") for card in cards)


@transaction.atomic
def part_withdraw(*, row: PartConfirmation, revision: Revision, actor: User, reason: str) -> bool:
    """Take a confirmation back. False: somebody has done so already."""
    _require(revision, actor)
    why = words_for_client(reason, _("Say why it is taken back."))
    done = PartConfirmation.objects.filter(pk=row.pk, withdrawn_at__isnull=True).update(
        withdrawn_at=timezone.now(), withdrawn_by=actor, withdrawn_reason=why
    )
    if done:
        audit.record(
            actor=actor,
            action="review.part-withdraw",
            subject=revision,
            part_number=row.part_number,
        )
    return bool(done)


@transaction.atomic
def remark_write(
    *,
    revision: Revision,
    actor: User,
    variant: Variant,
    kind: str,
    text: str,
    line: str = "",
    instead: VariantRemark | None = None,
) -> VariantRemark:
    """Add a line, hide a computed one, or recommend the variant; `instead` is what is rewritten.

    Raises:
        DomainError: nothing was written, or there is a price in it.
        NotAllowed: the person, or the state of the revision.
    """
    _require(revision, actor)
    said = words_for_client(text, _("Write it first."))
    standing = revision.variant_remarks.filter(removed_at__isnull=True)
    if kind == VariantRemark.Kind.PICK:
        standing.filter(kind=kind).update(removed_at=timezone.now())
    if kind == VariantRemark.Kind.HIDE:
        standing.filter(key=variant["key"], line=line).update(removed_at=timezone.now())
    if instead is not None:
        standing.filter(pk=instead.pk).update(removed_at=timezone.now())
    last = revision.variant_remarks.aggregate(last=Max("position"))["last"] or 0
    row = VariantRemark.objects.create(
        revision=revision,
        key=variant["key"],
        **_build_fields(variant),
        kind=kind,
        line=line,
        text=said,
        position=instead.position if instead else last + 1,
        author=actor,
        replaces=instead,
    )
    audit.record(
        actor=actor, action=f"review.variant-{kind}", subject=revision, variant=variant["key"]
    )
    return row


@transaction.atomic
def remark_remove(*, row: VariantRemark, revision: Revision, actor: User) -> bool:
    """Take a line, a hiding or a recommendation back. False: it is not there any more."""
    _require(revision, actor)
    done = VariantRemark.objects.filter(pk=row.pk, removed_at__isnull=True).update(
        removed_at=timezone.now()
    )
    if done:
        audit.record(actor=actor, action="review.variant-undo", subject=revision, variant=row.key)
    return bool(done)


@transaction.atomic
def remark_restore(*, row: VariantRemark, revision: Revision, actor: User) -> bool:
    """Bring back a line of one's own that was removed. False: it stands already."""
    _require(revision, actor)
    if row.kind in (VariantRemark.Kind.HIDE, VariantRemark.Kind.PICK):
        return False  # made again in one step, with a reason
    done = VariantRemark.objects.filter(pk=row.pk, removed_at__isnull=False).update(removed_at=None)
    if done:
        audit.record(
            actor=actor, action="review.variant-restore", subject=revision, variant=row.key
        )
    return bool(done)


@transaction.atomic
def remark_move(*, row: VariantRemark, revision: Revision, actor: User, up: bool) -> bool:
    """Change places with the neighbour of the same kind. False: it is the first or the last."""
    _require(revision, actor)
    rows = list(
        revision.variant_remarks.filter(key=row.key, kind=row.kind, removed_at__isnull=True)
    )
    if row not in rows:
        return False
    at = rows.index(row)
    to = at - 1 if up else at + 1
    if not 0 <= to < len(rows):
        return False
    rows[at], rows[to] = rows[to], rows[at]
    places = sorted(r.position for r in rows)
    for place, moved in zip(places, rows, strict=True):
        VariantRemark.objects.filter(pk=moved.pk).update(position=place)
    audit.record(actor=actor, action="review.variant-order", subject=revision, variant=row.key)
    return True
