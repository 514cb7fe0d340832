"""The administrator's page of the working calendar."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from apps.accounts.access import for_roles, person
from apps.accounts.models import Role
from apps.worktime import services
from apps.worktime.arithmetic import Calendar
from apps.worktime.forms import DaysForm, ForgetForm, TargetForm, WeekForm
from apps.worktime.models import SpecialDay
from apps.worktime.selectors import calendar_now, shipped_days, targets_of
from apps.worktime.sizes import SizeClass

_SHOWN: Final = 35  # the preview: five weeks cover the next month


@require_http_methods(["GET", "POST"])
@for_roles(Role.ADMINISTRATOR)
def calendar(request: HttpRequest) -> HttpResponse:
    forms = {"week": WeekForm, "days": DaysForm, "forget": ForgetForm, "target": TargetForm}
    part = request.POST.get("part", "")
    if request.method == "POST" and part in forms:
        form = forms[part](request.POST)
        if form.is_valid():
            _save(request, part, form)
            messages.success(request, _("The calendar is changed."))
            return redirect("worktime:calendar")
        errors = [text for texts in form.errors.values() for text in texts]
        return render(request, "worktime/calendar.html", _context(request, errors), status=422)
    return render(request, "worktime/calendar.html", _context(request, []))


def _save(request: HttpRequest, part: str, form: Any) -> None:
    actor, data = person(request), form.cleaned_data
    if part == "week":
        services.week_set(actor=actor, week=form.week())
    elif part == "days":
        services.days_set(actor=actor, lines=data["days"])
    elif part == "forget":
        services.day_forget(actor=actor, day=data["day"])
    else:
        services.target_set(
            actor=actor,
            size_class=SizeClass(data["size_class"]),
            first_look_hours=data["first_look_hours"],
            ready_hours=data["ready_hours"],
        )


def _context(request: HttpRequest, errors: list[str]) -> dict[str, Any]:
    now = calendar_now()
    today = timezone.localdate()
    notes = {row.day: row.note for row in shipped_days()}
    own = list(SpecialDay.objects.all())
    notes |= {row.day: row.note for row in own}
    hours = timedelta(hours=1)
    sizes = [(size, targets_of(size, now)) for size in SizeClass]
    return {
        "errors": errors,
        "zone": now.zone.key,
        "week": [
            {"number": n, "name": WEEKDAYS[n], "span": span} for n, span in enumerate(now.week)
        ],
        "targets": [
            {"size": size, "first_look": int(t.first_look / hours), "ready": int(t.ready / hours)}
            for size, t in sizes
        ],
        "own": own,
        "days_text": request.POST.get("days", ""),
        "weeks": _weeks(now, today, notes),
        "sources": sorted({(row.source, row.as_of) for row in shipped_days()}),
    }


def _weeks(now: Calendar, today: date, notes: dict[date, str]) -> list[list[dict[str, Any]]]:
    """The next five weeks from this week's Monday, with the hours of each day."""
    monday = today - timedelta(days=today.weekday())
    days = [monday + timedelta(days=n) for n in range(_SHOWN)]
    cells = [
        {"day": day, "span": now.span(day), "note": notes.get(day, ""), "past": day < today}
        for day in days
    ]
    return [cells[n : n + 7] for n in range(0, len(cells), 7)]
