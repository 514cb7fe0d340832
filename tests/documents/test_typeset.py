"""What may not be torn apart at the end of a line. No database, nothing printed."""

from __future__ import annotations

import re

import pytest

from apps.documents.drawings import typeset


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("от 34–78\u00a0ГиБ на", 'от <span class="nb">34–78\u00a0ГиБ</span> на'),
        ("до 9\u202f300–12\u202f400.", 'до <span class="nb">9\u202f300–12\u202f400</span>.'),
        ("для SYS-521GE-TNRT нужна", 'для <span class="nb">SYS-521GE-TNRT</span> нужна'),
        ("5\u00a0GPU-ч", '5\u00a0<span class="nb">GPU-ч</span>'),
        ("QLoRA — 1 GPU", "QLoRA\u00a0— 1 GPU"),
        ("время 160\u00a0мес.. От", "время 160\u00a0мес. От"),
        ("61 % верных", "61\u00a0% верных"),
        ("Llama-3.1-8B, bf16", "Llama-3.1-8B, bf16"),
    ],
)
def test_what_belongs_together_stays_in_one_line(text: str, expected: str) -> None:
    assert typeset(f"<p>{text}</p>") == f"<p>{expected}</p>"


@pytest.mark.parametrize(
    "source",
    [
        "<head><title>34–78 ГиБ</title></head>",
        '<svg class="glyph"><text>34–78</text></svg>',
        '<img alt="34–78 ГиБ — 61 %">',
        "<p>100\u202f000\u202f000–300\u202f000\u202f000\u00a0токенов</p>",
    ],
)
def test_drawings_attributes_and_what_no_column_holds_are_left_alone(source: str) -> None:
    assert typeset(source) == source


def test_no_word_is_lost_or_added() -> None:
    source = "<p>1–2 &amp; 3–4\u00a0ч — A &lt;b&gt; SYS-1-2</p>"
    bare = re.sub(r"</?span[^>]*>", "", typeset(source)).replace("\u00a0—", " —")
    assert bare == source
