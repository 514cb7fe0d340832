"""What the catalog understands by the name of a model: its dimensions, and what else is meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.catalog.model_search import models_fully_like, models_like
from apps.catalog.published import architecture_named
from apps.core import formatting
from apps.sizing.facts import Architecture

_MOST_PICKS: Final = 5
_MOST_OTHERS: Final = 4
_MILLION, _BILLION, _DIGITS = 1e6, 1e9, 3


@dataclass(frozen=True, slots=True)
class Pick:
    """A model to take with a button: `value` is the name that is stored."""

    value: str
    label: str
    about: str


@dataclass(frozen=True, slots=True)
class ModelEcho:
    """`lead` stands before the buttons, `after` behind them: the way on when none is right."""

    text: str = ""
    lead: str = ""
    picks: tuple[Pick, ...] = ()
    after: str = ""


def model_echo(name: str) -> ModelEcho:
    """Read a name as it was typed."""
    found = architecture_named(name)
    if found is not None:
        others = _others(name, found)
        lead = _("Is it another one?") if others else ""
        return ModelEcho(text=_described(found), lead=lead, picks=others)
    after = _(
        "If it is none of them: choose the kind of model and give the number of parameters below, or choose “Our own architecture” above."
    )
    near = tuple(_pick(a) for a in models_like(name, _MOST_PICKS))
    if near:
        text = _("The catalog does not know this name. Near it are:")
        return ModelEcho(text=text, picks=near, after=after)
    text = _(
        "The catalog does not know this name: choose the kind of model and give the number of parameters below."
    )
    return ModelEcho(text=text)


def _others(name: str, found: Architecture) -> tuple[Pick, ...]:
    """What the same words could mean; nothing for the catalog's own full name."""
    if name.strip().casefold() == found.name.casefold():
        return ()
    alike = models_fully_like(name, _MOST_OTHERS + 1)
    return tuple(_pick(a) for a in alike if a.name != found.name)[:_MOST_OTHERS]


def _pick(architecture: Architecture) -> Pick:
    return Pick(architecture.name, _short(architecture), _size(architecture.params))


def _short(architecture: Architecture) -> str:
    return architecture.name.rsplit("/", maxsplit=1)[-1]


def _size(params_count: float) -> str:
    """Counted from the architecture, three digits of it."""
    if params_count < _BILLION:
        shown = formatting.approximate(params_count / _MILLION, _DIGITS)
        return _("%(count)s million parameters") % {"count": shown}
    shown = formatting.approximate(params_count / _BILLION, _DIGITS)
    return _("%(count)s billion parameters") % {"count": shown}


def _described(architecture: Architecture) -> str:
    parts = "; ".join(_parts(architecture))
    return _("= %(name)s in the catalog, %(parts)s") % {
        "name": _short(architecture),
        "parts": parts,
    }


def _parts(architecture: Architecture) -> Iterator[str]:
    """The dimensions, as the architecture gives them."""
    yield _size(architecture.params)
    if architecture.active_params < architecture.params:
        yield _("on one token work %(size)s") % {"size": _size(architecture.active_params)}
    shown = (
        (_("layers: %(count)s"), architecture.layers),
        (_("hidden size: %(count)s"), architecture.hidden),
        (_("vocabulary: %(count)s"), architecture.vocab),
        (_("length up to %(count)s tokens"), architecture.extra.get("max_pos")),
        (_("image side %(count)s px"), architecture.extra.get("reference_image_size")),
    )
    for pattern, count in shown:
        if count:
            yield pattern % {"count": formatting.number(count)}
