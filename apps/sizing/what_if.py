"""One variant of a result with a few values changed: the same estimators, no choosing anew.

The hardware stays what the variant is built of unless it is among the changes, so that a figure
moves for one reason only. The layout is the simplest that holds the model, as for any platform,
unless the task or a change states one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeAlias

from apps.sizing.assemble import assemble
from apps.sizing.candidates import candidates_of
from apps.sizing.cases import Case, resolve_case
from apps.sizing.conclusions import conclusions_of
from apps.sizing.errors import TaskError
from apps.sizing.estimators.registry import estimate_all
from apps.sizing.facts import Catalog
from apps.sizing.measured import MeasuredRun, measured_catalog
from apps.sizing.messages import Message
from apps.sizing.methods import with_method
from apps.sizing.platform import Platform
from apps.sizing.platforms import candidate_platforms, laid_out, platform_of
from apps.sizing.task import Placement, Recipe, Task
from apps.sizing.task_reader import check_task
from apps.sizing.variant_blocks import variant_block
from apps.sizing.variants import Variant, with_savings

Document: TypeAlias = Mapping[str, Any]
Values: TypeAlias = Mapping[str, Any]

METHOD: Final = "method"
ACCELERATOR: Final = "placement.accelerator"
GPUS: Final = "placement.gpus"
SCHEME: Final = "placement.data_parallel"
_RECIPE: Final = "recipe."
_ACCUMULATION: Final = "recipe.grad_accumulation"
_GLOBAL_BATCH: Final = "recipe.global_batch"
_HARDWARE: Final = ("accelerator", "gpus", "nodes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """What the figures of one variant stand on.

    `task` has the savings in its recipe that the variant rests on; its placement is what was said
    of the hardware, `platform` what the variant is built of.
    """

    key: str
    task: Task
    platform: Platform
    rented: bool

    def case(self, catalog: Catalog) -> Case | None:
        """With every unknown settled; None without a model size."""
        return resolve_case(self.task, self.platform.placement, catalog)


def footing_of(task: Task, variant: Document) -> Footing:
    """Of a variant as the result document of `task` holds it."""
    if variant.get("savings"):
        task, _ = with_savings(task)
    layout = {name: value for name, value in variant["layout"].items() if name != "name"}
    link = variant["link"]
    return Footing(
        key=variant["key"],
        task=task,
        rented=bool(variant.get("rented")),
        platform=Platform(
            key=variant["platform"],
            server=variant["server"],
            accelerator=variant["accelerator"],
            gpus=variant["gpus"],
            nodes=variant["nodes"],
            placement=Placement(
                accelerator=variant["accelerator"],
                gpus=variant["gpus"],
                nodes=variant["nodes"],
                intra_node_link=link["intra_node"],
                inter_node_link=link["inter_node"],
                **layout,
            ),
        ),
    )


def changed(footing: Footing, values: Values, catalog: Catalog) -> Footing:
    """The footing with `values` by path of the task document: `method`, fields of the recipe, and
    of the placement the accelerator, the number of GPUs and the data-parallel scheme.

    A method brings the quantisation that belongs to it. A global batch alone is reached by
    accumulation.

    Raises:
        TaskError: the values contradict each other or the rest of the task.
    """
    if not values:
        return footing
    task = _with_recipe(footing.task, values)
    platform = _platform(footing, task, values, catalog)
    if _GLOBAL_BATCH in values and _ACCUMULATION not in values:
        case = resolve_case(task, platform.placement, catalog)
        passes = case.accumulation if case else None
        task = replace(task, recipe=replace(task.recipe, grad_accumulation=passes))
    check_task(replace(task, placement=platform.placement))
    return replace(footing, task=task, platform=platform)


def _with_recipe(task: Task, values: Values) -> Task:
    if METHOD in values:
        task = with_method(task, values[METHOD])
        task = replace(task, method=values[METHOD])
    stated = {
        path.removeprefix(_RECIPE): value
        for path, value in values.items()
        if path.startswith(_RECIPE)
    }
    if _GLOBAL_BATCH in values:
        stated = {"grad_accumulation": None, **stated}
    return replace(task, recipe=replace(task.recipe, **stated))


def _platform(footing: Footing, task: Task, values: Values, catalog: Catalog) -> Platform:
    base, wanted = footing.platform, task.placement or Placement()
    accelerator, gpus = values.get(ACCELERATOR, base.accelerator), values.get(GPUS, base.gpus)
    same = (accelerator, gpus) == (base.accelerator, base.gpus)
    platform = base if same else _built(footing, accelerator, gpus, catalog)
    if SCHEME in values:
        named = replace(platform.placement, data_parallel=values[SCHEME], shard_degree=None)
        return replace(platform, placement=named)
    wish = wanted.data_parallel if gpus == 1 or wanted.data_parallel != "none" else None
    if same and (wish is not None or wanted.accelerator is not None):
        return base
    free = replace(platform.placement, data_parallel=wish, shard_degree=None)
    return laid_out(replace(platform, placement=free), task, catalog)[0]


def _built(footing: Footing, accelerator: str, gpus: int, catalog: Catalog) -> Platform:
    """Other cards, or another number of them: in the variant's own server where it takes them."""
    base, wanted = footing.platform, footing.task.placement or Placement()
    card = catalog.accelerators[accelerator]
    server, nodes = catalog.servers.get(base.server or ""), 1
    if server is None or card.id not in server.accelerators or gpus not in server.gpu_counts:
        place = replace(wanted, accelerator=card.id, gpus=gpus, nodes=None)
        (found,) = candidate_platforms(replace(footing.task, placement=place), catalog)
        server, nodes = catalog.servers.get(found.server or ""), found.nodes
    if gpus % nodes:
        message = f"{gpus} GPUs do not spread evenly over {nodes} nodes"
        raise TaskError("uneven-nodes", message, GPUS)
    return platform_of(server, card, gpus, nodes, wanted)


def document_of(
    footing: Footing, catalog: Catalog, runs: Sequence[MeasuredRun], context: Mapping[str, Any]
) -> dict[str, Any]:
    """A result document with the one variant, under its own key; nothing is recommended in it.

    Args:
        runs: the client's own measured runs, which the figures follow.
        context: as `assemble` takes it.
    """
    catalog = measured_catalog(catalog, footing.task, runs)
    task = replace(footing.task, placement=footing.platform.placement)
    platforms = (footing.platform,)
    outputs = estimate_all(task, catalog, platforms)
    document = assemble(task, catalog, platforms, outputs, {**context, "explore": False})
    (candidate,) = candidates_of(task, catalog, platforms, outputs)
    variant = Variant(key=footing.key, candidate=candidate, rented=footing.rented)
    block = variant_block(variant, task, catalog, recommended=False, failed=())
    return {**document, "variants": [block], "candidates": [], "recommended": None}


def conclusions(was: Document, now: Document) -> tuple[Message, ...]:
    """What `now` concludes otherwise than `was`, both of `document_of`; said of the hardware of
    `now`, whatever `was` stood on."""
    (block,) = now["variants"]
    hardware = {name: block[name] for name in _HARDWARE}
    old, new = (
        {**one, "variants": [{**v, **hardware, "rented": False} for v in one["variants"]]}
        for one in (was, now)
    )
    if block["rented"]:
        # Whether to buy is no question of a rented node.
        old, new = ({**one, "verdict": None, "readiness": None} for one in (old, new))
    return conclusions_of(old, new)


def differences(base: Footing, trial: Footing, values: Values) -> dict[str, Any]:
    """What to set in the task so that it comes to the trial: value by path, in a fixed order.

    None stands for a value that falls away. Other hardware is named whole, for a count without
    its card would let the engine choose another.
    """
    return dict(_differences(base, trial, values))


def _differences(base: Footing, trial: Footing, values: Values) -> Iterator[tuple[str, Any]]:
    if base.task.method != trial.task.method:
        yield METHOD, trial.task.method
    for field in fields(Recipe):
        was, now = (getattr(one.task.recipe, field.name) for one in (base, trial))
        if was != now:
            yield f"{_RECIPE}{field.name}", now
    place = trial.platform.placement
    if is_other_hardware(base, trial):
        spread = trial.platform.gpus > 1
        yield ACCELERATOR, place.accelerator
        yield GPUS, place.gpus
        yield "placement.nodes", place.nodes
        if spread and place.data_parallel is not None:
            yield SCHEME, place.data_parallel
        for name in ("intra_node_link", "inter_node_link"):
            if getattr(place, name) is not None:
                yield f"placement.{name}", getattr(place, name)
    elif SCHEME in values:
        yield SCHEME, values[SCHEME]


def is_other_hardware(base: Footing, trial: Footing) -> bool:
    """Other cards, or another number of them."""
    was, now = base.platform, trial.platform
    return (was.accelerator, was.gpus) != (now.accelerator, now.gpus)
