"""Time of a step and of the cycle."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "time.assumption.sustained-clock": _(
        "The cards run at the clock they keep under a long load, not at the peak one."
    ),
    "time.assumption.utilisation-convention": _(
        "Utilisation (MFU) counts the operations of the model over the dense peak of the precision it trains in; causal attention counts half its scores, recomputation is not counted in."
    ),
    "time.assumption.full-length": _(
        "The average length was not stated; samples are taken at their full length, %(tokens)s."
    ),
    "time.assumption.local-data": _(
        "Where the data lies was not stated; local drives are assumed."
    ),
    "time.assumption.one-epoch": _(
        "Neither epochs nor steps were stated; one pass over the data is assumed."
    ),
    "time.assumption.generation-unknown": _(
        "The time of reinforcement is not estimated: it depends on the length and number of the answers, on what generates them and on what judges them. A pilot would measure it."
    ),
    "time.not-counted.queue": _("Waiting for the server to be free is not counted."),
    "time.not-counted.failed-experiments": _(
        "Repeats and failed experiments are not counted: this is one successful run."
    ),
}
