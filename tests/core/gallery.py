"""Every component with every state, as one page: what the gallery's template is given."""

import datetime as dt
from typing import Any

from django.utils.translation import gettext

from apps import charts as c
from apps.core.formatting import approximate
from apps.core.icons import ICONS
from apps.sizing.ranges import Range

STATES = ("fits", "tight", "risk", "does-not-fit", "unknown", "info")
KINDS = ("client", "catalog", "computed", "engineer", "pilot")


def context() -> dict[str, Any]:
    return {
        "heading": "Детали интерфейса",
        "states": STATES,
        "kinds": KINDS,
        "icons": sorted(ICONS),
        "memory": Range(42, 59.2, 67),
        "power": Range(3.4, 3.95, 4.3),
        "time": Range(92, 106, 131),
        "exact": Range.exact(7.5),
        "bytes": 482e9,
        "day": dt.date(2026, 11, 28),
        "problems": [{"anchor": "deadline", "message": "Введите срок числом, например 72 часа"}],
        "cells": _cells(),
        "label": "Главные величины",
        "items": _figures(),
        "questions": questions(),
        "summary": _summary(),
        "open": _open_questions(),
        "checks": _checks(),
        "steps": _steps(),
        "runs": _runs(),
        "head": [{"text": "Часть"}, {"text": "ГиБ", "right": True}, {"text": "Вердикт"}],
        "rows": _rows(),
        "charts": _charts(),
    }


def _cells() -> list[dict[str, str]]:
    return [
        {"label": "Заявка", "value": "ЗС-0042", "kind": "no"},
        {"label": "Редакция", "value": "B", "kind": "rev"},
        {"label": "Клиент", "value": "Ладога Текст", "kind": "m"},
        {
            "label": "Задача",
            "value": "Полное дообучение Llama-3.1-8B, 8 192 токена",
            "kind": "wide",
        },
        {"label": "Состояние", "value": "На проверке", "kind": ""},
    ]


def _figures() -> list[dict[str, str]]:
    return [
        {
            "label": "Память на GPU",
            "value": "42–67",
            "unit": "ГиБ",
            "state": "fits",
            "word": "помещается в 140",
        },
        {"label": "Число GPU", "value": "4–8", "unit": "", "state": "", "word": ""},
        {
            "label": "Время цикла",
            "value": "46–66",
            "unit": "ч",
            "state": "fits",
            "word": "в срок 72 ч",
        },
        {
            "label": "Хранение",
            "value": "0,9–1,2",
            "unit": "ТБ",
            "state": "does-not-fit",
            "word": "сейчас 0,5 ТБ",
        },
        {
            "label": "Стойка",
            "value": "3,4–4,3",
            "unit": "кВт",
            "state": "tight",
            "word": "впритык к 4,0",
        },
    ]


OPTIONS = [
    {"value": "full", "label": "Полный", "hint": "хранится только вход каждого слоя"},
    {"value": "none", "label": "Выключен", "checked": True},
]


def questions() -> list[dict[str, Any]]:
    return [_imported(), _wrong(), _offered(), _unknown(), *_plain()]


def _imported() -> dict[str, Any]:
    return {
        "id": "sequence",
        "name": "sequence",
        "kind": "number",
        "label": "Длина последовательности",
        "hint": "Сколько токенов модель видит за раз.",
        "unit": "токенов",
        "value": "8192",
        "echo": "= 8 192 токена",
        "origin": "file",
        "origin_detail": "train.yaml:14",
        "why": "От длины растут активации.",
        "influences": "память, время шага",
        "warning": "Длина больше, чем у модели.",
    }


def _wrong() -> dict[str, Any]:
    return {
        "id": "deadline",
        "name": "deadline",
        "kind": "number",
        "label": "Срок",
        "unit": "часов",
        "value": "побыстрее",
        "error": "Введите срок числом, например 72 часа",
        "no_unknown": True,
    }


def _offered() -> dict[str, Any]:
    return {
        "id": "recompute",
        "name": "recompute",
        "kind": "choice",
        "label": "Пересчёт активаций",
        "options": OPTIONS,
        "offer": "Если поле не задано, torchtune делает полный пересчёт.",
        "offer_label": "Подставить «Полный»",
        "origin": "none",
    }


def _unknown() -> dict[str, Any]:
    return {
        "id": "fused",
        "name": "fused",
        "kind": "choice",
        "label": "Fused cross-entropy",
        "options": OPTIONS,
        "unknown": True,
        "ball": 1,
        "unknown_cost": "Посчитаем оба случая: диапазон станет шире на 17 ГиБ.",
        "who": "Анна",
        "when": "4 декабря",
    }


def _plain() -> list[dict[str, Any]]:
    names = {"data": ("multi", "Что в данных"), "goal": ("long", "Цель")}
    return [
        {
            "id": k,
            "name": k,
            "kind": kind,
            "label": label,
            "options": OPTIONS,
            "value": "Изменить стиль",
            "no_unknown": True,
        }
        for k, (kind, label) in names.items()
    ]


def _summary() -> list[dict[str, Any]]:
    return [
        {"label": "Модель", "value": "Llama-3.1-8B", "provenance": "catalog", "change_url": "#"},
        {"label": "Fused cross-entropy", "unknown": True, "ball": 1, "change_url": "#"},
        {"label": "PDU"},
        {
            "label": "Срок",
            "value": "побыстрее",
            "provenance": "client",
            "error": "Введите число",
            "change_url": "#",
        },
    ]


def _open_questions() -> list[dict[str, Any]]:
    return [
        {
            "ball": 2,
            "text": "Время шага",
            "sub": "Срок V2: от 45 до 66 ч",
            "href": "#",
            "link": "Ответить",
        },
        {"ball": 5, "text": "Класс PDU", "sub": "", "href": "", "link": ""},
    ]


def _checks() -> list[dict[str, Any]]:
    return [
        {
            "state": "does-not-fit",
            "text": "Вопрос В5 без срока",
            "sub": "критичный",
            "href": "#",
            "link": "Назначить",
            "stop": True,
        },
        {"state": "tight", "text": "Артикул не подтверждён"},
        {"state": "fits", "text": "Остальные 10 условий"},
    ]


def _steps() -> list[dict[str, str]]:
    return [
        {"text": "Отправлена", "sub": "сегодня в 14:06", "state": "done"},
        {"text": "Идёт расчёт", "sub": "около минуты", "state": "now"},
        {"text": "Утверждена", "sub": "", "state": ""},
    ]


def _runs() -> list[dict[str, Any]]:
    return [
        {"state": "done", "name": "Память", "said": "42 – 59 – 67 ГиБ", "took": "1,2 с"},
        {"state": "running", "name": "Время", "said": "считаем", "took": "12 с"},
        {
            "state": "lacking",
            "name": "Стойка",
            "said": "класс PDU",
            "href": "#",
            "link": "Ответить",
        },
        {"state": "failed", "name": "Связь", "said": "расчёт прервался", "took": ""},
        {"state": "queued", "name": "Хранение", "said": "", "took": ""},
    ]


def _rows() -> list[dict[str, Any]]:
    return [
        {
            "head": "Веса",
            "cells": [{"text": "7,5", "right": True, "heading": "ГиБ"}, {"state": "fits"}],
        },
        {
            "head": "Всего",
            "sub": "пик",
            "total": True,
            "cells": [{"text": "59,2", "right": True, "heading": "ГиБ"}, {"text": "–"}],
        },
    ]


def _bar(
    key: str, name: str, high: float, capacity_gib: float, status: str, word: str
) -> c.MemoryBar:
    parts = {"weights": 7.5, "gradients": 7.5, "optimizer": 15, "activations": high * 0.3}
    return c.MemoryBar(
        key=key,
        name=name,
        hardware="4× H200 NVL 141",
        components_gib=parts,
        device_gib=Range(high * 0.7, high * 0.85, high),
        capacity_gib=capacity_gib,
        status=status,
        word=word,
    )


def _charts() -> list[dict[str, Any]]:
    bars = [
        _bar("V1", "Минимальный", 98, 93.6, "risk", "риск"),
        _bar("V2", "Комфортный узел", 67, 140.4, "fits", "помещается"),
    ]
    labels = c.MemoryLabels().translated(gettext)
    drawing = c.memory_chart(bars, weights_only_gib=15, labels=labels, number=approximate)
    return [
        {
            "caption": "Память хватает на одном варианте",
            "unit": "ГиБ на один GPU",
            "drawing": drawing,
        }
    ]
