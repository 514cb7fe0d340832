"""The file as a screen reader and an archive take it: PDF/A-3a by structure, on the short version.

No validator can be had as a package of this language: what is checked is what one complains of
first (ISO 19005-3, ISO 14289-1).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import Any

from pypdf import PdfReader

from tests.documents.conftest import printed


@cache
def reader() -> PdfReader:
    return PdfReader(BytesIO(printed("approved", "ru", "short").content))


@cache
def elements() -> tuple[dict[str, Any], ...]:
    """Every element of the structure tree, in reading order."""
    return tuple(_below(reader().root_object["/StructTreeRoot"]))


def _below(node: Any) -> Iterator[dict[str, Any]]:
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        for child in node:
            yield from _below(child)
    elif isinstance(node, dict):
        if "/S" in node:
            yield node
        yield from _below(node.get("/K"))


def of_kind(kind: str) -> list[dict[str, Any]]:
    return [element for element in elements() if element["/S"] == kind]


def test_it_says_what_it_is() -> None:
    root = reader().root_object
    about = root["/Metadata"].get_object().get_data().decode("utf-8")
    assert 'pdfaid:part="3"' in about
    assert 'pdfaid:conformance="A"' in about
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "ru"
    assert root["/OutputIntents"][0].get_object()["/DestOutputProfile"].get_object().get_data()
    assert {f.get_object()["/AFRelationship"] for f in root["/AF"]} == {"/Source", "/Data"}


def test_headings_go_down_one_step_at_a_time() -> None:
    levels = [int(e["/S"][2]) for e in elements() if re.fullmatch(r"/H[1-6]", e["/S"])]
    assert levels[0] == 1
    assert all(lower - upper <= 1 for upper, lower in itertools.pairwise(levels))


def test_every_picture_has_words() -> None:
    """A sign whose words stand beside it has a blank, the others have what they show."""
    words = [str(figure.get("/Alt", "")) for figure in of_kind("/Figure")]
    assert all(words)
    assert sum(bool(said.strip()) for said in words) >= 3
    assert any("доступно" in said for said in words)


def test_every_head_of_a_table_says_what_it_heads() -> None:
    heads = of_kind("/TH")
    assert heads
    assert len(of_kind("/TR")) > 10
    assert all(str(head.get("/ID", "")) for head in heads)
    known = {str(head["/ID"]) for head in heads}
    named = [
        {str(one) for one in cell["/A"].get_object().get("/Headers", ())}
        for cell in of_kind("/TD")
        if "/A" in cell
    ]
    assert all(ids <= known for ids in named)
    # A cell of the matrix belongs to its column and to its row.
    assert sum(len(ids) >= 2 for ids in named) > 20


def test_nothing_leads_out_of_it_or_runs() -> None:
    root = reader().root_object
    assert not {"/OpenAction", "/AA", "/AcroForm"} & set(root)
    assert "/JavaScript" not in root.get("/Names", {})
    for page in reader().pages:
        for note in page.get("/Annots", ()):
            action = note.get_object().get("/A") or {}
            assert action.get("/S") not in ("/URI", "/Launch", "/JavaScript", "/SubmitForm")


def test_every_font_is_ours_and_inside() -> None:
    for page in reader().pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            assert re.search(r"\+(Golos-Text|JetBrains-Mono)", str(inner["/BaseFont"]))
            assert "/FontFile2" in inner["/FontDescriptor"]
            assert "/ToUnicode" in font.get_object()
