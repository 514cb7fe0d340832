"""Published models by the names people give them."""

from __future__ import annotations

from functools import lru_cache

from apps.catalog.releases import known_catalog
from apps.questionnaire.checks import ModelFacts
from apps.sizing.architectures import find_architecture
from apps.sizing.facts import Architecture, Catalog
from apps.sizing.task import Model


def architecture_named(name: str) -> Architecture | None:
    """The published architecture that a person means by a name."""
    return find_architecture(Model(name=name), known_catalog())


def published_model(name: str) -> ModelFacts | None:
    """What the catalog knows of a model by the name a person gives it."""
    architecture = architecture_named(name)
    if architecture is None:
        return None
    return ModelFacts(
        name=architecture.name,
        kind=architecture.kind,
        params_count=architecture.params,
        max_sequence_length=architecture.extra.get("max_pos"),
        hidden=architecture.hidden,
    )


def published_names() -> tuple[str, ...]:
    """Names to suggest while a model is typed."""
    return _names(known_catalog())


@lru_cache(maxsize=2)
def _names(catalog: Catalog) -> tuple[str, ...]:
    return tuple(sorted(catalog.architectures, key=str.casefold))
