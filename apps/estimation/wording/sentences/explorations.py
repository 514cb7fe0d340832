"""Methods side by side, what makes it fit, and how far a recipe may go."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "explore.reason.not-asked": _("Not worked out: the platform is given, and nobody asked."),
    "explore.reason.not-enough-known": _(
        "Not worked out: without the size of the model there is nothing to compare."
    ),
    "methods.reason.from-scratch": _(
        "Does not apply: adapters are added to a ready model, and training from scratch has none."
    ),
    "methods.reason.no-linear-layers": _(
        "Does not apply as far as is known: adapters stand on linear layers of a transformer, and the layers of this model are not stated."
    ),
    "methods.reason.quantised-images": _(
        "Not compared: for training of image models on a quantised base there are neither measured runs nor a settled practice."
    ),
    "methods.cost.all-weights": _(
        "All weights change: the most freedom, and the risk of losing what the model could before. Check general abilities beside the target metric."
    ),
    "methods.cost.part": _(
        "Only the upper part changes: the lower layers stay as they were, whether they suit the data or not."
    ),
    "methods.cost.from-scratch": _(
        "Everything is learned anew: quality rests on the data and on the experiments, not on a ready model."
    ),
    "methods.cost.adapters": _(
        "Small matrices are trained beside the frozen model: on a narrow task usually near full training, on new knowledge or a new language it may fall behind. Check on held-out data."
    ),
    "methods.cost.quantised-base": _(
        "The limits of LoRA, and the base rounded to about 4 bits: an error of its own to be checked on your data; unpacking makes the step longer."
    ),
    "methods.cost.base-stays": _(
        "Fewer trained parameters, but the base and the activations still take memory."
    ),
    "methods.check.targets": _("target layers and rank"),
    "methods.check.activations": _("memory of the activations at the full length"),
    "methods.check.quantisation": _(
        "whether the framework supports the quantisation on this card, and how the adapter is merged back"
    ),
    "methods.check.states": _("gradients, optimizer states, size and frequency of checkpoints"),
    "methods.check.scratch": _(
        "the dataset, the length of the run, how the speed scales, the budget of experiments"
    ),
    "methods.check.images": _("size of the images, augmentations, speed of loading"),
    "limits.reason.size-unknown": _("Not searched: the size of the model is not known."),
    "limits.reason.images": _("There is no sequence length: the model takes images."),
    "limits.reason.batch-unknown": _(
        "Not searched: the micro-batch is not known, and any length would be a guess."
    ),
    "limits.reason.length-unknown": _(
        "Not searched: the sequence length is not known, and any batch would be a guess."
    ),
    "limits.reason.image-size-unknown": _(
        "Not searched: the size of the images is not known, and any batch would be a guess."
    ),
    "limits.reason.not-even-the-least": _("Not even %(least)s leaves the reserve free."),
    "limits.reason.no-count": _("No number of %(accelerator)s in the catalog holds the task."),
}
