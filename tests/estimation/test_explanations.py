"""Explaining a calculation that an earlier engine made with an earlier catalog."""

from dataclasses import replace

import pytest

from apps.catalog.facts import fixture_catalog
from apps.estimation import explanations
from apps.estimation.models import Calculation
from apps.sizing.platforms import candidate_platforms
from apps.sizing.task_reader import parse_task
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
