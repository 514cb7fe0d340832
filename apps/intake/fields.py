"""A question with its answer, as the field partial shows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from apps.catalog.card_names import accelerator_names, accelerators_meant
from apps.catalog.published import published_names
from apps.intake.model_echo import ModelEcho, model_echo
from apps.intake.navigation import Place
from apps.intake.offers import Offers
from apps.intake.posted import Typed
from apps.intake.selectors import Draft
from apps.questionnaire.answers import AnswerValue, RawAnswer, read_answer
from apps.questionnaire.echo import echo
from apps.questionnaire.glossary import terms_of
from apps.questionnaire.influences import influence_names
from apps.questionnaire.problem import Problem
from apps.questionnaire.question import Influence, Kind, Option, Question
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.sentences import Text

_MOST_RADIOS: Final = 9
_MOST_CARDS: Final = 6
_WISH: Final = "hardware_wish"
_COUNT: Final = re.compile(r"^\s*[0-9]{1,4}\s*(?:[xх×*]|шт\w*\.?|карт\w*|gpus?)?\s*", re.IGNORECASE)
_COSTS: Final = {
    3: gettext_lazy(
        "We will write it down as an open question and compute several cases: the range gets much wider."
    ),
    2: gettext_lazy(
        "We will write it down as an open question and compute several cases: the range gets wider."
    ),
    1: gettext_lazy("We will write it down as an open question; it moves the result little."),
    0: gettext_lazy(
        "We will write it down as an open question: no figure rests on it, a decision may."
    ),
}
_SUGGESTED: Final[Mapping[str, Callable[[], tuple[str, ...]]]] = {
    "model_name": published_names,
    "measured_card": accelerator_names,
}
_CHIPS: Final = frozenset({"words", "file", "default", "guess", "earlier", "typical"})


def field_id(key: str) -> str:
    return f"q-{key}"


def fields_of(
    draft: Draft,
    questions: Iterable[Question],
    *,
    unsaved: Mapping[str, Typed] | None = None,
    swapped: bool = False,
) -> list[dict[str, Any]]:
    """The fields of a page, in order; `unsaved` are answers shown back without being stored."""
    shown, offers = unsaved or {}, Offers(draft)
    return [_field(draft, q, shown.get(q.key), offers, swapped=swapped) for q in questions]


def slots_of(
    draft: Draft, place: Place, *, unsaved: Mapping[str, Typed] | None = None
) -> list[dict[str, Any]]:
    """A place for every question that the page may ever show; empty while it is not asked."""
    asked = {f["name"]: f for f in fields_of(draft, place.page.questions, unsaved=unsaved)}
    whole = next(page for page in place.section.pages if page.key == place.page.key)
    return [{"key": q.key, "field": asked.get(q.key)} for q in whole.questions]


def problems_of(slots: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The errors of a page for its summary, each with the field it belongs to."""
    fields = [slot["field"] for slot in slots if slot["field"]]
    return [
        {
            "anchor": f["id"],
            "name": f["name"],
            "message": f"{QUESTIONS[f['name']].name}: {f['error']}",
        }
        for f in fields
        if f["error"]
    ]


def _field(
    draft: Draft, question: Question, typed: Typed | None, offers: Offers, *, swapped: bool
) -> dict[str, Any]:
    key = question.key
    answer = _answer(draft, question, typed)
    raw = answer.raw
    offer = offers.of(question)
    return {
        "id": field_id(key),
        "slot": f"slot-{key}",
        "swapped": swapped,
        "name": key,
        "kind": _kind(question),
        "label": question.label,
        "optional": question.optional,
        "hint": question.hint,
        "examples": "; ".join(str(e) for e in question.examples),
        "unit": _unit(question),
        "value": raw.text,
        "options": _options(question, raw),
        "suggestions": _SUGGESTED[key]() if key in _SUGGESTED else (),
        "autocomplete": question.autocomplete,
        "error": _first(draft.evaluated.errors, key) if typed is None else answer.error,
        "warning": _first(draft.evaluated.warnings, key) if typed is None else None,
        "note": raw.note if raw.provenance not in _CHIPS else "",
        **echo_parts(answer),
        "echo_url": _echo_url(draft, key) if _echoes(question) else "",
        "why": question.why,
        "influences": influence_names(question),
        "terms": terms_of(key),
        "origin": raw.provenance if raw.provenance in _CHIPS and not raw.blank else "",
        # A guest is told how a value came here, not out of which paper of the client's.
        "origin_detail": raw.note if raw.provenance in _CHIPS and draft.guest is None else "",
        "offer": offer.text if offer else "",
        "offer_label": offer.label if offer else "",
        "no_unknown": not question.accepts_unknown,
        "unknown": raw.unknown,
        "unknown_cost": _cost(question),
        "who": raw.who,
        "when": raw.when,
        "version": typed.base_version if typed else draft.version(key),
    }


def _cost(question: Question) -> Text:
    """What not knowing costs; of what no figure rests on, that the engineer will ask."""
    if question.influences == (Influence.REVIEW,):
        return _COSTS[0]
    return _COSTS[question.weight]


def _answer(draft: Draft, question: Question, typed: Typed | None) -> AnswerValue:
    if typed is not None:
        return read_answer(question, typed.answer)
    known = draft.evaluated.answers.get(question.key)
    return known or read_answer(question, draft.raw.get(question.key, RawAnswer()))


def _first(problems: Iterable[Problem], key: str) -> str:
    return next((str(p.message) for p in problems if p.key == key), "")


def _kind(question: Question) -> str:
    if question.kind is Kind.MULTI:
        return "multi"
    if question.kind is Kind.BOOLEAN:
        return "choice"
    if question.kind is Kind.CHOICE:
        return "choice" if len(question.options) <= _MOST_RADIOS else "select"
    if question.kind is Kind.LONG:
        return "long"
    return "number" if question.numeric else "text"


def _unit(question: Question) -> str:
    """What stands beside the field: the unit that a bare number is read in."""
    if question.unit is not None:
        return str(question.unit.beside)
    return str(UNITS_BESIDE.get(question.key, ""))


UNITS_BESIDE: Final = {
    "dataset_bytes": gettext_lazy("GB, TB"),
    "unpacked_bytes": gettext_lazy("GB, TB"),
    "intermediate_bytes": gettext_lazy("GB, TB"),
    "disk_bytes": gettext_lazy("GB, TB"),
    "target_time": gettext_lazy("hours, days"),
    "cycle_every": gettext_lazy("days, weeks"),
    "rent_period": gettext_lazy("months, weeks"),
    "kw_usable": gettext_lazy("kW"),
    "depth_mm": gettext_lazy("mm"),
    "floor_kg": gettext_lazy("kg"),
    "cycle_share": "%",
    "busy_share": "%",
    "measured_allocated": gettext_lazy("GiB"),
    "measured_reserved": gettext_lazy("GiB"),
    "measured_device": gettext_lazy("GiB"),
    "measured_other_peak": gettext_lazy("GiB"),
    "measured_rest": gettext_lazy("GiB"),
    "measured_wait": "%",
}


def _options(question: Question, raw: RawAnswer) -> list[dict[str, Any]]:
    options: tuple[Option, ...] = question.options
    if question.kind is Kind.BOOLEAN:
        options = (
            Option("yes", pgettext("answer", "Yes")),
            Option("no", pgettext("answer", "No")),
        )
    chosen = (raw.value,) if isinstance(raw.value, str) else raw.value
    return [
        {"value": o.value, "label": o.label, "hint": o.hint, "checked": o.value in chosen}
        for o in options
    ]


def _echo_url(draft: Draft, key: str) -> str:
    if draft.guest is None:
        return reverse("intake:echo", args=[key])
    return reverse("intake:guest-echo", args=[draft.guest.pk, key])


def _echoes(question: Question) -> bool:
    return question.numeric or question.kind is Kind.DATE or question.key in {*_SUGGESTED, _WISH}


def echo_parts(answer: AnswerValue) -> dict[str, Any]:
    """What was understood, and what to choose from where a name could mean several models."""
    meant = ModelEcho(text=echo_text(answer))
    if answer.question.key == "model_name" and isinstance(answer.parsed, str):
        meant = model_echo(answer.parsed)
    return {
        "echo": meant.text,
        "picks": meant.picks,
        "picks_lead": meant.lead,
        "picks_after": meant.after,
    }


def echo_text(answer: AnswerValue) -> str:
    """What was understood; of a card that the catalog knows, what it is."""
    if answer.question.key == "measured_card" and isinstance(answer.parsed, str):
        return _card_echo(answer.parsed)
    if answer.question.key == _WISH and isinstance(answer.parsed, str):
        return _wish_echo(answer.parsed)
    return echo(answer.question, answer.parsed)


def _card_echo(name: str) -> str:
    found = accelerators_meant(name)
    if not found:
        return _("The catalog does not know this card: the run will be shown, not counted.")
    names = ", ".join(card.name for card in found[:_MOST_CARDS])
    if len(found) > 1:
        return _("Several could be meant, say which: %(names)s.") % {"names": names}
    return _("= %(name)s in the catalog") % {"name": names}


def _wish_echo(wish: str) -> str:
    """A name that stands for several cards is asked back: the wish chooses none of them."""
    asked = []
    for part in wish.replace(",", ";").split(";"):
        name = _COUNT.sub("", part).strip()
        meant = [card.name for card in accelerators_meant(name)]
        if len(meant) > 1:
            names = ", ".join(meant[:_MOST_CARDS])
            asked.append(
                _("“%(name)s” may be one of several, say which: %(names)s.")
                % {"name": name, "names": names}
            )
    return " ".join(dict.fromkeys(asked))


def typed_echo(question: Question, text: str) -> dict[str, Any]:
    """The echo of a text that is being typed, or why it is not understood; for the template."""
    answer = read_answer(question, RawAnswer(text))
    said = {"echo": str(answer.error)} if answer.error else echo_parts(answer)
    return {"q": {"name": question.key, **said}}
