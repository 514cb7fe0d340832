"""Snapshots to print: made by the real questionnaire and engine, without a database."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from apps.catalog.evidence import with_comparison
from apps.catalog.facts import fixture_catalog
from apps.catalog.releases import fixture_contents
from apps.core.canonical import canonical_json
from apps.documents.facts import catalog_day, facts_used
from apps.documents.snapshot import (
    Approval,
    Edition,
    OverrideFact,
    Question,
    Remark,
    Snapshot,
    Step,
)
from apps.estimation.explanations import kept
from apps.estimation.services import context_around
from apps.questionnaire.answers import RawAnswer, evaluate
from apps.questionnaire.sections import QUESTIONS
from apps.questionnaire.to_task import TASK_FIELDS, to_context, to_task
from apps.sizing.assemble import assemble
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.explain.explanation import explain
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task
from tests.questionnaire.answers import REFERENCE

Answers = Mapping[str, RawAnswer]

# Full fine-tuning of the same model at 8 192 tokens, bought for years, in a rack of two feeds.
FULL: Answers = {
    **{k: v for k, v in REFERENCE.items() if k not in ("lora_rank", "lora_targets")},
    "method": RawAnswer("full"),
    "framework": RawAnswer("pytorch-fsdp2"),
    "sequence_length": RawAnswer("8192"),
    "micro_batch": RawAnswer("2"),
    "grad_accumulation": RawAnswer("4"),
    "packing": RawAnswer("yes"),
    "tokens": RawAnswer("1,2 млрд"),
    "samples": RawAnswer("900 тыс."),
    "preprocessing": RawAnswer("light"),
    "disk_bytes": RawAnswer("500 ГБ"),
    "attention": RawAnswer("flash"),
    "fused_cross_entropy": RawAnswer(unknown=True, who="А. Верещагина", when="до 4 декабря"),
    "save_every_steps": RawAnswer("500"),
    "saves_kept": RawAnswer("5"),
    "runs_per_quarter": RawAnswer("6"),
    "experiments": RawAnswer("12"),
    "stop_criteria": RawAnswer("Не больше 20 запусков или два запуска подряд без прироста"),
    "use": RawAnswer("3-5y"),
    "growth": RawAnswer("2"),
    "future_scenarios": RawAnswer("Через год: та же задача на модели 32 млрд"),
    "acquisition": RawAnswer("buy"),
    "sku": RawAnswer("SYS-521GE-TNRT"),
    "measured_step": RawAnswer("no"),
    "cooling": RawAnswer("air"),
    "depth_mm": RawAnswer("1000 мм"),
    "floor_kg": RawAnswer(unknown=True, who="И. Лаптев", when="до 5 декабря"),
}

# Nothing but the wish and the name of a family.
VAGUE: Answers = {
    "purpose": RawAnswer("domain"),
    "weights_change": RawAnswer("yes"),
    "alternatives": RawAnswer("not-tested"),
    "business_task": RawAnswer("Своя модель для бухгалтерии"),
    "contact_name": RawAnswer("Пётр"),
    "contact_email": RawAnswer("petr@example.org"),
    "strategy": RawAnswer(unknown=True),
    "method": RawAnswer(unknown=True),
    "model_name": RawAnswer(unknown=True, who="подрядчик"),
    "dataset_bytes": RawAnswer(unknown=True),
    "target_time": RawAnswer(unknown=True),
    "acquisition": RawAnswer("undecided"),
    "kw_usable": RawAnswer(unknown=True),
}


# 70 billion parameters from scratch, and little else: an order of magnitude at most.
SCRATCH: Answers = {
    "purpose": RawAnswer("domain"),
    "weights_change": RawAnswer("yes"),
    "alternatives": RawAnswer("not-enough"),
    "evidence": RawAnswer("Готовые модели хуже на 20 % наших вопросов"),
    "business_task": RawAnswer("Своя базовая модель на русском для отраслевых документов"),
    "contact_name": RawAnswer("Игорь"),
    "contact_email": RawAnswer("igor@example.org"),
    "strategy": RawAnswer("from-scratch"),
    "model_source": RawAnswer("own"),
    "model_kind": RawAnswer("decoder"),
    "params": RawAnswer("70 млрд"),
    "data_kind": RawAnswer("text"),
    "dataset_bytes": RawAnswer(unknown=True, who="Игорь", when="до 20 декабря"),
    "tokens": RawAnswer(unknown=True),
    "target_time": RawAnswer("3 месяца"),
    "time_scope": RawAnswer("run"),
    "use": RawAnswer("3-5y"),
    "precision": RawAnswer("bf16-mixed"),
    "optimizer": RawAnswer("adamw"),
    "sequence_length": RawAnswer("4096"),
    "micro_batch": RawAnswer(unknown=True),
    "activation_checkpointing": RawAnswer(unknown=True),
    "framework": RawAnswer(unknown=True),
    "acquisition": RawAnswer("undecided"),
    "kw_usable": RawAnswer(unknown=True),
}


def plain(value: Any) -> Any:
    """Through JSON and back: what a stored result would be."""
    return json.loads(canonical_json(value))


def make_snapshot(answers: Answers, failed: tuple[str, ...] = (), **overrides: Any) -> Snapshot:
    """Everything of a requisition that was sent, checked and sent to approval."""
    evaluated = evaluate(answers)
    task, context = to_task(evaluated, "ЗС-0042"), to_context(evaluated)
    result = result_of(task, context, failed)
    values: dict[str, Any] = {
        **PEOPLE_AND_MARKS,
        "catalog_day": catalog_day(fixture_contents()),
        "answers": {key: answers[key].as_dict() for key in evaluated.answers if key in answers},
        "attachments": ({"name": "train.yaml", "sha256": "ab" * 32, "size_bytes": 2310},),
        "task": plain(task),
        "context": plain(context),
        "result": result,
        "failures": dict.fromkeys(failed, "RuntimeError: no luck"),
        "questions": questions_of(answers, result),
        "facts": facts_used(task, result, fixture_contents()),
        "derivation": derivation_of(task, result),
    }
    return Snapshot(**values | overrides)


def result_of(
    task: dict[str, Any], context: Mapping[str, Any], failed: tuple[str, ...]
) -> dict[str, Any]:
    """The result document, with the estimators of `failed` missing."""
    catalog, parsed = fixture_catalog(), parse_task(task)
    platforms = candidate_platforms(parsed, catalog)
    outputs = {
        key: None if key in failed else output
        for key, output in estimate_all(parsed, catalog, platforms).items()
    }
    result = assemble(parsed, catalog, platforms, outputs, context_around(dict(context)))
    document: dict[str, Any] = plain(with_comparison(result, parsed, platforms, catalog))
    return document


def derivation_of(task: dict[str, Any], result: Mapping[str, Any]) -> dict[str, Any] | None:
    """How the figures of the recommended variant came about."""
    variant = next((v for v in result["variants"] if v["recommended"]), None)
    if variant is None:
        return None
    catalog, parsed = fixture_catalog(), parse_task(task)
    platforms = {p.key: p for p in candidate_platforms(parsed, catalog)}
    if variant["platform"] not in platforms:
        return None  # several nodes, which only the search joins
    explanation = explain(parsed, catalog, platforms[variant["platform"]]).as_dict()
    document: dict[str, Any] = plain(kept(explanation, variant["key"], fixture_contents()))
    return document


PEOPLE_AND_MARKS: Mapping[str, Any] = {
    "number": "ЗС-0042",
    "letter": "B",
    "client": "Ладога Текст",
    "sent_by": "Анна Верещагина",
    "sent_at": "2026-11-30T15:20:00+00:00",
    "engineer": "С. Дымов",
    "calculated_at": "2026-11-30T15:21:00+00:00",
    "input_sha256": "a41f88c0" * 8,
    "engine_version": "1.0",
    "catalog_sha256": "7c1e09ab" * 8,
    "steps": (
        Step(kind="send-to-approval", by="С. Дымов", comment="", at="2026-12-01T09:00:00+00:00"),
    ),
    "editions": (
        Edition(letter="A", at="2026-11-28T10:00:00+00:00", by="Анна Верещагина", changed=()),
        Edition(
            letter="B",
            at="2026-11-30T15:20:00+00:00",
            by="Анна Верещагина",
            changed=("sequence_length", "micro_batch", "kw_usable"),
        ),
    ),
}


def questions_of(answers: Answers, result: Mapping[str, Any]) -> tuple[Question, ...]:
    influence = {q["field"]: q["influence"] for q in result["open_questions"]}
    rows = {
        QUESTIONS[key].field or key: Question(
            key=key,
            field=QUESTIONS[key].field or "",
            text="",
            owner=answer.who,
            due=answer.when,
            influence=influence.get(QUESTIONS[key].field or ""),
        )
        for key, answer in answers.items()
        if answer.unknown
    }
    for field, share in influence.items():
        rows.setdefault(
            field,
            Question(
                key=TASK_FIELDS.get(field, ""),
                field=field,
                text="",
                owner="",
                due="",
                influence=share,
            ),
        )
    return tuple(sorted(rows.values(), key=lambda q: -(q.influence or 0)))


@lru_cache(maxsize=1)
def rent() -> Snapshot:
    """The reference request: LoRA, a month of rent, a measured step wanted."""
    return make_snapshot(REFERENCE)


@lru_cache(maxsize=1)
def full() -> Snapshot:
    """Full fine-tuning, a purchase, with a correction and a remark of the engineer."""
    return make_snapshot(
        FULL,
        overrides=(
            OverrideFact(
                field="recipe.attention",
                value="sdpa",
                reason="В журнале обучения клиента включён SDPA",
                author="С. Дымов",
                at="2026-12-01T08:00:00+00:00",
            ),
        ),
        remarks=(
            Remark(
                target="rack",
                text="Класс PDU узнайте до заказа: разъём C19 на 16 А.",
                author="С. Дымов",
                at="2026-12-01T08:30:00+00:00",
            ),
        ),
    )


@lru_cache(maxsize=1)
def approved() -> Snapshot:
    return replace(
        full(),
        approval=Approval(
            by="О. Карельская",
            at="2026-12-02T09:30:00+00:00",
            comment="Утверждаю; пилот до заказа.",
            document_sha256="5d" * 32,
        ),
    )


@lru_cache(maxsize=1)
def vague() -> Snapshot:
    """Too little for figures."""
    return make_snapshot(VAGUE)


@lru_cache(maxsize=1)
def scratch() -> Snapshot:
    """A large model from scratch with many unknowns."""
    return make_snapshot(SCRATCH)


@lru_cache(maxsize=1)
def failed() -> Snapshot:
    """Two estimators gave nothing."""
    return make_snapshot(FULL, failed=("time", "rack"))
