"""From one GPU to several nodes."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "scaling.pays-to-the-end": _(
        "Up to %(gpus)s, which is as far as was tried, every step gives at least half of what it could."
    ),
    "scaling.pays-until": _(
        "Beyond %(gpus)s more do not pay: the next step gives less than half of what it could."
    ),
    "scaling.data-first": _(
        "With %(gpus)s the data is waited for already: make its way faster first, more GPUs would wait together."
    ),
    "scaling.same-batch-a-gpu": _(
        "Each GPU keeps its batch, so the batch of a step grows with their number; check that the training still converges as wished."
    ),
}
