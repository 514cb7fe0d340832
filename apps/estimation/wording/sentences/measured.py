"""The client's own measured runs: what was taken into account, what was not and why."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "measured.set-aside": _(
        "A measured run (%(accelerator)s, %(gpus)s) is set aside by the engineer: it is shown and not counted."
    ),
    "measured.not-understood": _(
        "A measured run is not counted: its card is not named as in the catalog."
    ),
    "measured.parts": _(
        "Two measured runs tell the parts of the memory apart: what does not grow with the micro-batch takes %(states_ratio)s of the calculated, what grows with it %(live_ratio)s."
    ),
    "measured.parts-at-rest": _(
        "By what is held between steps the parts of the memory are told apart: weights and optimizer take %(states_ratio)s of the calculated, all the rest %(live_ratio)s."
    ),
    "measured.parts-contradict": _(
        "The measured parts of the memory on %(accelerator)s, %(gpus)s, do not go together: what stays and what comes and goes cannot both be of this recipe."
    ),
    "measured.data-wait": _(
        "Measured waiting for data: %(measured_ratio)s of a step; calculated %(said_ratio)s. It depends on the storage and is not carried over."
    ),
    "measured.memory.counted": _(
        "A measurement is taken into account: “%(memory_figure)s”, %(measured_gib)s on %(accelerator)s, %(gpus)s; calculated for the same run %(said_gib)s."
    ),
    "measured.memory.at-least": _(
        "A measurement is taken into account: “%(memory_figure)s”, at least %(measured_gib)s on %(accelerator)s, %(gpus)s; calculated for the same run %(said_gib)s."
    ),
    "measured.memory.contradicts": _(
        "A measurement contradicts the calculation: “%(memory_figure)s”, %(measured_gib)s on %(accelerator)s, %(gpus)s; calculated for the same run %(said_gib)s. The range of memory stays wide until it is clear how the run differs from the recipe."
    ),
    "measured.memory.impossible": _(
        "A measurement is not counted: “%(memory_figure)s”, %(measured_gib)s on %(accelerator)s, %(gpus)s, cannot be of this recipe on this card; calculated %(said_gib)s."
    ),
    "measured.memory.silent": _(
        "A measured run on %(accelerator)s, %(gpus)s, stopped at %(measured_gib)s (“%(memory_figure)s”), before the %(said_gib)s calculated: it does not contradict and says no more."
    ),
    "measured.memory.too-far": _(
        "The measured memory does not carry over to the recommended variant: the recipe or the layout differs too much."
    ),
    "measured.memory.agrees": _(
        "The measured memory agrees with the calculation: the typical figure of the recommended variant stays, its range narrows as far as the run is like it."
    ),
    "measured.memory.raised": _(
        "By the measurement the typical memory of the recommended variant is %(change_ratio)s higher."
    ),
    "measured.memory.lowered": _(
        "By the measurement the typical memory of the recommended variant is %(change_ratio)s lower."
    ),
    "measured.step.counted": _(
        "A measurement is taken into account: a step of %(measured_s)s on %(accelerator)s, %(gpus)s; calculated for the same run %(said_s)s."
    ),
    "measured.step.contradicts": _(
        "A measurement contradicts the calculation: a step of %(measured_s)s on %(accelerator)s, %(gpus)s; calculated for the same run %(said_s)s. The range of the time stays wide until it is clear how the run differs from the recipe."
    ),
    "measured.step.impossible": _(
        "A measurement is not counted: a step of %(measured_s)s on %(accelerator)s, %(gpus)s, would be faster than the card can compute; calculated %(said_s)s."
    ),
    "measured.step.too-far": _(
        "The measured step does not carry over to the recommended variant: the card, the recipe or the layout differs too much."
    ),
    "measured.step.agrees": _(
        "The measured step agrees with the calculation: the typical time of the recommended variant stays, its range narrows as far as the run is like it."
    ),
    "measured.step.raised": _(
        "By the measurement the typical step of the recommended variant is %(change_ratio)s longer."
    ),
    "measured.step.lowered": _(
        "By the measurement the typical step of the recommended variant is %(change_ratio)s shorter."
    ),
}
