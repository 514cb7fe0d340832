"""How a requisition may end without an assessment, as names with words.

A redirect names another way that comes first, a rejection the kind of its reason. Both end in a
short document; the answers are kept, and the client may open the next revision.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class OtherWay(models.TextChoices):
    """Where a redirect leads."""

    RAG = "rag", _("Search over documents (RAG) first")
    INFERENCE = "inference", _("A server for inference, not for training")
    PILOT = "pilot", _("A pilot on rented GPUs first")
    CLOUD = "cloud", _("Decide between own and rented first")


class Refusal(models.TextChoices):
    """Why a requisition is rejected."""

    NO_DATA = "no-data", _("Too little is known, and nobody can find it out now")
    INFEASIBLE = "infeasible", _("The task cannot be done within the stated limits")
    OUT_OF_SCOPE = "out-of-scope", _("It is not a matter of a training server")
    DUPLICATE = "duplicate", _("The same task is assessed in another requisition")
    OTHER = "other", _("Another reason")
