"""What the charts show: lengths in proportion, limits where they are, numbers in words."""

import re
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.utils import translation
from django.utils.translation import gettext

from apps import charts as c
from apps.charts.labels import Labels
from apps.charts.scale import Linear, linear, logarithmic, nice_step
from apps.charts.textures import block
from apps.core.formatting import approximate
from apps.sizing.ranges import Range
from tests.charts.drawing import parsed, problems_of, words_of

PARTS = {"weights": 7.5, "gradients": 7.5, "optimizer": 15.0, "activations": 23.6, "buffers": 3.6}


def make_bar(**changes: Any) -> c.MemoryBar:
    values: dict[str, Any] = {
        "key": "V2",
        "name": "Single node",
        "hardware": "4x H200 NVL 141",
        "components_gib": PARTS,
        "device_gib": Range(42, 59.2, 67),
        "capacity_gib": 140.4,
        "status": "fits",
        "word": "fits",
    }
    return c.MemoryBar(**values | changes)


def memory(*bars: c.MemoryBar, weights_only_gib: float | None = 15.0) -> c.Drawing:
    return c.memory_chart(
        bars, weights_only_gib=weights_only_gib, labels=c.MemoryLabels(), number=approximate
    )


def shapes(drawing: str, css: str) -> list[ET.Element]:
    return [e for e in parsed(drawing).iter() if css in e.attrib.get("class", "").split()]


def bars_of(drawing: str, css: str) -> list[ET.Element]:
    """Rectangles with this class that are more than a swatch and less than a plate of words."""
    rects = [e for e in shapes(drawing, css) if e.tag.endswith("rect")]
    return [r for r in rects if float(r.attrib["height"]) > 20]


def said(drawing: str) -> str:
    description = parsed(drawing).find("{http://www.w3.org/2000/svg}desc")
    assert description is not None
    return description.text or ""


def texts(drawing: str) -> list[str]:
    return [w.text for w in words_of(parsed(drawing))]


@pytest.mark.parametrize("form", ["wide", "narrow"])
def test_the_parts_of_memory_are_as_long_as_they_are_large(form: str) -> None:
    drawing = getattr(memory(make_bar()), form)
    widths = {p: float(bars_of(drawing, f"m-{p}")[0].attrib["width"]) for p in PARTS}
    scale = widths["activations"] / PARTS["activations"]
    for part, gib in PARTS.items():
        assert widths[part] == pytest.approx(gib * scale, abs=0.2)


def test_the_parts_always_stand_in_the_same_order() -> None:
    drawing = memory(make_bar(components_gib=dict(reversed(PARTS.items())))).wide
    starts = [float(bars_of(drawing, f"m-{p}")[0].attrib["x"]) for p in PARTS]
    assert starts == sorted(starts)


def test_the_limit_is_the_capacity_of_one_gpu_and_its_last_tenth_is_reserve() -> None:
    drawing = memory(make_bar()).wide
    start = float(bars_of(drawing, "m-weights")[0].attrib["x"])
    trough = float(bars_of(drawing, "c-sunken")[0].attrib["width"])
    limits = [e for e in shapes(drawing, "c-ink") if e.attrib.get("stroke-width") == "2.2"]
    assert [float(e.attrib["x1"]) for e in limits] == pytest.approx([start + trough], abs=0.2)
    reserve = [float(e.attrib[k]) for e in shapes(drawing, "c-rule2") for k in ("x1", "x2")]
    assert min(reserve) == pytest.approx(start + 0.9 * trough, abs=0.2)
    assert max(reserve) == pytest.approx(start + trough, abs=0.2)


def test_what_the_device_holds_beyond_the_parts_is_drawn_open_and_named() -> None:
    assert "cache and driver" in texts(memory(make_bar()).wide)
    exact = make_bar(device_gib=Range(42, 57.2, 67))
    assert "cache and driver" not in texts(memory(exact).wide)


def test_without_a_capacity_there_is_no_limit_and_no_trough() -> None:
    drawing = memory(make_bar(capacity_gib=None, status="unknown", word="unknown")).wide
    assert bars_of(drawing, "c-sunken") == []
    assert not any("available" in t for t in texts(drawing))
    assert said(drawing) == "V2 4x H200 NVL 141: 42–59–67 GiB, unknown"


def test_the_description_says_the_numbers_and_the_verdict() -> None:
    assert said(memory(make_bar()).wide) == "V2 4x H200 NVL 141: 42–59–67 of 140 GiB, fits"


def test_the_weight_in_inference_may_be_left_out() -> None:
    assert not any("inference" in t for t in texts(memory(make_bar(), weights_only_gib=None).wide))
    assert any("inference: 15" in t for t in texts(memory(make_bar()).wide))


def test_a_volume_that_is_too_small_has_a_red_stop_at_its_end() -> None:
    def volume(capacity_gb: float) -> str:
        parts = [c.VolumePart("data", 184, "rising"), c.VolumePart("checkpoints", 514, "falling")]
        row = c.Volume(
            name="Disk", notes=[], parts=parts, capacity_gb=capacity_gb, status="info", word="x"
        )
        return c.storage_chart([row], labels=c.StorageLabels(), number=approximate).wide

    assert len(shapes(volume(500), "c-blocked-s")) == 2  # the frame and the stop
    assert shapes(volume(960), "c-blocked-s") == []
    assert said(volume(500)) == "Disk: needs 698 GB, has 500 GB"


def test_volumes_share_one_scale() -> None:
    rows = [
        c.Volume(name=n, notes=[], parts=[], capacity_gb=gb, status="fits", word="ok")
        for n, gb in (("a", 500), ("b", 2000))
    ]
    drawing = c.storage_chart(rows, labels=c.StorageLabels(), number=approximate).wide
    small, large = (float(e.attrib["width"]) for e in bars_of(drawing, "c-sunken"))
    assert large == pytest.approx(4 * small, rel=0.01)


def cycle(**changes: Any) -> c.Drawing:
    points = [c.BandPoint(n, Range(160 / n, 200 / n, 260 / n)) for n in (2, 4, 8)]
    values: dict[str, Any] = {
        "bands": [c.LinkBand(kind="pcie", name="PCIe", detail="H100 NVL", points=points)],
        "marks": [c.CycleMark(key="V2", gpu_count=4, hours=50, status="fits")],
        "deadline_hours": 72.0,
        "feed_floor_hours": None,
        "too_small_gpu_count": None,
    }
    return c.cycle_chart(
        c.CyclePlot(**values | changes), labels=c.CycleLabels(), number=approximate
    )


def test_doubling_the_gpus_is_the_same_distance_everywhere() -> None:
    line = next(e for e in parsed(cycle().wide).iter() if e.attrib.get("class") == "b-pcie-line")
    points = [tuple(map(float, p.split(","))) for p in line.attrib["points"].split()]
    (x1, y1), (x2, y2), (x3, y3) = points
    assert x2 - x1 == pytest.approx(x3 - x2, abs=0.2)
    assert y2 - y1 == pytest.approx(y3 - y2, abs=0.2)  # hours halve: the other axis is alike


def test_kinds_of_links_differ_by_dash() -> None:
    dashes = set()
    for kind in ("pcie", "nvlink", "network"):
        band = c.LinkBand(kind=kind, name="x", detail="", points=[c.BandPoint(2, Range(1, 2, 3))])
        drawing = cycle(bands=[band]).wide
        dashes |= {
            e.attrib.get("stroke-dasharray")
            for e in parsed(drawing).iter()
            if e.attrib.get("class", "").endswith("-line")
        }
    assert len(dashes) == 3


def test_the_deadline_is_a_line_with_words_only_when_there_is_one() -> None:
    assert "client's deadline: 72 h" in texts(cycle().wide)
    assert not any("deadline" in t for t in texts(cycle(deadline_hours=None).wide))
    assert said(cycle().wide).endswith("client's deadline: 72 h")


def test_what_a_pilot_measured_is_a_named_diamond_on_both_axes() -> None:
    assert "measured" not in said(cycle().wide)
    point = c.MeasuredPoint(name="A1", gpu_count=16, hours=400.0)
    drawing = cycle(measured=[point])
    for shape in (drawing.wide, drawing.narrow):
        diamonds = [
            e for e in parsed(shape).iter() if "c-halo" in (e.attrib.get("class") or "").split()
        ]
        assert len(diamonds) == 1
        assert "A1" in texts(shape)
        assert "16" in texts(shape)  # the axis reaches as far as what was measured
        assert said(shape).endswith("measured in a pilot: A1 on 16 GPUs, 400 h")


def test_what_cannot_run_is_hatched_and_named() -> None:
    drawing = cycle(too_small_gpu_count=1).wide
    assert shapes(drawing, "c-blocked-bg")
    assert "memory" in " ".join(texts(drawing))
    assert not shapes(cycle().wide, "c-blocked-bg")


def make_swing(key: str, low: float, high: float) -> c.Swing:
    return c.Swing(key=key, name=f"Question {key}", note="", low=low, high=high)


def test_the_widest_swing_comes_first() -> None:
    swings = [make_swing("Q1", 52, 56), make_swing("Q2", 45, 66), make_swing("Q3", 49, 54)]
    drawing = c.tornado_chart(
        swings, typical=53, deadline=72, unit="h", labels=c.TornadoLabels(), number=approximate
    ).wide
    order = re.findall(r"Q(\d) Question", said(drawing))
    assert order == ["2", "3", "1"]
    assert {"now 53 h", "deadline 72 h"} <= set(texts(drawing))


def test_a_lost_feed_is_an_empty_dashed_bar() -> None:
    case = c.FeedCase(title="A is lost", loads_kw=[None, [2.0, 1.0]], status="tight", word="tight")
    plot = c.FeedPlot(cases=[case], part_names=["GPU", "CPU"], limit_kw=4, breaker_kw=5)
    drawing = c.power_chart(plot, labels=c.PowerLabels(), number=approximate).wide
    assert len(shapes(drawing, "c-rule2-s")) == 1
    assert "feed lost" in texts(drawing)
    assert said(drawing) == "A is lost: feed A feed lost, feed B 3 kW; tight"


def test_a_server_is_drawn_at_true_height() -> None:
    def rack(unit_count: int) -> str:
        item = c.RackItem(
            kind="server", name="Server", detail="", first_unit=3, unit_count=unit_count
        )
        whole = c.Rack(title="", note="", foot="", first_unit=1, shown_unit_count=12, items=[item])
        return c.rack_chart(whole, labels=c.RackLabels(), number=approximate)

    heights = [float(bars_of(rack(n), "c-info-bg")[0].attrib["height"]) for n in (2, 4)]
    assert heights[1] == pytest.approx(2 * heights[0])
    assert said(rack(4)) == "Server: U3–U6"


def test_each_feed_ends_in_outlets_of_its_own_side() -> None:
    def words(feed_count: int) -> set[str]:
        whole = c.Rack(
            title="",
            note="",
            foot="",
            first_unit=1,
            shown_unit_count=12,
            items=[],
            feed_count=feed_count,
        )
        drawn = c.rack_chart(whole, labels=c.RackLabels(), number=approximate)
        return {text for text in texts(drawn) if text.startswith("PDU")}

    assert words(0) == set()
    assert words(1) == {"PDU A"}
    assert words(2) == {"PDU A", "PDU B"}
    assert words(3) == {"PDU A", "PDU B, C"}


def test_textures_differ_without_their_colours() -> None:
    drawn = {
        re.sub(r'(class|fill|stroke)="[^"]*"', "", block(texture, 0, 0, 60, 28))
        for texture in ("solid", "rising", "falling", "dots", "lines", "open")
    }
    assert len(drawn) == 6


def all_labels() -> Iterable[type[Labels]]:
    return Labels.__subclasses__()


@pytest.mark.parametrize("labels", all_labels(), ids=lambda cls: cls.__name__)
def test_every_word_of_a_chart_is_translated_with_its_places(labels: type[Labels]) -> None:
    with translation.override("ru"):
        russian = labels().translated(gettext)
    for name in labels.__dataclass_fields__:
        source, target = getattr(labels(), name), getattr(russian, name)
        places = r"%\(\w+\)s"
        assert sorted(re.findall(places, source)) == sorted(re.findall(places, target))
        if re.search(r"[a-zA-Z]{2}", re.sub(places, "", source)):
            assert re.search("[а-яА-Я]", target), source


@pytest.mark.parametrize(
    ("top", "count", "step"), [(140, 8, 20), (1, 5, 0.2), (15.5, 8, 2), (1e9, 5, 2e8)]
)
def test_steps_are_round(top: float, count: int, step: float) -> None:
    assert nice_step(top, count) == pytest.approx(step)


def test_a_linear_scale_ends_on_a_tick() -> None:
    scale = linear(0, 100, 140.4, 8)
    assert scale.ticks(8)[-1] == scale.top == 160


def test_a_figure_beyond_the_scale_stays_on_it() -> None:
    scale = Linear(10, 110, 50)
    assert [scale.at(v) for v in (-5, 0, 50, 1e300, float("nan"))] == [10, 10, 110, 110, 10]


def test_a_logarithmic_scale_shows_at_least_a_few_ticks() -> None:
    assert 2 <= len(logarithmic(0, 100, [7.5, 131]).ticks(8)) <= 8
    assert 1 <= len(logarithmic(0, 100, [1e-3, 1e9]).ticks(8)) <= 8


@pytest.mark.parametrize(
    ("flaw", "body"),
    [
        ("blocked by the policy", '<rect x="1" y="1" width="1" height="1" style="fill:red"/>'),
        ("blocked by the policy", '<rect id="a" x="1" y="1" width="1" height="1"/>'),
        (
            "outside",
            '<text x="95" y="20" font-family="Golos Text" font-size="12">wide words</text>',
        ),
        ("meets", '<text x="5" y="20" font-family="Golos Text" font-size="12">one</text>' * 2),
        ("negative", '<rect x="1" y="1" width="-4" height="1"/>'),
        ("shape outside", '<line x1="0" y1="0" x2="500" y2="3"/>'),
        ("not a number", '<line x1="nan" y1="0" x2="5" y2="3"/>'),
    ],
)
def test_the_checks_of_a_drawing_notice_what_is_wrong(flaw: str, body: str) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 40">{body}</svg>'
    assert any(flaw in problem for problem in problems_of(svg))


def efficiency(pays_until: int | None = 8, *, over_pcie: float | None = 0.5) -> c.Drawing:
    shares = {1: 1.0, 4: 0.9, 8: 0.75, 16: 0.5}
    points = [
        c.EfficiencyPoint(
            gpu_count=count,
            node_count=max(1, count // 8),
            efficiency=Range(share * 0.9, share, share),
            over_pcie=over_pcie if count <= 8 else None,
        )
        for count, share in shares.items()
    ]
    plot = c.EfficiencyPlot(points=points, pays_until=pays_until)
    return c.efficiency_chart(plot, labels=c.EfficiencyLabels(), number=approximate)


@pytest.mark.parametrize("form", ["wide", "narrow"])
def test_efficiency_falls_by_its_figures_and_the_rest_is_hatched(form: str) -> None:
    drawing = getattr(efficiency(), form)
    heights = [float(e.attrib["cy"]) for e in shapes(drawing, "c-info-f")]
    assert (heights[2] - heights[0]) * 2 == pytest.approx(heights[3] - heights[0], abs=0.2)
    beyond = [e for e in shapes(drawing, "c-sunken") if e.tag.endswith("rect")]
    eight = float(shapes(drawing, "c-info-f")[2].attrib["cx"])
    assert [float(e.attrib["x"]) for e in beyond] == [pytest.approx(eight, abs=0.1)]
    assert "more than 8 do not pay" in texts(drawing)
    assert "the same over PCIe" in texts(drawing)
    assert said(drawing) == "1 GPUs: 100 %, 4 GPUs: 90 %, 8 GPUs: 75 %, 16 GPUs: 50 %"


def test_where_all_gpus_pay_nothing_is_hatched_and_one_link_is_one_line() -> None:
    drawing = efficiency(None, over_pcie=None).wide
    assert not shapes(drawing, "c-sunken")
    assert not shapes(drawing, "b-pcie-line")
    assert not any("pay" in text for text in texts(drawing))
