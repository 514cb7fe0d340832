"""The usual band of a class beside the computed count: said as an order, differences explained."""

import pytest
from django.utils import translation

from apps.estimation.presenters import size_band_text


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


def result(kind="small", gpus=2, params=8.0, named="lora", fewest=1):
    low, high = {"small": (1, 2), "medium": (2, 8), "large": (8, None)}[kind]
    return {
        "size_class": {
            "class": kind,
            "params_billion": params,
            "low_gpus": low,
            "high_gpus": high,
        },
        "variants": [{"recommended": True, "gpus": gpus}],
        "methods": {"named": named, "rows": [{"named": True, "fewest": {"gpus": fewest}}]},
    }


def test_a_band_is_an_order_and_of_a_small_model_both_sayings_stand():
    text = size_band_text(result())
    assert text.startswith("Order of magnitude, not an estimate")
    assert "1–2 GPUs, up to several in one server" in text
    assert "The two agree." in text


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (result("medium", gpus=1, params=32), "Why fewer: adapters"),
        (result("medium", gpus=1, params=32, named="full"), "Why fewer: the recipe saves"),
        (result("small", gpus=8, fewest=1), "Why more: by memory 1"),
        (result("small", gpus=8, fewest=8, named="full"), "Why more: the method"),
    ],
)
def test_a_disagreement_is_explained(case, why):
    assert why in size_band_text(case)


@pytest.mark.parametrize(("params", "near"), [(10.0, True), (8.0, False), (100.0, True)])
def test_a_size_between_classes_is_told(params, near):
    assert ("near the border" in size_band_text(result(params=params))) is near


def test_without_a_size_or_a_variant_nothing_is_said():
    assert size_band_text({"size_class": None, "variants": []}) == ""
    assert size_band_text({**result(), "variants": []}) == ""
