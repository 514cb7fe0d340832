"""What the engine said, in words of the active language.

The engine stores keys and parameters, so one snapshot prints in every language. Nothing here
raises on a key, field or code without words: a page or a document with one quoted code is better
than none. The gap is logged, and the tests hold the tables complete.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import pgettext

from apps.catalog.releases import known_catalog
from apps.core import formatting
from apps.core.verdict_words import verdict_word
from apps.estimation.wording import codes, values
from apps.estimation.wording.fields import FIELD_LABELS, FIELD_UNITS
from apps.estimation.wording.parameters import parameter_text
from apps.estimation.wording.sentences import SENTENCES
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.to_task import TASK_FIELDS
from apps.sizing.messages import Message

logger = logging.getLogger(__name__)


def _quoted(code: object) -> str:
    return pgettext("code without words", "“%(code)s”") % {"code": code}


def _word(table: Mapping[str, str | Promise], code: str | None, what: str) -> str:
    if code is None:
        return formatting.not_given()
    if code not in table:
        logger.error("no words for the %s %r", what, code)
        return _quoted(code)
    return str(table[code])


def field_label(path: str) -> str:
    """`recipe.micro_batch` as a short noun."""
    return _word(FIELD_LABELS, path, "task field")


def estimator_name(key: str) -> str:
    return _word(values.ESTIMATORS, key, "estimator")


def component_name(key: str) -> str:
    """A part of the memory."""
    return _word(values.COMPONENTS, key, "part of memory")


def accelerator_name(accelerator: str | None) -> str:
    """The catalog's name of an accelerator; its id when the catalog does not know it."""
    card = known_catalog().accelerators.get(accelerator or "")
    return card.name if card else accelerator or formatting.not_given()


def variant_name(key: str) -> str:
    """`V2` in words."""
    return _word(values.VARIANTS, key, "variant")


def status_sentence(status: str) -> str:
    return _word(values.STATUSES, status, "status of a result")


def code_word(kind: str, code: str | None) -> str:
    """A code of the result document in words; `kind` is a key of `codes.CODES`."""
    return _word(codes.CODES.get(kind, {}), code, kind)


def in_order(kind: str, parts: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The parts of a whole in the order people expect: a stored document has its keys sorted."""
    order = values.COMPONENTS if kind == "component" else codes.CODES.get(kind, {})
    known = [(code, parts[code]) for code in order if code in parts]
    return known + [(code, part) for code, part in parts.items() if code not in order]


def value_text(path: str, value: Any) -> str:
    """The value of a task field with its unit, as its label's companion."""
    if value is None:
        return formatting.not_given()
    if isinstance(value, bool):
        return str(values.YES if value else values.NO)
    if isinstance(value, list | tuple):
        return ", ".join(value_text(path, v) for v in value)
    if path == "placement.accelerator":
        return accelerator_name(value)
    if isinstance(value, str):
        return _chosen(path, value)
    unit = FIELD_UNITS.get(path, "")
    if unit == "bytes":
        return formatting.byte_size_both(value)
    if unit == "params_million":
        # «42 M», never «0.042 B»: adapters are small beside their model.
        return pgettext("parameters", "%(count)s M") % {"count": formatting.number(value)}
    return formatting.quantity(value, unit)


def _chosen(path: str, value: str) -> str:
    """One of several words: as sentences say it, else as the question offers it, else as it is."""
    labels = values.VALUE_LABELS.get(path, {})
    if value in labels:
        return str(labels[value])
    key = TASK_FIELDS.get(path)
    option = QUESTIONS[key].option(value) if key else None
    return str(option.label) if option else value


def _parameter(name: str, value: Any, params: Mapping[str, Any]) -> str:
    """One parameter of a sentence. Names decide: see the module `wording.parameters` for units."""
    if name == "value" and isinstance(params.get("field"), str):
        return value_text(params["field"], value)
    if name == "verdict" or name.endswith("_verdict"):
        return verdict_word(value)
    if isinstance(value, str):
        return _named(name, value)
    text = parameter_text(name, value)
    if text is not None:
        return text
    if isinstance(value, bool):
        return str(values.YES if value else values.NO)
    if isinstance(value, int | float):
        return formatting.number(value)
    return formatting.not_given() if value is None else str(value)


def _named(name: str, value: str) -> str:
    """A text parameter: a field's label, the word of a code, or a name that stays as it is.

    `old_x` is what `x` was; `fields` are names of the model's fields.
    """
    name = name.removeprefix("old_")
    if name == "field" or name.endswith("_field"):
        return field_label(value)
    if name == "fields":
        return ", ".join(_quoted(field_label(f"model.{one}")) for one in value.split(", "))
    if name == "accelerator":
        return accelerator_name(value)
    if name == "estimator":
        return estimator_name(value)
    if name == "component":
        return component_name(value)
    if name in codes.CODES:
        return code_word(name, value)
    return value


def sentence(message: Message | Mapping[str, Any] | None) -> str:
    """An engine message as one sentence; None is an empty text."""
    if message is None:
        return ""
    if isinstance(message, Message):
        message = message.as_dict()
    key, params = message["key"], message.get("params") or {}
    template = SENTENCES.get(key)
    if template is None:
        logger.error("no sentence for the message %r", key)
        return _quoted(key)
    texts = {name: _parameter(name, value, params) for name, value in params.items()}
    try:
        return str(template) % texts
    except (KeyError, ValueError):
        logger.exception("the sentence %r does not fit its parameters %s", key, sorted(texts))
        return _quoted(key)


def sentences(messages: Iterable[Message | Mapping[str, Any]]) -> list[str]:
    """Each message once, in the order they came."""
    return list(dict.fromkeys(sentence(m) for m in messages))
