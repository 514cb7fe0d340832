"""Own, rent or cloud: what the hours of the GPUs say about it."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "own.formula": _(
        "Owning pays from this share of its hours: the whole cost of owning over the horizon ÷ (what one rented GPU-hour costs × the GPU-hours it has over the horizon). Both figures are yours; the share of use below is to be held against it."
    ),
    "own.one-off": _(
        "The use is stated as one project: after it an own server needs other work, or it stands idle."
    ),
    "own.too-small": _(
        "%(variant)s: the stated runs do not fit into the time; more GPUs or fewer runs are needed."
    ),
    "own.idle": _(
        "%(variant)s: of its own hours, about %(idle_gpu_hours)s a year would be left without these runs."
    ),
    "own.expected-use": _(
        "By the client's own guess the GPUs will be busy %(busy_ratio)s of the time: hold it against the calculated use."
    ),
    "own.repeats": _(
        "Counted are the stated runs, each once; repeats and failed experiments add to the use."
    ),
    "own.trigger": _(
        "When to buy: the use measured on rented GPUs stays above that share for %(quarters_count)s quarters in a row. Until then rent, and prolong by stages."
    ),
}
