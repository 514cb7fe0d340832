"""Explaining a calculation that an earlier engine made with an earlier catalog."""

from dataclasses import replace

import pytest

from apps.catalog.facts import fixture_catalog
from apps.estimation import explanations
from apps.estimation.models import Calculation
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task
from apps.sizing.variants import with_savings
from tests.sizing.test_assemble import LORA


@pytest.mark.parametrize("left", [0.0, 0.5])
def test_a_catalog_without_a_constant_of_today_leaves_the_figures_unexplained(monkeypatch, left):
    """The page and the document stand without the formulas; they do not fall."""
    catalog, task = fixture_catalog(), parse_task(LORA)
    platforms = candidate_platforms(task, catalog)
    names = sorted(catalog.constants)[: int(len(catalog.constants) * left)]
    older = replace(catalog, constants={name: catalog.constants[name] for name in names})
    monkeypatch.setattr(explanations, "engine_input", lambda _given: (task, older, platforms))
    calculation = Calculation(input_sha256=f"{left}", catalog_sha256="older")
    for platform in platforms[:2]:
        found = explanations.explanation_of(calculation, {"platform": platform.key})
        assert found is None


def test_a_variant_that_rests_on_savings_is_explained_with_them(monkeypatch):
    """Its figures are those of the recipe with savings, and so are its formulas."""
    catalog = fixture_catalog()
    task = parse_task({**LORA, "recipe": {**LORA["recipe"], "activation_checkpointing": "none"}})
    thrifty, savings = with_savings(task)
    platform = candidate_platforms(thrifty, catalog)[0]
    figures = estimate_all(thrifty, catalog, (platform,))["memory"]["platforms"][platform.key]
    given = (task, catalog, candidate_platforms(task, catalog))
    monkeypatch.setattr(explanations, "engine_input", lambda _given: given)
    variant = {"platform": platform.key, "memory": figures}
    calculation = Calculation(input_sha256="savings", catalog_sha256="today")
    assert savings
    assert explanations.explanation_of(calculation, variant) is None
    told = {**variant, "savings": [message.as_dict() for message in savings]}
    found = explanations.explanation_of(calculation, told)
    assert found is not None
    device = next(line for line in found["lines"] if line["key"] == "device")
    assert device["value"] == pytest.approx(figures["device_gib"]["typical"] * 2**30)
