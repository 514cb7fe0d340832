"""Build the result document `podbor.result/1` from what the estimators said.

Nothing is calculated here that an estimator could calculate: the variants are chosen, the
verdicts gathered, the messages merged. An estimator that failed leaves its cells null with a
reason; the rest of the document stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from apps.sizing.candidates import Candidate, candidates_of
from apps.sizing.cases import resolve_case
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.estimators.remarks import evidence_of
from apps.sizing.explorations import (
    EXPLORATIONS,
    explorations_of,
    wants_exploring,
    why_not_explored,
)
from apps.sizing.facts import Catalog
from apps.sizing.messages import Message
from apps.sizing.offers import offer_block
from apps.sizing.own_block import nearness, own_block, own_questions, own_remarks
from apps.sizing.ownership import own_or_rent
from apps.sizing.platform import Platform
from apps.sizing.programme import programme_of
from apps.sizing.readiness import (
    Status,
    confidence_of,
    critical_questions,
    headline_of,
    missing_recipe,
    readiness_of,
    size_class,
    status_of,
)
from apps.sizing.scaling import scaling_of
from apps.sizing.separate_work import separate_work
from apps.sizing.sign_offs import all_agreed, sign_offs_of
from apps.sizing.task import Task
from apps.sizing.variant_blocks import BLOCKS, variant_block
from apps.sizing.variants import Variant, choose_variants, recommended_of, with_savings

SCHEMA: Final = "podbor.result/1"
Outputs = Mapping[str, Mapping[str, Any] | None]

_OUT_OF_SCOPE: Final = (
    Message("result.not-counted.price"),
    Message("result.not-counted.inference"),
    Message("result.not-counted.software-setup"),
)
# How strongly an unknown recipe field is taken to move a result where no estimate could be made.
_MISSING_INFLUENCE: Final = 0.7
# Estimators say it of the first platform they looked at.
_LINK_ASSUMED: Final = "interconnect.assumption.link"
_STATUS_ORDER: Final[tuple[Status, ...]] = ("ok", "magnitude", "insufficient")


def assemble(
    task: Task,
    catalog: Catalog,
    platforms: tuple[Platform, ...],
    outputs: Outputs,
    context: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The result document of one task.

    Args:
        outputs: by estimator key; None or absent for one that failed or has not run.
        catalog: one with `measured` lets the client's own runs into the result.
        context: what lies around the task and is optional: `acquisition` (rent, buy, hybrid,
            undecided), `piloted` (a step was measured on this very task; own runs that are really
            near say so by themselves), `offer` (the part number
            or configuration that the client has in mind, as written), `own_rack` (false: it will
            stand in somebody else's rack), `agreed` (what the site has agreed to, see
            `sign_offs`), `busy_ratio` (share of the time that the client
            expects the GPUs to be busy), what the programme of runs rests on (`experiments`,
            `stop_stated`, `cap_gpu_hours`, `rent_hours`, `cycle_every_hours`,
            `cycle_share_ratio`, `months_acceptable`), `explore` (whether `methods`, `ladder` and `limits` are
            worked out; by default for a task whose hardware is open; `plan` only when asked).
    """
    context = context or {}
    failed = [key for key in BLOCKS if outputs.get(key) is None]
    status = _status(task, catalog, outputs)
    candidates = candidates_of(task, catalog, platforms, outputs)
    variants: tuple[Variant, ...] = ()
    if status != "insufficient":
        variants = choose_variants(task, catalog, candidates, context, failed)
    best = recommended_of(variants, context)
    elsewhere = context.get("own_rack") is False or (best is not None and best.rented)
    questions = _questions(task, outputs, catalog, elsewhere=elsewhere)
    top = _top(best, outputs)
    signed = sign_offs_of(context, elsewhere=elsewhere)
    conclusion = _conclusion(task, catalog, status, best, questions, context, signed)
    explored, unexplored = _explored(task, catalog, status, candidates, variants, failed, context)
    return {
        "schema": SCHEMA,
        "id": task.id,
        "status": status,
        "size_class": size_class(task, catalog),
        **conclusion,
        **{key: top.get(key) for key in BLOCKS},
        "reasons": {**_reasons(best, top, failed, status, outputs), **unexplored},
        "recommended": best.key if best else None,
        "variants": [
            variant_block(v, task, catalog, recommended=v is best, failed=failed) for v in variants
        ],
        "offer": offer_block(context.get("offer"), best.candidate if best else None, catalog),
        "variants_reason": _variants_reason(task, status, variants, failed),
        **explored,
        "scaling": _scaling(task, catalog, best, failed, context),
        "own_or_rent": own_or_rent(task, variants, context),
        "programme": programme_of(task, catalog, best, candidates, context),
        "candidates": [_row(c) for c in candidates],
        "assumptions": _assumptions(task, catalog, outputs, best),
        "open_questions": questions,
        "separate_work": [m.as_dict() for m in separate_work(task, catalog, variants)],
        "not_counted": _not_counted(task, outputs),
        "evidence": _evidence(task, catalog, outputs, best),
        "versions": {k: o["version"] for k, o in outputs.items() if o and "version" in o},
    }


def _explored(
    task: Task,
    catalog: Catalog,
    status: Status,
    candidates: Sequence[Candidate],
    variants: Sequence[Variant],
    failed: Sequence[str],
    context: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The blocks of `explorations`, and the reasons of those that are not there."""
    asked = wants_exploring(task, context)
    found: dict[str, Any] = dict.fromkeys(EXPLORATIONS)
    if asked and status != "insufficient" and "memory" not in failed:
        found = explorations_of(task, catalog, candidates, variants, context, failed)
    reasons = why_not_explored(task, status, failed, asked=asked)
    return found, {key: reasons[key].as_dict() for key, block in found.items() if block is None}


def _scaling(
    task: Task,
    catalog: Catalog,
    best: Variant | None,
    failed: Sequence[str],
    context: Mapping[str, Any],
) -> dict[str, Any] | None:
    """The curve of the recommended card by the number of GPUs, where the caller explores."""
    if best is None or not wants_exploring(task, context) or {"memory", "time"} & {*failed}:
        return None
    return scaling_of(_recipe_of(task, best), catalog, best.candidate.platform)


def _not_counted(task: Task, outputs: Outputs) -> list[dict[str, Any]]:
    """What the estimators leave out, and what none of them counts."""
    return [
        *_merged(outputs, "not_counted"),
        *({**m.as_dict(), "estimator": None} for m in _out_of_scope(task)),
    ]


def _out_of_scope(task: Task) -> tuple[Message, ...]:
    """What no estimator counts. GPUs are sized for one run at a time."""
    runs = task.cycle.parallel_runs or 1
    if runs == 1:
        return _OUT_OF_SCOPE
    return (Message("result.not-counted.parallel-runs", {"runs": runs}), *_OUT_OF_SCOPE)


def _status(task: Task, catalog: Catalog, outputs: Outputs) -> Status:
    """The weaker of what the task says and of what the memory estimator could settle."""
    found = [status_of(task, catalog)]
    memory = outputs.get("memory")
    if memory and memory.get("status") == "magnitude":
        found.append("magnitude")
    return max(found, key=_STATUS_ORDER.index)


def _conclusion(
    task: Task,
    catalog: Catalog,
    status: Status,
    best: Variant | None,
    questions: Sequence[Mapping[str, Any]],
    context: Mapping[str, Any],
    signed: list[dict[str, Any]],
) -> dict[str, Any]:
    near = nearness(task, catalog, best.candidate.platform if best else None)
    piloted = bool(context.get("piloted")) or all(near)
    verdict = best.candidate.overall(placed=not best.rented) if best else "does-not-fit"
    readiness = readiness_of(status, questions, verdict, piloted=piloted, agreed=all_agreed(signed))
    return {
        "verdict": headline_of(
            status,
            readiness,
            rented=best is not None and best.rented,
            wants_to_buy=context.get("acquisition") == "buy",
            validated=best is not None and best.candidate.measured,
            verdict=verdict,
            piloted=piloted,
        ),
        "readiness": readiness,
        "sign_offs": signed,
        "confidence": confidence_of(task, catalog, piloted=piloted, measured=any(near)),
        "critical_questions": list(critical_questions(questions)),
    }


def _top(best: Variant | None, outputs: Outputs) -> dict[str, Any]:
    """The blocks of the recommended variant; without one, what storage says of the task alone."""
    if best is not None:
        return {
            key: None if key == "rack" and best.rented else best.candidate.blocks.get(key)
            for key in BLOCKS
        }
    storage = outputs.get("storage")
    alone = {k: storage[k] for k in ("volumes", "total_gb", "checkpoint")} if storage else None
    return {"storage": alone}


def _reasons(
    best: Variant | None,
    top: Mapping[str, Any],
    failed: Sequence[str],
    status: Status,
    outputs: Outputs,
) -> dict[str, Any]:
    found: dict[str, Message] = {}
    for key in BLOCKS:
        if top.get(key) is not None:
            continue
        if key in failed:
            found[key] = Message("result.reason.estimator-failed", {"estimator": key})
        elif best is not None and best.rented and key == "rack":
            found[key] = Message("result.reason.rented")
        elif status == "insufficient" or (outputs.get(key) or {}).get("status") == "insufficient":
            found[key] = Message("result.reason.not-enough-known", {"estimator": key})
        else:
            found[key] = Message("result.reason.nothing-fits")
    return {key: message.as_dict() for key, message in found.items()}


def _variants_reason(
    task: Task, status: Status, variants: Sequence[Variant], failed: Sequence[str]
) -> dict[str, Any] | None:
    """Why there are fewer than two variants; None when there are two or more."""
    if len(variants) >= 2:
        return None
    if status == "insufficient":
        return Message("result.variants.insufficient").as_dict()
    if task.placement is not None and task.placement.accelerator is not None:
        return Message("result.variants.placement-given").as_dict()
    if "memory" in failed:
        return Message("result.variants.memory-missing").as_dict()
    key = "result.variants.only-one" if variants else "result.variants.none-fits"
    return Message(key).as_dict()


def _questions(
    task: Task, outputs: Outputs, catalog: Catalog, *, elsewhere: bool
) -> list[dict[str, Any]]:
    """Open questions of all estimators, each field once, the most influential first.

    Questions about the client's own site are left out when nothing will stand there.
    """
    found: dict[str, dict[str, Any]] = {}
    asked = [q for output in outputs.values() if output for q in output.get("open_questions", ())]
    told = {question["field"] for question in asked} if _estimated(outputs) else set()
    unestimated = [field for field in missing_recipe(task) if field not in told]
    asked += [{"field": f, "influence": _MISSING_INFLUENCE} for f in unestimated]
    asked += own_questions(catalog)
    for question in asked:
        field, influence = question["field"], min(1.0, float(question["influence"]))
        if elsewhere and field.startswith("site."):
            continue
        known = found.get(field)
        if known is None or influence > known["influence"]:
            found[field] = {**question, "influence": influence}
    return sorted(found.values(), key=lambda q: (-q["influence"], q["field"]))


def _estimated(outputs: Outputs) -> bool:
    """Whether the memory, which every choice rests on, was estimated anywhere: the estimators
    have said then how far each unknown moves it."""
    return bool((outputs.get("memory") or {}).get("platforms"))


def _merged(outputs: Outputs, part: str) -> list[dict[str, Any]]:
    """Messages of one kind from all estimators, each once, with who said it."""
    seen: list[tuple[str, Any]] = []
    merged = []
    for estimator, output in outputs.items():
        for message in (output or {}).get(part, ()):
            mark = (message["key"], message["params"])
            if mark not in seen:
                seen.append(mark)
                merged.append({**message, "estimator": estimator})
    return merged


def _assumptions(
    task: Task, catalog: Catalog, outputs: Outputs, best: Variant | None
) -> list[dict[str, Any]]:
    """All that is assumed: of the recipe that the recommended variant rests on, its savings
    among what is known; the link is that variant's, one GPU having none."""
    if best is None:
        return [*own_remarks(task, catalog, None), *_merged(outputs, "assumptions")]
    if best.savings:
        said = estimate_all(_recipe_of(task, best), catalog, (best.candidate.platform,))
        outputs = {key: said.get(key) if output else None for key, output in outputs.items()}
    merged = _merged(outputs, "assumptions")
    told = own_remarks(task, catalog, best.candidate.platform)
    block = best.candidate.blocks.get("interconnect") or {}
    speed = block.get("link_gb_per_s")
    for assumption in merged:
        if assumption["key"] == _LINK_ASSUMED:
            if speed is None or best.candidate.platform.gpus == 1:
                continue
            params = {"link": block["link"], "link_gb_per_s": speed["typical"]}
            assumption = {**assumption, "params": params}
        told.append(assumption)
    return told


def _recipe_of(task: Task, best: Variant) -> Task:
    """The task with the recipe that the variant rests on."""
    return with_savings(task)[0] if best.savings else task


def _evidence(
    task: Task, catalog: Catalog, outputs: Outputs, best: Variant | None
) -> dict[str, Any]:
    """Measured runs nearest to the task, and whether the recommended kind of run is among them:
    its recipe on its platform, or the first platform's where nothing is recommended."""
    stated: Iterable[Any] = (o.get("evidence") for o in outputs.values() if o)
    found: Mapping[str, Any] = next((e for e in stated if e), {})
    if best is not None and found and best.candidate.platform.accelerator in catalog.accelerators:
        recipe = _recipe_of(task, best)
        case = resolve_case(recipe, best.candidate.platform.placement, catalog)
        found = evidence_of(recipe, case) if case else found
    validated = bool(found.get("validated", True)) and best is not None and best.candidate.measured
    return {
        **found,
        "nearest": list(found.get("nearest", ())),
        "validated": validated,
        "own": own_block(task, catalog, best.candidate.platform if best else None),
    }


def _row(candidate: Candidate) -> dict[str, Any]:
    """A candidate in short: enough for a curve of time against the number of GPUs."""
    platform = candidate.platform
    memory = candidate.blocks.get("memory") or {}
    hours = candidate.hours
    return {
        "platform": platform.key,
        "server": platform.server,
        "accelerator": platform.accelerator,
        "gpus": platform.gpus,
        "nodes": platform.nodes,
        "intra_node_link": platform.intra_node_link,
        "data_parallel": platform.placement.data_parallel,
        "device_gib": memory.get("device_gib"),
        "capacity_gib": memory.get("capacity_gib"),
        "hours": hours.as_dict() if hours else None,
        "verdicts": {
            "memory": candidate.memory_verdict,
            "time": candidate.time_verdict,
            "rack": candidate.rack_verdict,
        },
        "measured": candidate.measured,
    }
