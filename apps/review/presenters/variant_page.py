"""One variant with everything the engineer may add to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.estimation.edited import LINES, applies, computed_lines
from apps.estimation.models import PartConfirmation, VariantRemark
from apps.estimation.presenters import OwnLine, VariantView
from apps.estimation.texts import sentence
from apps.requisitions import policy
from apps.requisitions.models import Revision
from apps.requisitions.policy import Deed
from apps.review.dossier import Dossier


@dataclass(frozen=True, slots=True, kw_only=True)
class LineGroup:
    """Lines of one kind. `computed` are (digest, text), `hidden` those that are not shown.

    `removed` may be brought back.
    """

    kind: str
    title: str
    add: str
    computed: tuple[tuple[str, str], ...]
    own: tuple[OwnLine, ...]
    hidden: tuple[OwnLine, ...]
    removed: tuple[VariantRemark, ...]


def variant_page(user: User, dossier: Dossier, key: str) -> dict[str, Any]:
    """The parts of `review/variant.html` beside the heading."""
    view = next(v for v in dossier.variants if v.key == key)
    revision = dossier.revision
    return {
        "variant": view,
        "groups": [_group(revision, view, kind) for kind in LINES],
        "may_edit": may_edit(user, revision),
        "withdrawn": _withdrawn(revision, view),
        "lost": _lost(_standing(revision), view),
        "others": [v for v in dossier.variants if v.key != key],
    }


def may_edit(user: User, revision: Revision) -> bool:
    """The engineer who has the revision answers for what it says."""
    return policy.may(user, Deed.OVERRIDE, revision) and revision.engineer_id == user.pk


def _group(revision: Revision, view: VariantView, kind: str) -> LineGroup:
    part = LINES[kind]
    titles = {
        "pro": (_("Rests on, and what speaks for it"), _("Add what speaks for it")),
        "con": (_("Risks, and what speaks against it"), _("Add what speaks against it")),
        "when": (_("When to choose it"), _("Add when to choose it")),
    }
    said = [(digest, m) for p, m, digest in computed_lines(view.block) if p == part]
    hidden_here = {row["remark"]["id"] for row in _hidden(view) if row["part"] == part}
    removed = revision.variant_remarks.filter(
        key=view.key, kind=kind, removed_at__isnull=False
    ).select_related("author")
    replaced = set(revision.variant_remarks.values_list("replaces", flat=True))
    return LineGroup(
        kind=kind,
        title=titles[kind][0],
        add=titles[kind][1],
        computed=tuple((digest, sentence(m)) for digest, m in said),
        own=view.own[kind],
        hidden=tuple(line for line in view.hidden if line.id in hidden_here),
        removed=tuple(row for row in removed if row.pk not in replaced),
    )


def _hidden(view: VariantView) -> list[dict[str, Any]]:
    return list(view.block.get("hidden") or ())


def _withdrawn(revision: Revision, view: VariantView) -> list[PartConfirmation]:
    """Confirmations of this build that were taken back, the newest first."""
    rows = PartConfirmation.objects.filter(
        revision__requisition_id=revision.requisition_id,
        server=view.server,
        accelerator=view.block.get("accelerator") or "",
        gpu_count=view.gpus,
        node_count=view.nodes,
        withdrawn_at__isnull=False,
    )
    return list(rows.select_related("withdrawn_by", "by", "revision").order_by("-withdrawn_at"))


def _standing(revision: Revision) -> list[VariantRemark]:
    rows = revision.variant_remarks.filter(removed_at__isnull=True)
    return list(rows.select_related("author"))


def _lost(rows: Iterable[VariantRemark], view: VariantView) -> list[VariantRemark]:
    """Lines that were written about another build, or about a line that is not said any more."""
    whole = dict(view.block)
    for row in _hidden(view):  # what is hidden is said all the same
        whole[row["part"]] = [*whole.get(row["part"], ()), row["message"]]
    return [row for row in rows if row.key == view.key and not applies(_as_dict(row), whole)]


def lost_count(dossier: Dossier) -> int:
    """How many of the engineer's lines do not stand anywhere. One query."""
    rows = _standing(dossier.revision)
    keys = {v.key for v in dossier.variants}
    gone = sum(row.key not in keys for row in rows)
    return gone + sum(len(_lost(rows, v)) for v in dossier.variants)


def _as_dict(row: VariantRemark) -> dict[str, Any]:
    return {
        "key": row.key,
        "build": row.build,
        "kind": row.kind,
        "line": row.line,
    }
