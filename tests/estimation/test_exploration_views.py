"""Methods, ladder, limits and near runs in words: whole in both languages, no digit too many."""

import re
from decimal import Decimal
from functools import cache

import pytest
from django.utils import translation

from apps.catalog.answers import answer
from apps.estimation import presenters
from apps.estimation.magnitude import as_shown
from apps.estimation.presenters.cells import cell_of
from tests.sizing.test_assemble import LORA, ranges_in

FULL = {**LORA, "method": "full", "recipe": {**LORA["recipe"], "precision": "fp32"}}
SCRATCH = {
    "strategy": "from-scratch",
    "method": "full",
    "model": {"params_billion": 70, "kind": "decoder"},
    "recipe": {"stage": "pretrain", "precision": "bf16-mixed", "sequence_length": 4096},
}
VISION = {
    "strategy": "finetune",
    "model": {"kind": "vision", "params_billion": 0.3, "image_size": 224},
    "recipe": {"framework": "timm", "micro_batch": 32, "precision": "fp16-mixed"},
}
TASKS = {"lora": LORA, "full": FULL, "scratch": SCRATCH, "vision": VISION}
VIEWS = ("methods_of", "ladder_of", "limits_of", "plan_of")
CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)


@cache
def result(name):
    return answer(TASKS[name])


def words_in(view):
    """Every text of a view, however deep."""
    if isinstance(view, str):
        yield view
    elif isinstance(view, list | tuple):
        for part in view:
            yield from words_in(part)
    elif hasattr(view, "__dataclass_fields__"):
        for name in view.__dataclass_fields__:
            yield from words_in(getattr(view, name))


def every_text(document, language):
    with translation.override(language):
        views = [getattr(presenters, name)(document) for name in VIEWS]
        views += [presenters.near_runs(document), presenters.variants_of(document)]
        return [text for text in words_in(views) if text]


@pytest.mark.parametrize("name", sorted(TASKS))
@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_view_is_said_without_codes_or_gaps(name, language, caplog):
    texts = every_text(as_shown(result(name)), language)
    assert len(texts) > 40
    assert not caplog.records
    for text in texts:
        assert "“%(" not in text
        assert "None" not in text
        if language == "en":
            assert not CYRILLIC.search(text), text


def test_the_stated_method_is_marked_and_named_in_the_conclusion():
    with translation.override("en"):
        view = presenters.methods_of(result("lora"))
    assert [row.key for row in view.rows if row.named] == ["lora"]
    assert "Stated method: LoRA." in view.conclusion
    assert all(row.fewest for row in view.rows)


@pytest.mark.parametrize("name", sorted(TASKS))
@pytest.mark.parametrize("language", ["ru", "en"])
def test_a_sentence_does_not_begin_as_the_one_before_it(name, language):
    """What stands in one cell is read in one go: three words said again are words too many."""
    with translation.override(language):
        rows = presenters.methods_of(result(name)).rows
    for row in rows:
        sentences = [s for s in re.split(r"(?<=[.!?]) ", " ".join((*row.costs, row.checks))) if s]
        beginnings = [" ".join(sentence.split()[:2]) for sentence in sentences]
        assert len(beginnings) == len(set(beginnings)), sentences


def with_layouts(*schemes):
    """The comparison of the LoRA task with the methods laid out as `schemes`."""
    document = result("lora")
    rows = [
        {**row, "here": {**row["here"], "layout": scheme}}
        for row, scheme in zip(document["methods"]["rows"], schemes, strict=True)
    ]
    return {**document, "methods": {**document["methods"], "rows": rows}}


@pytest.mark.parametrize("language", ["ru", "en"])
def test_layouts_that_differ_say_why(language):
    with translation.override(language):
        view = presenters.methods_of(with_layouts("fsdp-4", "ddp-4", "ddp-4"))
        whole, split, same = (
            presenters.methods_of(with_layouts(*schemes)).layouts
            for schemes in (
                ("ddp-2", "ddp-4", "single"),
                ("fsdp-4", "zero2-4", "fsdp-4"),
                ("ddp-4", "ddp-4", "ddp-4"),
            )
        )
    before, _dot, after = view.layouts.partition("FSDP")
    assert view.rows[0].name in before
    assert after.count("DDP") == 2
    assert whole
    assert whole == split
    assert same == ""


def test_a_method_that_does_not_apply_has_its_reason_only():
    with translation.override("en"):
        view = presenters.methods_of(result("scratch"))
    lora = next(row for row in view.rows if row.key == "lora")
    assert lora.reason.startswith("Does not apply")
    assert lora.memory is None
    assert "one method" in view.conclusion


def test_the_ladder_stops_once_and_says_where():
    with translation.override("en"):
        view = presenters.ladder_of(result("full"))
    assert [rung.stops for rung in view.rungs].count(True) == 1
    assert view.rungs[-1].stops
    assert view.rungs[-1].name in view.conclusion


def test_limits_are_answers_or_reasons():
    with translation.override("en"):
        rows = presenters.limits_of(result("full")).rows
        images = presenters.limits_of(result("vision")).rows
    assert len(rows) == len(images) == 3
    assert all(bool(row.value) != bool(row.reason) for row in (*rows, *images))
    assert "stated: 2,048\N{NO-BREAK SPACE}tokens" in [row.stated for row in rows]


def test_near_runs_stand_beside_what_the_engine_says():
    with translation.override("en"):
        runs = presenters.near_runs(result("lora"))
    assert runs
    for run in runs:
        assert run.source
        assert run.figures
        assert run.likeness
    kinds = {run.state for run in presenters.near_runs(result("vision"))}
    assert kinds <= {"unknown"}


def test_an_older_result_without_the_blocks_is_no_fault():
    blocks = ("methods", "ladder", "limits", "plan")
    old = {k: v for k, v in result("lora").items() if k not in blocks}
    assert [getattr(presenters, name)(old) for name in VIEWS] == [None] * len(VIEWS)


def digits_of(value):
    return len(Decimal(repr(value)).normalize().as_tuple().digits)


def test_a_magnitude_shows_no_false_precision():
    document = result("scratch")
    assert document["status"] == "magnitude"
    shown = as_shown(document)
    figures = list(ranges_in(shown))
    assert len(figures) > 50
    for figure in figures:
        assert figure["low"] <= figure["typical"] <= figure["high"]
        assert all(digits_of(figure[end]) <= 3 for end in figure), figure
    wide = [f for f in figures if f["high"] > 1.5 * f["low"]]
    assert all(digits_of(f[end]) <= 2 for f in wide for end in f)
    for variant in shown["variants"]:
        assert digits_of(variant["memory"]["components_gib"]["weights"]) <= 2
        # What is said alone keeps one digit.
        for ratio in (variant["time"]["mfu"], variant["time"]["communication_share"]):
            assert digits_of(ratio) == 1
        assert digits_of(variant["interconnect"]["step_pcie_ratio"]) == 1
    # A fact stays what it is, by whatever name.
    stated = {"feed_kw": 7.2864, "depth_mm": 1070.0, "floor_kg": 812.0}
    assert as_shown({"status": "magnitude", "params": stated})["params"] == stated
    capacity = document["variants"][0]["memory"]["capacity_gib"]
    assert shown["variants"][0]["memory"]["capacity_gib"] == capacity


def test_a_result_with_enough_data_is_shown_as_it_is():
    assert as_shown(result("lora")) == result("lora")


def test_without_a_length_of_the_run_only_memory_is_judged():
    document = as_shown(result("scratch"))
    with translation.override("en"):
        assert "hold it by memory, time is not known" in presenters.headline(document)
        cell = cell_of("time", document["variants"][0]["time"])
    assert cell.label == "Time of a step"
    assert cell.limit_text.startswith("a billion tokens:")
    floors = [m for v in document["variants"] for m in v["risks"]]
    assert "variant.risk.floor" in {m["key"] for m in floors}


@pytest.mark.parametrize("name", sorted(TASKS))
@pytest.mark.parametrize("language", ["ru", "en"])
def test_no_text_pools_the_memory_of_several_gpus(name, language):
    """Memory is one card's: N times it is no memory that a task could use (PAR-01)."""
    document = result(name)
    pooled = set()
    for variant in document["variants"]:
        memory, gpus = variant["memory"], variant["gpus"]
        if gpus > 1:
            whole = gpus * memory["capacity_gib"]
            card = presenters.variants_of(document)[0].block["memory"]["capacity_gib"]
            pooled |= {round(whole), round(whole * 2**30 / 1e9), round(gpus * card)}
    with translation.override(language):
        details = [
            presenters.detail_of(part, variant[part], document)
            for variant in document["variants"]
            for part in ("memory", "host", "interconnect")
            if variant[part]
        ]
        texts = [*every_text(document, language), *words_in(details)]
    for text in texts:
        plain = re.sub(r"(?<=\d)[\u00a0\u202f,](?=\d{3})", "", text)
        for count in re.findall(r"\d+(?=[\u00a0 ](?:ГиБ|ГБ|GiB|GB))", plain):
            assert int(count) not in pooled, text


def test_a_method_nobody_stated_is_not_marked_as_stated():
    document = result("lora")
    block = {**document["methods"], "assumed": True}
    with translation.override("en"):
        stated = presenters.methods_of(document)
        assumed = presenters.methods_of({**document, "methods": block})
    assert [row.mark for row in stated.rows if row.mark] == ["stated"]
    assert [row.mark for row in assumed.rows if row.mark] == ["assumed"]
    assert "No method is stated" in assumed.conclusion
