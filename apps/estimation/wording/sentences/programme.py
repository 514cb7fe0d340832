"""The programme of runs: what a series takes, and what limits it."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "programme.series": _(
        "An experiment is taken as a tenth to the whole of the final run, repeats as up to a third of the series: an assumption, to be replaced by your own count."
    ),
    "programme.compute": _(
        "The model computes %(run_flop)s in one whole run, recomputation not counted."
    ),
    "programme.experiments-assumed": _(
        "How many experiments there will be is not stated: from 3 to 30 are assumed, 10 typically."
    ),
    "programme.no-stop": _(
        "It is not stated when the series stops: without a limit and a criterion it may take any server."
    ),
    "programme.cap-within": _("The series stays within your limit, %(cap_gpu_hours)s."),
    "programme.cap-risk": _(
        "The series may go beyond your limit, %(cap_gpu_hours)s: stop early or shorten the experiments."
    ),
    "programme.cap-over": _(
        "The series does not fit your limit, %(cap_gpu_hours)s: fewer or shorter experiments, or another limit."
    ),
    "programme.rent-within": _("The series fits the period of the rent, %(rent_hours)s."),
    "programme.rent-risk": _(
        "The series may not fit the period of the rent, %(rent_hours)s: agree on how to prolong it."
    ),
    "programme.rent-over": _(
        "The series does not fit the period of the rent, %(rent_hours)s: rent longer, or fewer experiments."
    ),
    "programme.parallel": _(
        "Runs at the same time: %(runs_count)s. Together they take %(gpus)s; on one set of GPUs they wait for each other."
    ),
    "programme.months": _(
        "One run may take more than a month, which is not acceptable to you: a faster way is needed, see what speed takes."
    ),
    "programme.run-cost": _(
        "One run costs your rate for a GPU-hour × the %(least_gpu_hours)s to %(most_gpu_hours)s it takes; on a server of your own, all it costs in a quarter ÷ %(runs_count)s runs. The rates are yours: we name none."
    ),
    "programme.run-cost-open": _(
        "One run costs your rate for a GPU-hour × the %(least_gpu_hours)s to %(most_gpu_hours)s it takes; on a server of your own, all it costs in a quarter ÷ the runs of a quarter, which are not stated. The rates are yours: we name none."
    ),
    "programme.idle": _(
        "By your own guess of the load, about %(idle_gpu_hours)s a month of a server of your own stand idle."
    ),
}
