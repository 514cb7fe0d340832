"""Classes of work by their size."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class SizeClass(models.TextChoices):
    """A large one takes longer than a usual one."""

    USUAL = "usual", _("usual")
    LARGE = "large", _("large")
