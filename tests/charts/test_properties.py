"""Whatever the figures and the names, a chart is well formed and every word can be read."""

from typing import Any, NamedTuple

import pytest
from django.utils import translation
from django.utils.translation import gettext
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from apps import charts as c
from apps.charts.values import Drawing
from apps.core.formatting import approximate
from apps.core.palette import STATE_COLOURS
from tests.charts.drawing import problems_of

FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Span(NamedTuple):
    low: float
    typical: float
    high: float


# Any finite float at all, and mostly figures of a plausible size.
figures = st.one_of(
    st.floats(0, 500), st.floats(0, 1e6), st.floats(allow_nan=False, allow_infinity=False)
)
maybe = st.one_of(st.none(), figures)
names = st.one_of(
    st.text(max_size=60), st.text("абвгдежзийклмнопрст ", max_size=90), st.just("Комфортный узел")
)
states = st.sampled_from(sorted([*STATE_COLOURS, "fits", "does-not-fit"]))
spans = st.builds(lambda v: Span(*sorted(v)), st.tuples(figures, figures, figures))
counts = st.one_of(st.integers(1, 64), st.integers(1, 10**7))
parts = st.fixed_dictionaries(
    dict.fromkeys(("weights", "gradients", "optimizer", "activations", "buffers"), figures)
)
textures = st.sampled_from(["solid", "rising", "falling", "dots", "lines", "open"])


def assert_right(drawing: Drawing | str) -> None:
    for svg in [drawing] if isinstance(drawing, str) else [drawing.wide, drawing.narrow]:
        assert problems_of(svg) == []


@pytest.fixture(autouse=True, params=["ru", "en"])
def language(request: pytest.FixtureRequest) -> Any:
    with translation.override(request.param):
        yield request.param


bars = st.builds(
    c.MemoryBar,
    key=st.text("V0123456789", min_size=1, max_size=4),
    name=names,
    hardware=names,
    components_gib=parts,
    device_gib=spans,
    capacity_gib=maybe,
    status=states,
    word=names,
)


@FEW
@given(rows=st.lists(bars, max_size=5), weights=maybe)
def test_memory(rows: list[c.MemoryBar], weights: float | None) -> None:
    labels = c.MemoryLabels().translated(gettext)
    assert_right(c.memory_chart(rows, weights_only_gib=weights, labels=labels, number=approximate))


volumes = st.builds(
    c.Volume,
    name=names,
    notes=st.lists(names, max_size=2),
    parts=st.lists(st.builds(c.VolumePart, names, figures, textures), max_size=5),
    capacity_gb=maybe,
    status=states,
    word=names,
)


@FEW
@given(rows=st.lists(volumes, max_size=4))
def test_storage(rows: list[c.Volume]) -> None:
    labels = c.StorageLabels().translated(gettext)
    assert_right(c.storage_chart(rows, labels=labels, number=approximate))


bands = st.builds(
    c.LinkBand,
    kind=st.sampled_from(["pcie", "nvlink", "network"]),
    name=names,
    detail=names,
    points=st.lists(st.builds(c.BandPoint, counts, spans), max_size=5),
)
plots = st.builds(
    c.CyclePlot,
    bands=st.lists(bands, max_size=3),
    marks=st.lists(
        st.builds(
            c.CycleMark,
            key=st.sampled_from(["V0", "V1", "V2", "V3"]),
            gpu_count=counts,
            hours=figures,
            status=states,
        ),
        max_size=4,
    ),
    deadline_hours=maybe,
    feed_floor_hours=maybe,
    too_small_gpu_count=st.one_of(st.none(), st.integers(0, 10**7)),
)


def marked(*marks: tuple[str, int, float], too_small: int | None = None) -> c.CyclePlot:
    """A plot of marks alone, above a feed floor of nothing."""
    return c.CyclePlot(
        bands=[],
        marks=[c.CycleMark(key=k, gpu_count=n, hours=h, status="ok") for k, n, h in marks],
        deadline_hours=0.0,
        feed_floor_hours=0.0,
        too_small_gpu_count=too_small,
    )


@FEW
@given(plot=plots)
@example(plot=marked(("V0", 1, 0.0)))
@example(plot=marked(("V1", 17, 15015.364418248244), ("V0", 1056842, 1.0), too_small=6907014))
def test_cycle(plot: c.CyclePlot) -> None:
    labels = c.CycleLabels().translated(gettext)
    assert_right(c.cycle_chart(plot, labels=labels, number=approximate))


swings = st.builds(
    c.Swing,
    key=st.sampled_from(["В1", "Q12", "В104"]),
    name=names,
    note=names,
    low=figures,
    high=figures,
)


@FEW
@given(
    rows=st.lists(swings, max_size=6),
    typical=figures,
    deadline=maybe,
    unit=st.sampled_from(["ч", "ГиБ", ""]),
)
def test_tornado(rows: list[c.Swing], typical: float, deadline: float | None, unit: str) -> None:
    labels = c.TornadoLabels().translated(gettext)
    drawing = c.tornado_chart(
        rows, typical=typical, deadline=deadline, unit=unit, labels=labels, number=approximate
    )
    assert_right(drawing)


loads = st.one_of(st.none(), st.lists(figures, max_size=5))
cases = st.builds(
    c.FeedCase, title=names, loads_kw=st.lists(loads, max_size=3), status=states, word=names
)


@FEW
@given(
    plot=st.builds(
        c.FeedPlot,
        cases=st.lists(cases, max_size=4),
        part_names=st.lists(names, max_size=5),
        limit_kw=maybe,
        breaker_kw=maybe,
    )
)
def test_power(plot: c.FeedPlot) -> None:
    labels = c.PowerLabels().translated(gettext)
    assert_right(c.power_chart(plot, labels=labels, number=approximate))


@st.composite
def racks(draw: st.DrawFn) -> c.Rack:
    """Items follow each other upwards, as gear in a rack does; gaps and overshoots are allowed."""
    unit, items = draw(st.integers(-3, 5)), []
    for _ in range(draw(st.integers(0, 6))):
        height = draw(st.integers(0, 12))
        items.append(
            c.RackItem(
                kind=draw(st.sampled_from(["busy", "server", "growth"])),
                name=draw(names),
                detail=draw(names),
                first_unit=unit,
                unit_count=height,
                slot_count=draw(st.integers(-1, 40)),
                used_slot_count=draw(st.integers(-1, 40)),
            )
        )
        unit += height + draw(st.integers(0, 3))
    return c.Rack(
        title=draw(names),
        note=draw(names),
        foot=draw(names),
        first_unit=1,
        shown_unit_count=draw(st.integers(0, 100)),
        items=items,
        feed_count=draw(st.integers(0, 9)),
    )


@FEW
@given(rack=racks())
def test_rack(rack: c.Rack) -> None:
    labels = c.RackLabels().translated(gettext)
    assert_right(c.rack_chart(rack, labels=labels, number=approximate))


rows = st.builds(
    c.DimensionRow,
    name=names,
    unit=names,
    value=spans,
    limit=maybe,
    limit_name=names,
    status=states,
)


@FEW
@given(figures=st.lists(rows, max_size=4))
def test_dimensions(figures: list[c.DimensionRow]) -> None:
    labels = c.DimensionLabels().translated(gettext)
    assert_right(c.dimension_chart(figures, labels=labels, number=approximate))


@FEW
@given(units=st.integers(-1, 50), slots=st.integers(-1, 100))
def test_server(units: int, slots: int) -> None:
    labels = c.ServerLabels().translated(gettext)
    assert_right(c.server_front(c.ServerFront(units, slots), labels=labels))


efficiencies = st.builds(
    c.EfficiencyPoint,
    gpu_count=counts,
    node_count=st.integers(1, 64),
    efficiency=spans,
    over_pcie=maybe,
)


@FEW
@given(points=st.lists(efficiencies, max_size=7), until=st.one_of(st.none(), counts))
def test_efficiency(points: list[c.EfficiencyPoint], until: int | None) -> None:
    plot = c.EfficiencyPlot(points=points, pays_until=until)
    labels = c.EfficiencyLabels().translated(gettext)
    assert_right(c.efficiency_chart(plot, labels=labels, number=approximate))
