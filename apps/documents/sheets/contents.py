"""Every part of the document in its order, and which of them are appendices."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from apps.documents.sheets.acceptance import acceptance_of
from apps.documents.sheets.answers import answers_of
from apps.documents.sheets.approval import approvals_of
from apps.documents.sheets.changes import changes_of
from apps.documents.sheets.checklist import checklist_of
from apps.documents.sheets.derivation import derivation_sheet_of
from apps.documents.sheets.differs import points_of
from apps.documents.sheets.fit import fit_of
from apps.documents.sheets.glossary import glossary_of
from apps.documents.sheets.grounds import grounds_of
from apps.documents.sheets.host import host_of
from apps.documents.sheets.inputs import inputs_of
from apps.documents.sheets.matrix import matrix_of
from apps.documents.sheets.memory import memory_of
from apps.documents.sheets.methods import methods_sheet_of
from apps.documents.sheets.need import need_of
from apps.documents.sheets.offers import offers_sheet_of
from apps.documents.sheets.ownership import ownership_of
from apps.documents.sheets.pace import pace_of
from apps.documents.sheets.pilot import Pilot
from apps.documents.sheets.plan import plan_sheet_of
from apps.documents.sheets.programme import programme_sheet_of
from apps.documents.sheets.questions import questions_of
from apps.documents.sheets.rack import rack_of
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.risks import risks_of
from apps.documents.sheets.scope import scope_of
from apps.documents.sheets.sources import sources_of
from apps.documents.sheets.storage import storage_of
from apps.documents.sheets.summary import Summary
from apps.documents.sheets.variants import Variant

# Title, name of the template, content; the name is the anchor of the part as well.
Part = tuple[str, str, Any]

# Parts that stand after the body, each under a letter.
APPENDICES: Final = frozenset({"answers_all", "derivation", "sources", "glossary"})


def contents_of(
    reading: Reading, variants: tuple[Variant, ...], summary: Summary, pilot: Pilot
) -> tuple[Part, ...]:
    """The parts that have something to say: the method first, then memory, then the variants."""
    changes = changes_of(reading)
    after_need: tuple[Part, ...] = (
        (_("Task and input"), "inputs", inputs_of(reading)),
        (changes.title, "changes", changes),
        (_("Assumptions"), "grounds", grounds_of(reading)),
        (_("Methods: full, LoRA, QLoRA"), "methods", methods_sheet_of(reading)),
        (
            _("Memory"),
            "memory",
            memory_of(reading, variants, drawn_before=not summary.draws_cycle),
        ),
        (_("What makes it fit"), "fit", fit_of(reading)),
        (_("Exchange and time"), "pace", pace_of(reading, variants)),
        (_("Series of runs and what speed takes"), "programme", programme_sheet_of(reading)),
        (_("Data and storage"), "storage", storage_of(reading, variants)),
        (_("CPU and RAM"), "host", host_of(variants)),
        (_("Rack, power, cooling"), "rack", rack_of(reading, variants)),
        (_("Variants of the platform"), "matrix", matrix_of(reading, variants)),
        (_("What else there is"), "plan", plan_sheet_of(reading)),
        (_("Own, rented or both"), "ownership", ownership_of(reading)),
        (_("Risks"), "risks", risks_of(reading, variants)),
        (_("Open questions"), "questions", questions_of(reading)),
        (_("Pilot"), "pilot", pilot),
        (_("Programme of acceptance"), "acceptance", acceptance_of(variants)),
        (_("Before the purchase"), "checklist", checklist_of(reading, variants)),
        (_("Comparison of offers"), "offers", offers_sheet_of(reading, variants)),
        (_("Out of scope"), "scope", scope_of(variants)),
        (_("Approval and revisions"), "approval", approvals_of(reading)),
    )
    said = tuple(part for part in after_need if part[2].conclusion)
    numbers = {name: number for number, (_title, name, _content) in enumerate(said, start=2)}
    need = need_of(reading, points_of(numbers))
    return ((_("Whether training is needed"), "need", need), *said, *_appendices(reading, said))


def _appendices(reading: Reading, body: tuple[Part, ...]) -> tuple[Part, ...]:
    """What is looked up, not read."""
    found: tuple[Part, ...] = (
        (_("All answers: technical specification"), "answers_all", answers_of(reading)),
        (_("How the figures came about"), "derivation", derivation_sheet_of(reading)),
        (_("Sources"), "sources", sources_of(reading)),
        (_("Words of this document"), "glossary", glossary_of(reading, body)),
    )
    return tuple(part for part in found if part[2].conclusion)
