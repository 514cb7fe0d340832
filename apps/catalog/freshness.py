"""When a fact has to be looked up again."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from django.utils import timezone

from apps.sizing.facts import Catalog

FACT_AGE: Final = "catalog.fact_age_days"


def fact_age_days(catalog: Catalog) -> int:
    """For how many days a fact counts as fresh; a row of the catalog itself."""
    return int(catalog.constants[FACT_AGE].typical)


def oldest_fresh_day(catalog: Catalog) -> date:
    """A fact of an earlier day is old."""
    return timezone.localdate() - timedelta(days=fact_age_days(catalog))
