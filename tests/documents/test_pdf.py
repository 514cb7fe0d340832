"""The printed assessment, read back: structure and text, never bytes of a picture."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from functools import cache
from html import unescape
from io import BytesIO

import pytest
from pypdf import PdfReader

from apps.core.canonical import canonical_json
from apps.documents.page import sheet_of
from apps.documents.press import print_pdf
from tests.documents import samples
from tests.documents.conftest import document_from, printed
from tests.documents.test_page import html, poisoned

NOTICE = {"ru": "Не является коммерческим предложением", "en": "Not a commercial offer"}
SHEET = {"ru": "Лист {0} из {1}", "en": "Sheet {0} of {1}"}
REVISION = {"ru": "ред. B", "en": "rev. B"}
APPENDIX = {"ru": "Все ответы: техническое задание", "en": "All answers: technical"}
BOTH = pytest.mark.parametrize("lang", ["ru", "en"])
# A print takes seconds: what differs from another one by its language only can wait.
EVERY = pytest.mark.parametrize(
    ("name", "lang"),
    [
        *itertools.product(["rent", "full"], ["ru", "en"]),
        *itertools.product(["vague", "failed"], ["ru"]),
        ("scratch", "en"),  # the fullest answer: a tall drawing and long words
        *(pytest.param(name, "en", marks=pytest.mark.slow) for name in ("vague", "failed")),
    ],
)


@cache
def reader(name: str, lang: str, kind: str = "draft") -> PdfReader:
    return PdfReader(BytesIO(printed(name, lang, kind).content))


@cache
def pages(name: str, lang: str, kind: str = "draft") -> tuple[str, ...]:
    texts = (page.extract_text() for page in reader(name, lang, kind).pages)
    return tuple(re.sub(r"[\s\u00a0\u202f]+", " ", text) for text in texts)


@EVERY
def test_every_sheet_carries_number_revision_notice_and_its_own_number(
    name: str, lang: str
) -> None:
    texts = pages(name, lang)
    facts = getattr(samples, name)().facts_sha256()[:8]
    for number, text in enumerate(texts, start=1):
        assert f"ЗС-0042 · {REVISION[lang]}" in text
        assert facts in text
        assert NOTICE[lang] in text
        assert SHEET[lang].format(number, len(texts)) in text


@BOTH
def test_the_body_has_eight_to_fourteen_sheets_and_the_appendices_stand_after_it(
    lang: str,
) -> None:
    texts = pages("rent", lang)
    found = [number for number, text in enumerate(texts) if APPENDIX[lang] in text]
    assert 8 <= found[0] <= 14
    assert len(texts) - found[0] <= 7


@EVERY
def test_nothing_was_refused_and_the_renderer_complained_of_nothing(name: str, lang: str) -> None:
    made = printed(name, lang)
    assert made.refused == ()
    assert made.warnings == ()


@BOTH
@pytest.mark.parametrize("name", ["rent", "full"])
def test_the_answer_stays_on_one_sheet(name: str, lang: str) -> None:
    key = {"ru": "Кто назвал цифру", "en": "Who named a figure"}[lang]
    assert [number for number, text in enumerate(pages(name, lang), 1) if key in text][:1] == [2]


@BOTH
def test_the_second_sheet_is_the_whole_answer(lang: str) -> None:
    text = pages("full", lang)[1]
    expected = {
        "ru": ("Память на GPU", "Цикл", "Хранение", "Стойка", "Что мешает", "Что узнать первым"),
        "en": ("Memory on a GPU", "Cycle", "Storage", "Rack", "What stands in the way"),
    }
    for phrase in expected[lang]:
        assert phrase.upper() in text.upper()


@BOTH
def test_only_our_two_families_are_embedded_and_every_one_is(lang: str) -> None:
    for page in reader("full", lang).pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            assert re.search(r"\+(Golos-Text|JetBrains-Mono)", str(inner["/BaseFont"]))
            assert "/FontFile2" in inner["/FontDescriptor"]


@BOTH
def test_it_says_that_it_is_an_archivable_tagged_file_in_its_language(lang: str) -> None:
    root = reader("full", lang).root_object
    metadata = root["/Metadata"].get_object().get_data().decode("utf-8")
    assert 'pdfaid:part="3"' in metadata
    assert 'pdfaid:conformance="A"' in metadata
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == lang
    assert "/OutputIntents" in root


@BOTH
def test_task_and_result_are_inside_as_valid_json_with_the_right_hash(lang: str) -> None:
    snapshot, attached = samples.full(), reader("full", lang).attachments
    for name, document in (("task.json", snapshot.task), ("result.json", snapshot.result)):
        (content,) = attached[name]
        assert json.loads(content) == document
        expected = hashlib.sha256(canonical_json(document).encode()).hexdigest()
        assert hashlib.sha256(content).hexdigest() == expected
    relations = {f.get_object()["/AFRelationship"] for f in reader("full", lang).root_object["/AF"]}
    assert relations == {"/Source", "/Data"}


@BOTH
def test_sections_are_bookmarked_in_order(lang: str) -> None:
    titles = [item.title for item in reader("full", lang).outline if not isinstance(item, list)]
    numbered = [title for title in titles if re.match(r"\d+\. ", title)]
    assert [int(title.split(".")[0]) for title in numbered] == list(range(1, len(numbered) + 1))
    said = re.findall(r'<h1 data-title="(\d+\. [^"]+)"', html(samples.full(), language=lang))
    assert numbered == [unescape(title) for title in said]
    assert len(numbered) > 17


@BOTH
def test_pictures_are_described_in_words(lang: str) -> None:
    tree = reader("full", lang).root_object["/StructTreeRoot"]
    described = [alt for alt in _figures(tree) if alt]
    words = {"ru": "Время цикла", "en": "Cycle time by number of GPUs"}
    assert any(words[lang] in alt for alt in described)


def _figures(node: object) -> list[str]:
    """Texts of every figure below a node of the structure tree."""
    found: list[str] = []
    stack, seen = [node], set()
    while stack:
        current = stack.pop()
        current = current.get_object() if hasattr(current, "get_object") else current
        if isinstance(current, list):
            stack.extend(current)
        elif isinstance(current, dict) and id(current) not in seen:
            seen.add(id(current))
            if current.get("/S") == "/Figure":
                found.append(str(current.get("/Alt", "")))
            if "/K" in current:
                stack.append(current["/K"])
    return found


def test_the_same_document_is_the_same_bytes_when_printed_again() -> None:
    again = print_pdf(sheet_of(document_from(samples.vague())))
    assert again.content == printed("vague", "ru").content


def test_a_draft_is_marked_on_every_sheet_and_the_final_on_none() -> None:
    assert all("ЧЕРНОВИК" in text for text in pages("full", "ru"))
    assert not any("ЧЕРНОВИК" in text for text in pages("approved", "ru", "final"))
    assert "Утверждена 02.12.2026" in pages("approved", "ru", "final")[0]


STRANGE = (
    "<b>x</b><img src=file:///etc/passwd>",
    "a\x00b",
    "\u202e5002-\u0421\u0417\u202c",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u4e2d\u6587 \U0001f600",
)


@pytest.mark.parametrize("text", [" ".join(STRANGE), "щ" * 60_000])
def test_hostile_text_and_what_no_font_or_line_can_hold_is_printed_and_fetches_nothing(
    text: str,
) -> None:
    made = print_pdf(sheet_of(document_from(poisoned(text))))
    assert made.page_count < 40
    assert made.refused == ()
    found = "".join(p.extract_text() for p in PdfReader(BytesIO(made.content)).pages)
    assert "\x00" not in found
    assert "\u202e" not in found
    assert "root:" not in found
    if STRANGE[0] in text:
        assert re.sub(r"\s", "", STRANGE[0]) in re.sub(r"\s", "", found)
