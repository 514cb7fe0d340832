"""What the engineer adds to the variants of a revision: part numbers, lines, another choice.

Each step holds the revision as the engineer saw it and makes a page opened before stale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.core.errors import DomainError
from apps.estimation import edits
from apps.estimation.edited import build_of, computed_lines
from apps.estimation.models import PartConfirmation, VariantRemark
from apps.requisitions import services as requisitions
from apps.requisitions.models import Attachment, Revision
from apps.review.holding import held

Variant = Mapping[str, Any]
KINDS = ("pro", "con", "when")


@transaction.atomic
def part_confirm(
    *,
    revision: Revision,
    actor: User,
    variant: Variant,
    part_number: str,
    says: str,
    file_name: str,
    content: bytes,
    expected_version: int,
) -> PartConfirmation:
    """Confirm a part number with the document that is attached.

    Raises:
        DomainError: no number, a product's name, nothing said, a price, or no document.
        NotAllowed: the person, or the state of the revision.
        Conflict: the revision changed since the page was shown.
    """
    row = held(revision, expected_version)
    # Before the file is kept: a word that is refused leaves no document behind.
    with transaction.atomic():
        document: Attachment = requisitions.evidence_add(
            revision=row, name=file_name, content=content, actor=actor
        )
        confirmed = edits.part_confirm(
            revision=row,
            actor=actor,
            variant=variant,
            part_number=part_number,
            says=says,
            attachment=document,
        )
    requisitions.revision_touch(row)
    return confirmed


@transaction.atomic
def part_withdraw(
    *, revision: Revision, actor: User, variant: Variant, reason: str, expected_version: int
) -> None:
    """Take the word for a variant's part number back; a second click changes nothing."""
    row = held(revision, expected_version)
    build = build_of(variant)
    for found in edits.confirmations_of(row):
        if found.build == build:
            edits.part_withdraw(row=found, revision=row, actor=actor, reason=reason)
    requisitions.revision_touch(row)


@transaction.atomic
def line_write(
    *,
    revision: Revision,
    actor: User,
    variant: Variant,
    kind: str,
    text: str,
    expected_version: int,
    line: str = "",
    instead: VariantRemark | None = None,
) -> VariantRemark:
    """Add or rewrite a line, hide a computed one, or recommend the variant, with the reason.

    The same words twice in a row are one line.

    Raises:
        DomainError: nothing was written, a price is in it, or there is no such computed line.
        Conflict: the revision changed since the page was shown.
    """
    same = revision.variant_remarks.filter(
        key=variant["key"], kind=kind, line=line, text=text.strip(), removed_at__isnull=True
    )
    if found := same.filter(author=actor).first():
        return found
    row = held(revision, expected_version)
    if kind == VariantRemark.Kind.HIDE and line not in {d for _p, _m, d in computed_lines(variant)}:
        raise DomainError(_("The calculation does not say this line any more."))
    written = edits.remark_write(
        revision=row,
        actor=actor,
        variant=variant,
        kind=kind,
        text=text,
        line=line,
        instead=instead,
    )
    requisitions.revision_touch(row)
    return written


@transaction.atomic
def line_change(
    *, revision: Revision, actor: User, remark: VariantRemark, deed: str, expected_version: int
) -> None:
    """Take a line back, bring it back, or move it among its neighbours."""
    row = held(revision, expected_version)
    steps: Mapping[str, Callable[[], bool]] = {
        "remove": lambda: edits.remark_remove(row=remark, revision=row, actor=actor),
        "restore": lambda: edits.remark_restore(row=remark, revision=row, actor=actor),
        "up": lambda: edits.remark_move(row=remark, revision=row, actor=actor, up=True),
        "down": lambda: edits.remark_move(row=remark, revision=row, actor=actor, up=False),
    }
    if steps[deed]():
        requisitions.revision_touch(row)
