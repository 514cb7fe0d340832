"""What may be compared, and what only looks as if it could."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.offers.comparison import gaps_of, ranking_of, rows_of, value_text, why_apart
from apps.offers.forms import OfferForm
from apps.offers.models import Offer

EQUAL: dict[str, Any] = {"workload": "protocol", "quality": "reached"}


def offer(supplier: str, step_s: float | None = None, **said: Any) -> Offer:
    return Offer(supplier=supplier, step_s=step_s, **said)


def test_steps_on_equal_terms_are_ranked_by_how_much_longer_each_is():
    found = ranking_of([offer("B", 1.5, **EQUAL), offer("A", 1.2, **EQUAL)])
    assert [(place.supplier, place.ratio) for place in found.places] == [("A", "1"), ("B", "1.25")]
    assert found.apart == ()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({}, "the step was not measured"),
        ({"step_s": 1.0, "quality": "reached"}, "it is not said what load was measured"),
        ({"step_s": 1.0, "workload": "other", "quality": "reached"}, "measured on another load"),
        ({"step_s": 1.0, "workload": "protocol"}, "the quality on held-out data is not given"),
        (
            {"step_s": 1.0, "workload": "protocol", "quality": "missed"},
            "the quality on held-out data was not reached",
        ),
    ],
)
def test_an_unequal_step_is_never_ranked_however_short(said, why):
    fast = offer("Fast", **{"step_s": None} | said)
    others = [offer("A", 2.0, **EQUAL), offer("B", 3.0, **EQUAL)]
    found = ranking_of([fast, *others])
    assert [place.supplier for place in found.places] == ["A", "B"]
    assert found.apart == (("Fast", why),)


def test_one_alone_is_no_comparison():
    found = ranking_of([offer("A", 1.0, **EQUAL), offer("B", 1.0, workload="other")])
    assert found.places == ()
    assert {supplier for supplier, _why in found.apart} == {"A", "B"}


@given(
    st.lists(
        st.tuples(
            st.none() | st.floats(0.001, 1000),
            st.sampled_from(["", "protocol", "other"]),
            st.sampled_from(["", "reached", "missed"]),
        ),
        max_size=6,
    )
)
@settings(max_examples=50)
def test_every_offer_is_either_ranked_or_told_why_not(measured):
    offers = [
        offer(f"S{i}", step, workload=load, quality=quality)
        for i, (step, load, quality) in enumerate(measured)
    ]
    found = ranking_of(offers)
    ranked = [place.supplier for place in found.places]
    assert sorted(ranked + [s for s, _why in found.apart]) == sorted(o.supplier for o in offers)
    steps = [o.step_s for s in ranked for o in offers if o.supplier == s]
    assert steps == sorted(steps)
    assert not any(why_apart(o) for o in offers if o.supplier in ranked)


def test_an_empty_field_is_a_question_to_the_supplier():
    said = offer("A", condition="new", warranty="3 years")
    labels = {row.key: row.label for row in rows_of([said])}
    assert labels["condition"] not in gaps_of(said)
    assert labels["network"] in gaps_of(said)
    assert value_text(said, "condition") == "new"


def test_another_load_says_which():
    said = offer("A", 1.0, workload="other", workload_words="half the sequence")
    assert value_text(said, "workload") == "another load: half the sequence"


@pytest.mark.parametrize("field", ["composition", "warranty", "storage", "supplier"])
def test_a_price_is_refused_beside_its_field(field):
    form = OfferForm({"supplier": "A", field: "8 × H200, 1 200 000 ₽"})
    assert not form.is_valid()
    assert "Prices are not compared here" in form.errors[field][0]


@pytest.mark.parametrize(("typed", "step_s"), [("12,4 с", 12.4), ("0.8", 0.8), ("", None)])
def test_a_step_is_read_as_people_write_it(typed, step_s):
    form = OfferForm({"supplier": "A", "step_s": typed})
    assert form.is_valid(), form.errors
    assert form.values()["step_s"] == step_s


@pytest.mark.parametrize("typed", ["-1", "fast", "NaN", "1e9"])
def test_a_step_that_is_none_says_how_to_mend_it(typed):
    form = OfferForm({"supplier": "A", "step_s": typed})
    assert not form.is_valid()
    assert form.errors["step_s"]
