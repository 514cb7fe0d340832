"""How a model is spread over GPUs, in words."""

import pytest
from django.utils import translation

from apps.estimation.wording.schemes import scheme_text


@pytest.mark.parametrize(
    ("scheme", "english", "russian"),
    [
        ("single", "nothing is split", "без деления"),
        ("ddp-1", "DDP over 1 GPU", "DDP на 1 GPU"),
        ("zero3-8", "ZeRO-3 over 8 GPUs", "ZeRO-3 на 8 GPU"),
        ("fsdp-8+tp-2", "FSDP over 8 GPUs + TP over 2 GPUs", "FSDP на 8 GPU + TP на 2 GPU"),
        ("brand-new", "brand-new", "brand-new"),
    ],
)
def test_a_scheme_reads_as_words_in_both_languages(scheme, english, russian):
    assert scheme_text(scheme) == english
    with translation.override("ru"):
        assert scheme_text(scheme) == russian


def test_a_scheme_that_nobody_stated_says_so():
    assert scheme_text("") == "not specified"
