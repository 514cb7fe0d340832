"""A result document in a few plain lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def summary_lines(result: Mapping[str, Any]) -> Iterator[str]:
    """The figures a person asks for first. The whole result is the JSON form."""
    yield f"status: {result['status']}"
    memory, time, link = result.get("memory"), result.get("time"), result.get("interconnect")
    if memory:
        device = _span(memory["device_gib"])
        capacity = f"{memory['capacity_gib']:.0f}"
        yield f"memory of one GPU: {device} GiB of {capacity} ({memory['verdict']})"
        parts = ", ".join(f"{k} {v:.1f}" for k, v in memory["components_gib"].items())
        yield f"  at its peak ({memory['phase']}): {parts}"
    if time:
        yield f"step: {_span(time['step_s'])} s, bound by {time['bound_by']}"
        cycle = time.get("cycle")
        if cycle:
            yield f"cycle: {_span(cycle['hours'])} hours ({cycle['verdict']})"
    if link:
        yield f"exchange profile: {link['profile']}, {link['scheme']} over {link['link']}"
    yield from _explored(result)
    for variant in result.get("variants", ()):
        yield f"variant {variant['key']}: {variant.get('platform') or variant.get('accelerator')}"
    yield from _planned(result.get("plan"))
    questions = [f"{q['field']} (±{q['influence']:.0%})" for q in result["open_questions"][:5]]
    if questions:
        yield "ask first: " + ", ".join(questions)


def _explored(result: Mapping[str, Any]) -> Iterator[str]:
    """The fewest GPUs by method, the step that makes it fit, and the limits of the recipe."""
    methods, ladder, limits = (result.get(key) for key in ("methods", "ladder", "limits"))
    if methods:
        rows = [row for row in methods["rows"] if row["reason"] is None]
        needs = [f"{r['method']} {r['fewest']['gpus'] if r['fewest'] else 'none'}" for r in rows]
        yield f"fewest {methods['accelerator']} by method: {', '.join(needs)}"
    if ladder:
        yield f"fits at: {ladder['fits_at'] or 'nothing of the usual steps'}"
    for key in ("sequence_length", "micro_batch", "fewest_gpus"):
        if limits and "value" in limits[key]:
            yield f"limit of {key} on {limits['platform']}: {limits[key]['value']}"


def _planned(plan: Mapping[str, Any] | None) -> Iterator[str]:
    """The ways worth choosing between, and what the nearest others lack."""
    if not plan:
        return
    yield f"plan: {len(plan['front'])} of {plan['considered']['ways']} ways"
    for number, row in enumerate(plan["front"], start=1):
        pace = (
            f"{_span(row['hours'])} h" if row["hours"] else f"{_span(row['sample_s'])} s a sample"
        )
        keys = "".join(f" = {key}" for key in row["variants"])
        yield (
            f"  {number}. {row['platform']} {row['layout']}: {row['gpu_rating_kw']:.3g} kW, {pace}, "
            f"{row['free_ratio']:.0%} free ({row['why']['key'].removeprefix('plan.why.')}){keys}"
        )
    for row in plan["rejected"]:
        lacks = "; ".join(_lack(message) for message in row["lacks"])
        yield f"  not {row['platform']} {row['layout']}: {lacks}"


def _lack(message: Mapping[str, Any]) -> str:
    params = ", ".join(
        f"{name} {value:.4g}" if isinstance(value, int | float) else f"{name} {value}"
        for name, value in message["params"].items()
    )
    return f"{message['key'].removeprefix('plan.lack.')} ({params})"


def _span(figure: Mapping[str, float]) -> str:
    return f"{figure['typical']:.3g} ({figure['low']:.3g}..{figure['high']:.3g})"
