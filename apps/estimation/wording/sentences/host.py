"""Host: CPU cores and RAM."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "host.assumption.ram-ratio-is-a-guide": _(
        "RAM of one to two times the memory of the GPUs is a guide to start from, not a rule."
    ),
    "host.assumption.preprocessing": _(
        "How heavy the preprocessing is was not stated; it is taken as usual for this data (%(value)s)."
    ),
    "host.assumption.shared-host": _("The server is shared (%(value)s), so RAM is taken larger."),
    "host.advice.decode-elsewhere": _(
        "The processors of this server give %(cores)s cores at most: decode and prepare the data beforehand or on the GPUs."
    ),
    "host.advice.hardware-video-decoding": _(
        "Use the video decoders of the GPUs: on CPU cores video is the bottleneck."
    ),
    "host.advice.two-sockets": _(
        "With this many GPUs a server with two processors keeps the PCIe lanes from being shared."
    ),
    "host.warning.ram-below-vram": _(
        "RAM would be less than the memory of %(gpus)s of %(card_gb)s each: saving and loading checkpoints may not fit."
    ),
    "host.warning.load-copies": _(
        "If every process loads the model on its own, the copies take %(copies_gb)s of RAM: load it once and broadcast."
    ),
    "host.not-counted.other-work": _("Other work on the same host is not counted."),
    "host.reason.no-accelerator": _("RAM is not calculated: the accelerator is not known."),
}
