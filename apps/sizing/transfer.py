"""What a measured run says of another one: how far it moves an estimate and how much it narrows it.

An estimate and a measurement of the same run differ by a ratio r. Part of ln r comes from causes
that another run shares (the software's habits, the model, the card), the rest is the run's own. Both
errors are taken for one normal pair with the correlation ρ and the spreads that the engine states
(d: half of a 90 % range, in logarithms, on the side where the measurement lies). Then, given r:

    ln centre'  = ln centre + β·ln r,   β = ρ · min(1, d of the estimate / d of the measured run)
    d'          = min(d, √(d²·(1 − ρ²) + noise²))        for each side

so that a measurement equal to the estimate moves nothing, the range always lies inside the union of
what it was and what it would be scaled by r, and it narrows with ρ alone. ρ is the product of a
factor for each thing in which the two runs differ.

Limits. Beyond the engine's range the model is in doubt: from there to twice its half-width (in
logarithms) the centre still moves and the range narrows less and less; further out, the
measurement contradicts the estimate, the centre stays and the range spans both. What only bounds a
figure from below (a failed allocation) moves the centre up and never narrows. The step of another
card says little: its kernels, clock and links are not the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from apps.sizing.ranges import Range

if TYPE_CHECKING:
    from apps.sizing.cases import Case
    from apps.sizing.measured import OwnRun

Quantity: TypeAlias = Literal["memory", "step"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What is left of the correlation of two errors by what differs between the runs.

    `same` is that of a run repeated: it differs by its data and its machine. `tokens` is for a
    pass four times as large, or of sequences four times as long, `count` for another number of GPUs
    in the same layout, `family` for another card of one family. `noise` is a half-width that no
    measurement takes away: runs repeated differ.
    """

    same: float
    tokens: float
    count: float
    layout: float
    family: float
    card: float
    recipe: float
    model: float
    noise: float


# Correlations of the errors of published runs of one source, by what differs between two of them,
# with the software known (lower) and withheld (upper): memory with other tokens 0.5-0.8, another
# layout 0.1-0.5, another recipe 0-0.3, another card 0.86; step with other tokens 0.4-0.6, another
# layout 0.4-0.45, another recipe 0.3-0.5, another model 0.4-0.5. Cards of two kinds in one source
# are too few for the step: judgement. `manage.py accuracy --one-run` shows what comes of it.
_SHARED: Final[dict[Quantity, Shared]] = {
    "memory": Shared(
        same=0.97,
        tokens=0.75,
        count=0.8,
        layout=0.5,
        family=0.97,
        card=0.95,
        recipe=0.35,
        model=0.4,
        noise=0.02,
    ),
    "step": Shared(
        same=0.9,
        tokens=0.6,
        count=0.75,
        layout=0.55,
        family=0.7,
        card=0.45,
        recipe=0.45,
        model=0.5,
        noise=0.08,
    ),
}
_FOURFOLD: Final = math.log(4)
# Sizes closer than this are one model: counts differ by what is counted in.
_SAME_SIZE: Final = 0.03
NEAR: Final = 0.65
"""From this correlation on two runs are really near: one recipe, for the step on one card too."""

_TOO_FAR: Final = 0.4

_NARROWEST: Final = 1e-6
FAR_OUT: Final = 2.0
"""A measurement so many half-widths from the estimate contradicts it."""


def correlation(
    quantity: Quantity, measured: Case, other: Case, *, parts_known: bool = False
) -> float:
    """ρ of the errors of two runs, 0..1: the closer, the higher; too far apart is 0.

    Where two runs told apart what grows with the batch (`parts_known`), another batch takes
    nothing away from what is known of memory.
    """
    shared = _SHARED[quantity]
    rho = shared.same
    if _apart(measured.shape.total_params, other.shape.total_params) > _SAME_SIZE:
        rho *= shared.model
    if _recipe(measured) != _recipe(other):
        rho *= shared.recipe
    if quantity == "step" or not parts_known:
        passes = _apart(measured.tokens, other.tokens)
        lengths = _apart(measured.sequence, other.sequence)
        rho *= shared.tokens ** min(2.0, max(passes, lengths) / _FOURFOLD)
    if _layout(measured) != _layout(other):
        rho *= shared.layout
    elif measured.layout.gpus != other.layout.gpus:
        rho *= shared.count
    if measured.card.id != other.card.id:
        rho *= shared.family if measured.card.family == other.card.family else shared.card
    return rho if rho >= _TOO_FAR else 0.0


def _apart(one: float, other: float) -> float:
    return abs(math.log(one / other))


def _recipe(case: Case) -> tuple[object, ...]:
    """What makes two recipes different ones, the batch aside."""
    return (
        case.shape.kind,
        case.dialect.key,
        case.method,
        case.stage,
        case.precision,
        case.quantization,
        case.optimizer,
        case.checkpointing,
        case.eager,
        case.fused_loss,
        case.fused_kernels,
        case.offload,
    )


def _layout(case: Case) -> tuple[object, ...]:
    """One GPU is a whole copy of the model, as each of several that hold copies."""
    layout = case.layout
    kind = "ddp" if layout.kind == "none" else layout.kind
    return (kind, layout.tensor, layout.pipeline, layout.context, layout.nodes > 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One measured figure beside the estimate of the same run.

    `log_ratio` is ln(measured / typical), `spread` the half-width of the estimate on that side, in
    logarithms, `surprise` how many of them lie between. `at_least`: the run needed more than was
    seen.
    """

    log_ratio: float
    spread: float
    surprise: float
    at_least: bool = False

    @classmethod
    def between(cls, measured: float, said: Range, *, at_least: bool = False) -> Deviation:
        """Raises ValueError when a figure is not positive."""
        log_ratio = math.log(measured / said.typical)
        spread = abs(math.log((said.high if log_ratio > 0 else said.low) / said.typical))
        surprise = abs(log_ratio) / max(spread, _NARROWEST)
        return cls(log_ratio=log_ratio, spread=spread, surprise=surprise, at_least=at_least)

    @property
    def silent(self) -> bool:
        """A lower bound under the estimate says nothing."""
        return self.at_least and self.log_ratio <= 0

    @property
    def contradicts(self) -> bool:
        return self.surprise > FAR_OUT and not self.silent


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """An estimate after a measurement: the range, and what is left of its width (1: all)."""

    range: Range
    factor: float
    left: float


def moved(
    prior: Range, deviation: Deviation, rho: float, quantity: Quantity, like: Range | None = None
) -> Moved:
    """`prior` given a measured run whose error has the correlation `rho` with its own.

    Args:
        like: the figure whose spread decides how far the centre moves, where several figures of one
            thing move together; `prior` itself by default.
    """
    if deviation.silent or prior.low <= 0:
        return Moved(range=prior, factor=1.0, left=1.0)
    down, up = _sides(like or prior)
    own = up if deviation.log_ratio > 0 else down
    beta = rho * min(1.0, own / max(deviation.spread, _NARROWEST))
    shift = math.exp(beta * deviation.log_ratio)
    if deviation.contradicts:
        low, high = prior.low * min(1.0, shift), prior.high * max(1.0, shift)
        return Moved(range=Range(low, prior.typical, high), factor=1.0, left=1.0)
    kept, noise = _kept(deviation, rho), _SHARED[quantity].noise
    down, up = (min(side, math.hypot(side * kept, noise)) for side in _sides(prior))
    centre = prior.typical * shift
    found = Range(centre * math.exp(-down), centre, centre * math.exp(up))
    return Moved(range=found, factor=shift, left=kept)


def _sides(found: Range) -> tuple[float, float]:
    """The half-widths below and above, in logarithms."""
    return math.log(found.typical / found.low), math.log(found.high / found.typical)


def _kept(deviation: Deviation, rho: float) -> float:
    """The share of a half-width that stays: all of it where the range itself is in doubt."""
    if deviation.at_least:
        return 1.0
    narrowed = math.sqrt(1.0 - rho * rho)
    doubt = min(1.0, max(0.0, deviation.surprise - 1.0))
    return narrowed + (1.0 - narrowed) * doubt


STAYS: Final = ("weights", "gradients", "optimizer")
"""Components of memory that another micro-batch leaves alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A measured run as the engine understands it, with what it was found to deviate by.

    `states` and `live` are ratios, measured over estimated, of what stays in memory (the components
    `stays`) and of the rest; None unless the runs tell them apart.
    """

    case: Case
    memory: Deviation | None = None
    step: Deviation | None = None
    states: float | None = None
    live: float | None = None
    stays: tuple[str, ...] = STAYS

    def of(self, quantity: Quantity) -> Deviation | None:
        return self.memory if quantity == "memory" else self.step

    def contradicts(self, quantity: Quantity) -> bool:
        deviation = self.of(quantity)
        return deviation is not None and deviation.contradicts


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """The client's own measured runs, as a part of the catalog that an estimate is made from.

    `anchors` are those that say anything of others; `runs` all of them beside the engine.
    """

    anchors: tuple[Anchor, ...]
    runs: tuple[OwnRun, ...] = ()

    def about(self, quantity: Quantity) -> tuple[Anchor, ...]:
        """The runs that say anything of memory, or of the step."""
        said = ((anchor, anchor.of(quantity)) for anchor in self.anchors)
        return tuple(a for a, deviation in said if deviation is not None and not deviation.silent)

    def nearest(self, quantity: Quantity, case: Case) -> tuple[Anchor, float] | None:
        """The run that says most of `case`, with the correlation; None when none says anything."""
        found = [
            (correlation(quantity, anchor.case, case, parts_known=anchor.live is not None), anchor)
            for anchor in self.about(quantity)
        ]
        rho, anchor = max(found, key=lambda pair: pair[0], default=(0.0, None))
        return (anchor, rho) if anchor is not None and rho > 0 else None

    def near(self, quantity: Quantity, case: Case) -> bool:
        """Whether an agreeing run of what is almost `case` was measured, to the end."""
        found = self.nearest(quantity, case)
        if found is None or found[1] < NEAR:
            return False
        deviation = found[0].of(quantity)
        return deviation is not None and not deviation.contradicts and not deviation.at_least

    def least_factor(self, quantity: Quantity) -> float:
        """How low the runs may bring a typical figure at most, as a factor on it, at most 1."""
        anchors = [a for a in self.about(quantity) if not a.contradicts(quantity)]
        ratios = [math.exp(d.log_ratio) for d in (a.of(quantity) for a in anchors) if d is not None]
        parts = [part for a in anchors for part in (a.states, a.live) if part is not None]
        return min([1.0, *ratios, *parts])

    def step(self, case: Case, prior: Range) -> Moved:
        """The time of a step of `case`, s, given the runs."""
        found = self.nearest("step", case)
        if found is None or found[0].step is None:
            return Moved(range=prior, factor=1.0, left=1.0)
        return moved(prior, found[0].step, found[1], "step")

    def memory(
        self, case: Case, priors: Sequence[Range], components_gib: Mapping[str, float]
    ) -> tuple[Moved, ...]:
        """Figures of the memory of `case`, GiB, given the runs: they move together.

        Args:
            priors: what is allocated first, then what holds it.
            components_gib: of what is allocated: where the runs told the parts apart, each moves
                by its own ratio.
        """
        found = self.nearest("memory", case)
        if found is None or found[0].memory is None:
            return tuple(Moved(range=prior, factor=1.0, left=1.0) for prior in priors)
        anchor, rho = found
        deviation = found[0].memory
        if anchor.states is not None and anchor.live is not None:
            share = sum(components_gib[name] for name in anchor.stays) / priors[0].typical
            ratio = share * anchor.states + (1.0 - share) * anchor.live
            deviation = replace(deviation, log_ratio=math.log(ratio), spread=0.0)
        return tuple(moved(p, deviation, rho, "memory", like=priors[0]) for p in priors)
