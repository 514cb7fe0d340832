"""What we ask and why, for everybody, before anything is filled in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.core.searching import folded
from apps.intake.course import stages
from apps.questionnaire.glossary import TERMS
from apps.questionnaire.sections import SECTIONS
from apps.questionnaire.triples import TRIPLES


@require_GET
def prepare(request: HttpRequest) -> HttpResponse:
    """The sections with what to collect for each: to be printed and taken to colleagues."""
    asked = [(section, TRIPLES[section.key]) for section in SECTIONS if section.pages]
    return render(request, "intake/prepare.html", {"asked": asked})


@require_GET
def glossary(request: HttpRequest) -> HttpResponse:
    """The words of the questionnaire, sorted as the reader's language names them."""
    terms = sorted(TERMS, key=lambda term: folded(str(term.name)))
    return render(request, "intake/glossary.html", {"terms": terms})


@require_GET
def course(request: HttpRequest) -> HttpResponse:
    """The states of a requisition and who takes which step."""
    return render(request, "intake/course.html", {"stages": stages()})
