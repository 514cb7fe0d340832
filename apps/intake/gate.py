"""When the gate steps between the goal and the rest of the questionnaire."""

from __future__ import annotations

from apps.intake.selectors import Draft
from apps.questionnaire.sections import Section

GATE_SECTION = "goal"


def gate_stops(draft: Draft, section: Section) -> bool:
    """Another way is advised, and the client has not yet said why to go on all the same."""
    evaluated = draft.evaluated
    going_on = "continue_reason" in evaluated.effective
    return section.key == GATE_SECTION and evaluated.gate.advised and not going_on
