"""The working calendar as rows: an administrator's rows stand before what comes with the product."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from apps.worktime.sizes import SizeClass


def _span_whole() -> Q:
    """Both ends of the working hours, in their order, or none on a day off."""
    return Q(opens__isnull=True, closes__isnull=True) | Q(
        opens__isnull=False, closes__isnull=False, opens__lt=F("closes")
    )


class WeekDay(models.Model):
    """Usual hours of a day of the week; Monday is 0. Without hours it is a day off."""

    weekday = models.PositiveSmallIntegerField(primary_key=True)
    opens = models.TimeField(null=True, blank=True)
    closes = models.TimeField(null=True, blank=True)

    class Meta:
        ordering = ["weekday"]
        constraints = [
            models.CheckConstraint(condition=Q(weekday__lt=7), name="weekday_of_a_week"),
            models.CheckConstraint(condition=_span_whole(), name="weekday_hours_whole"),
        ]

    def __str__(self) -> str:
        return f"{self.weekday} {self.opens}-{self.closes}"


class SpecialDay(models.Model):
    """A day that is unlike its day of the week: a day off, a short day, a working Saturday."""

    day = models.DateField(primary_key=True)
    opens = models.TimeField(null=True, blank=True)
    closes = models.TimeField(null=True, blank=True)
    note = models.CharField(max_length=200, default="", blank=True)

    class Meta:
        ordering = ["day"]
        constraints = [
            models.CheckConstraint(condition=_span_whole(), name="special_day_hours_whole"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.opens}-{self.closes}"


class Target(models.Model):
    """In how many working hours a requisition of a class is first looked at, and ready."""

    size_class = models.CharField(
        _("class"), max_length=10, choices=SizeClass.choices, primary_key=True
    )
    first_look_hours = models.PositiveSmallIntegerField()
    ready_hours = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["size_class"]
        constraints = [
            models.CheckConstraint(
                condition=Q(first_look_hours__gt=0, ready_hours__gte=F("first_look_hours")),
                name="target_hours_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.size_class} {self.ready_hours}"
