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
    for variant in result.get("variants", ()):
        yield f"variant {variant['key']}: {variant.get('platform') or variant.get('accelerator')}"
    questions = [f"{q['field']} (±{q['influence']:.0%})" for q in result["open_questions"][:5]]
    if questions:
        yield "ask first: " + ", ".join(questions)


def _span(figure: Mapping[str, float]) -> str:
    return f"{figure['typical']:.3g} ({figure['low']:.3g}..{figure['high']:.3g})"
