"""Each section in three parts: what to collect for it, why, and what it becomes in hardware."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.questionnaire.sentences import Text


@dataclass(frozen=True, slots=True)
class Triple:
    """One sentence each."""

    collect: Text
    why: Text
    becomes: Text


TRIPLES: Final[dict[str, Triple]] = {
    "goal": Triple(
        _("What has to change in the model, by when, and what a ready model gave on your task."),
        _("For some goals search over documents or a short pilot is enough."),
        _("Either no training server at all, or the class of task that it is sized for."),
    ),
    "task": Triple(
        _("Who uses the result, the measure of success, data set aside for the check."),
        _("Without a measure nobody can say whether the training paid off."),
        _("The programme of the pilot and the condition for buying more."),
    ),
    "method": Triple(
        _("All weights or adapters, from scratch or from a ready model."),
        _("The method moves the memory further than the choice between neighbouring GPUs."),
        _("Gradients and optimizer states: from a part of a gigabyte to hundreds."),
    ),
    "model": Triple(
        _("The name of a published model, or parameters, layers and width of your own."),
        _("Weights and the link between GPUs grow with the number of parameters."),
        _("How many GPUs one copy of the model takes, and how they must be linked."),
    ),
    "data": Triple(
        _("Volume, number of files, kind, where it lies and what is done on the fly."),
        _("GPUs that wait for data are paid for and stand idle."),
        _("Drives and their speed, processor cores, memory of the host."),
    ),
    "timing": Triple(
        _("The time that suits you, runs a quarter, experiments before the final one."),
        _("Speed is paid for with GPUs, and failed attempts count as well."),
        _("The number of GPUs, and the reserve for repeats and restarts."),
    ),
    "horizon": Triple(
        _("How long it will serve, how the load grows, who shares it."),
        _("A server without any reserve becomes tight within a year."),
        _("Free slots, a reserve of power and cooling, a queue for several teams."),
    ),
    "recipe": Triple(
        _("The configuration of the training: precision, length, batch, optimizer, savings."),
        _("One line of the configuration can change the memory several times over."),
        _("Memory of one GPU and time of a step, as ranges."),
    ),
    "purchase": Triple(
        _("Rent, purchase or not decided, the wished day, a part number you have in mind."),
        _("A rented pilot costs days; a wrong purchase costs the year."),
        _("The order of the variants: pilot first, or a server of your own at once."),
    ),
    "site": Triple(
        _("Kilowatts of one feed, cooling, free units, depth, load on the floor."),
        _("Training draws full power for days: an average load is no guide."),
        _("Which servers can stand there at all, and what the rack lacks for the others."),
    ),
}
