"""What kinds of run nobody has measured."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "evidence.gap.framework": _("No measured runs of this framework."),
    "evidence.gap.framework-unknown": _(
        "The framework is not known, so no measured runs stand for it."
    ),
    "evidence.gap.card": _("No measured runs on this card."),
    "evidence.gap.card-of-family": _(
        "No measured runs on this card to check against: its speed follows published runs of its family."
    ),
    "evidence.gap.card-untimed": _(
        "On this card only memory was measured, not the time of a step."
    ),
    "evidence.gap.pcie-exchange": _(
        "No measured exchange between several cards of this form factor."
    ),
    "evidence.gap.optimizer": _("No measured runs with this optimizer."),
    "evidence.gap.quantization": _("No measured runs with this quantization."),
    "evidence.gap.mixture": _("No measured runs of a model with experts."),
    "evidence.gap.guessed-shape": _("The dimensions of the model are guessed from its size."),
    "evidence.gap.encoder": _("No measured runs of this kind of model (encoder)."),
    "evidence.gap.multimodal": _("No measured runs of a model of text and images."),
    "evidence.gap.images": _("No measured runs of a model of images of this kind."),
    "evidence.gap.preference": _("No measured runs of training on preferences."),
    "evidence.gap.online": _("No measured runs of reinforcement with generation."),
    "evidence.gap.frozen-part": _("No measured runs with a part of the layers frozen."),
    "evidence.gap.decomposed": _("No measured runs of DoRA."),
    "evidence.gap.offload": _("No measured runs with this offload."),
    "evidence.gap.low-precision": _("No measured runs in this low precision."),
    "evidence.gap.eager": _("No measured runs with the plain attention kernel."),
    "evidence.differs": _("“%(field)s” of the run: %(value)s."),
}
