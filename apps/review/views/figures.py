"""How the work goes, in figures."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.accounts.models import Role
from apps.core.downloads import file_to_keep
from apps.core.spreadsheets import csv_text
from apps.review.access import for_roles
from apps.review.figures import ENOUGH, figures_over
from apps.review.forms_board import PERIODS_DAYS, PeriodForm
from apps.review.presenters.figures_page import figures_table, other_lines, time_lines

_READ_BY = (Role.MANAGER, Role.APPROVER, Role.ADMINISTRATOR)


@require_GET
@for_roles(*_READ_BY)
def figures(request: HttpRequest) -> HttpResponse:
    days = PeriodForm(request.GET).chosen()
    found = figures_over(days)
    context = {
        "days": days,
        "periods": PERIODS_DAYS,
        "figures": found,
        "times": time_lines(found),
        "others": other_lines(found),
        "enough": ENOUGH,
    }
    return render(request, "review/figures.html", context)


@require_GET
@for_roles(*_READ_BY)
def figures_csv(request: HttpRequest) -> HttpResponse:
    rows = figures_table(figures_over(PeriodForm(request.GET).chosen()))
    return file_to_keep(csv_text(rows), "text/csv; charset=utf-8", "figures.csv")
