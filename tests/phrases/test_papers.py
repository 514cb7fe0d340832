"""Papers that clients send are hostile: read to a limit, nothing defined, nothing fetched."""

import io
import zipfile

import pytest

from apps.phrases.papers import MAX_MEMBERS, MAX_XML_BYTES, PaperError, is_paper, text_of

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def docx(body: str, *, head: str = "", name: str = "word/document.xml", **others: bytes) -> bytes:
    xml = f'<?xml version="1.0" encoding="UTF-8"?>{head}<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, xml)
        for member, content in others.items():
            archive.writestr(member, content)
    return packed.getvalue()


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def code_of(name: str, content: bytes) -> str:
    with pytest.raises(PaperError) as refused:
        text_of(name, content)
    return refused.value.code


def test_paragraphs_are_lines_and_cells_of_a_row_stand_together():
    row = "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in ("Модель", "Llama 3 8B"))
    body = paragraph("Техническое задание") + f"<w:tbl><w:tr>{row}</w:tr></w:tbl>"
    lines = text_of("a.docx", docx(body)).splitlines()
    assert lines[0] == "Техническое задание"
    assert lines[1].replace(" ", "") == "Модель:Llama38B"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1251"])
def test_a_text_is_read_in_the_encodings_that_people_have(encoding):
    text = "Дообучение LoRA, датасет 200 ГБ"
    assert text_of("tz.txt", text.encode(encoding)) == text


def test_a_type_declaration_is_refused_so_no_entity_exists():
    head = '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    assert code_of("a.docx", docx(paragraph("&x;"), head=head)) == "damaged"
    laughs = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    assert code_of("a.docx", docx(paragraph("&b;"), head=laughs)) == "damaged"


def test_a_bomb_is_stopped_at_the_limit_not_unfolded():
    bomb = docx(paragraph("0" * (MAX_XML_BYTES + 10)))
    assert len(bomb) < MAX_XML_BYTES / 100
    assert code_of("a.docx", bomb) == "too-large"


def test_a_header_that_lies_about_the_size_opens_nothing_more():
    content = bytearray(docx(paragraph("0" * 100_000)))
    at = content.index(b"PK\x01\x02")
    content[at + 24 : at + 28] = (10).to_bytes(4, "little")
    assert code_of("a.docx", bytes(content)) == "damaged"


def test_too_many_members_and_too_deep_a_tree_are_refused():
    many = {f"m{n}": b"" for n in range(MAX_MEMBERS + 1)}
    assert code_of("a.docx", docx(paragraph("a"), **many)) == "too-large"
    assert code_of("a.docx", docx("<w:p>" * 5_000 + "</w:p>" * 5_000)) == "damaged"


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.docx", b"PK\x03\x04" + b"\0" * 50, "damaged"),
        ("a.docx", docx("", name="word/other.xml"), "not-a-paper"),
        ("a.docx", docx("<w:p>"), "damaged"),
        ("a.docx", docx(""), "empty"),
        ("a.pdf", b"%PDF-1.7 ...", "not-a-paper"),
        ("a.doc", b"\xd0\xcf\x11\xe0" + b"\0" * 50, "not-a-paper"),
        ("a.txt", bytes(range(32)) * 40, "not-a-paper"),
        ("a.txt", b"  \n ", "empty"),
        ("a.txt", b"x" * (10 * 2**20 + 1), "too-large"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(name, content, code):
    assert code_of(name, content) == code


def test_what_counts_as_a_paper_is_told_by_the_name():
    assert is_paper("ТЗ.DOCX")
    assert not is_paper("train.yaml")
