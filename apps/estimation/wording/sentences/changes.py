"""What changed in the conclusions since an earlier revision."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "change.none": _("The conclusions are the same."),
    "change.recommended.first": _(
        "%(variant)s is recommended now: %(gpu_count)s× %(accelerator)s. Nothing was before."
    ),
    "change.recommended.none": _(
        "Nothing is recommended any more; it was %(variant)s: %(gpu_count)s× %(accelerator)s."
    ),
    "change.recommended.other": _(
        "%(variant)s is recommended now: %(gpu_count)s× %(accelerator)s. It was %(old_variant)s: %(old_gpu_count)s× %(old_accelerator)s."
    ),
    "change.rack-opened": _("The rack does not block %(gpu_count)s× %(accelerator)s any more."),
    "change.rack-opened.power": _(
        "The rack does not block %(gpu_count)s× %(accelerator)s any more: %(available_kw)s are available instead of %(before_kw)s."
    ),
    "change.rack-closed": _("The rack now blocks %(gpu_count)s× %(accelerator)s."),
    "change.rack-closed.power": _(
        "The rack now blocks %(gpu_count)s× %(accelerator)s: %(available_kw)s are available instead of %(before_kw)s."
    ),
    "change.rack-at-risk": _("In the rack %(gpu_count)s× %(accelerator)s stay at risk."),
    "change.memory-opened": _(
        "The task now fits into the memory of %(gpu_count)s× %(accelerator)s."
    ),
    "change.memory-closed": _(
        "The task does not fit into the memory of %(gpu_count)s× %(accelerator)s any more."
    ),
    "change.time-opened": _("%(gpu_count)s× %(accelerator)s now meet the deadline."),
    "change.time-closed": _("%(gpu_count)s× %(accelerator)s do not meet the deadline any more."),
    "change.verdict": _(
        "The conclusion is now “%(verdict_headline)s”; it was “%(old_verdict_headline)s”."
    ),
    "change.readiness": _("Readiness: %(readiness)s; it was: %(old_readiness)s."),
    "change.confidence": _("Confidence: %(confidence)s. It was: %(old_confidence)s."),
    "change.measured": _("The figures are now checked against measured runs of this kind."),
    "change.not-measured": _(
        "The figures are not checked against measured runs of this kind any more."
    ),
}
