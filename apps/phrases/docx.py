"""The specification as a Word document: a zip of a few XML parts, always the same bytes."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Final
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _

from apps.phrases.outputs import columns, head_of
from apps.phrases.specification import Field, Line, Specification

_W: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_DECLARED: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_RELATED: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
# The least date that a zip can hold: the same answers give the same file.
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
# XML 1.0 holds no other control characters, escaped or not.
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_WIDTHS: Final = (2900, 4000, 2738)  # twentieths of a point; A4 less its margins
_LANGUAGES: Final = {"ru": "ru-RU", "en": "en-GB"}

_TYPES: Final = (
    f'{_DECLARED}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_OFFICE}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{_OFFICE}.styles+xml"/>'
    f'<Override PartName="/word/footer1.xml" ContentType="{_OFFICE}.footer+xml"/>'
    '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
    "</Types>"
)
_ROOT: Final = (
    f'{_DECLARED}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_RELATED}/officeDocument" Target="word/document.xml"/>'
    f'<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>'
    "</Relationships>"
)
_PARTS: Final = (
    f'{_DECLARED}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_RELATED}/styles" Target="styles.xml"/>'
    f'<Relationship Id="rId2" Type="{_RELATED}/footer" Target="footer1.xml"/>'
    "</Relationships>"
)


def as_docx(said: Specification) -> bytes:
    """A4, headings for the eleven fields, tables whose heads repeat, page numbers."""
    packed = io.BytesIO()
    parts = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _ROOT,
        "word/_rels/document.xml.rels": _PARTS,
        "word/document.xml": _document(said),
        "word/styles.xml": _styles(_LANGUAGES.get(said.language, said.language)),
        "word/footer1.xml": _footer(said),
        "docProps/core.xml": _core(said),
    }
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _MOMENT), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _document(said: Specification) -> str:
    body = [
        _paragraph(said.title, "Title"),
        *(_paragraph(f"{label}: {value}", "Head") for label, value in head_of(said)),
        _paragraph(said.request, "Request") if said.request else "",
        *(_field(field) for field in said.fields),
        _paragraph(_("Open questions"), "Heading1"),
        *(_opened(said) or [_paragraph(_("none"))]),
        _paragraph(said.notice, "Notice"),
    ]
    page = (
        f'<w:sectPr><w:footerReference w:type="default" r:id="rId2" xmlns:r="{_RELATED}"/>'
        '<w:pgSz w:w="11906" w:h="16838"/>'
        '<w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr>'
    )
    return (
        f'{_DECLARED}<w:document xmlns:w="{_W}"><w:body>{"".join(body)}{page}</w:body></w:document>'
    )


def _opened(said: Specification) -> list[str]:
    return [
        _paragraph(f"{number}. " + ", ".join(t for t in (one.name, one.who, one.when) if t))
        for number, one in enumerate(said.open_questions, 1)
    ]


def _field(field: Field) -> str:
    head = _row(columns(), head=True)
    rows = "".join(_line(line) for line in field.lines)
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in _WIDTHS)
    return (
        _paragraph(f"{field.number}. {field.title}", "Heading1")
        + '<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/><w:tblW w:w="0" w:type="auto"/><w:tblLayout w:type="fixed"/></w:tblPr>'
        + f"<w:tblGrid>{grid}</w:tblGrid>{head}{rows}</w:tbl>"
        + _paragraph("", "After")
    )


def _line(line: Line) -> str:
    return _row((line.name, line.value, line.source), quiet=line.state != "stated")


def _row(cells: tuple[str, str, str], *, head: bool = False, quiet: bool = False) -> str:
    style = (
        ("CellHead",) * 3 if head else ("Cell", "CellQuiet" if quiet else "CellValue", "CellQuiet")
    )
    repeated = "<w:tblHeader/>" if head else ""
    columns_ = "".join(
        f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>{_paragraph(text, name)}</w:tc>'
        for text, width, name in zip(cells, _WIDTHS, style, strict=True)
    )
    return f"<w:tr><w:trPr><w:cantSplit/>{repeated}</w:trPr>{columns_}</w:tr>"


def _paragraph(text: str, style: str = "Normal") -> str:
    """A paragraph whose own line ends are kept."""
    lines = [_safe(line) for line in text.splitlines()] or [""]
    runs = "<w:br/>".join(f'<w:t xml:space="preserve">{line}</w:t>' for line in lines)
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r>{runs}</w:r></w:p>'


def _safe(text: str) -> str:
    return escape(_UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text))


def _footer(said: Specification) -> str:
    name = _safe(
        " · ".join(t for t in (said.number, said.letter if said.number else "", said.day) if t)
    )
    number = "".join(
        f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'
        if kind
        else '<w:r><w:instrText xml:space="preserve"> PAGE </w:instrText></w:r>'
        for kind in ("begin", "", "end")
    )
    return (
        f'{_DECLARED}<w:ftr xmlns:w="{_W}"><w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr>'
        f'<w:r><w:t xml:space="preserve">{name} · </w:t></w:r>{number}</w:p></w:ftr>'
    )


def _core(said: Specification) -> str:
    return (
        f'{_DECLARED}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{_safe(said.title)}</dc:title><dc:language>{_safe(said.language)}</dc:language></cp:coreProperties>"
    )


def _style(
    name: str,
    *,
    size: int = 20,
    colour: str = "",
    bold: bool = False,
    spacing: str = "",
    outline: str = "",
) -> str:
    """A paragraph style; `size` in half points, spacing in twentieths of a point."""
    tint = f'<w:color w:val="{colour}"/>' if colour else ""
    weight = "<w:b/>" if bold else ""
    room = f"<w:spacing {spacing}/>" if spacing else ""
    level = f'<w:keepNext/>{room}<w:outlineLvl w:val="{outline}"/>' if outline else room
    default = ' w:default="1"' if name == "Normal" else ""
    # Word knows a heading by its name, which has a space.
    label = "heading 1" if name == "Heading1" else name
    return (
        f'<w:style w:type="paragraph" w:styleId="{name}"{default}><w:name w:val="{label}"/>'
        f'<w:pPr>{level}</w:pPr><w:rPr>{weight}{tint}<w:sz w:val="{size}"/></w:rPr></w:style>'
    )


def _styles(language: str) -> str:
    edges = "".join(
        f'<w:{edge} w:val="single" w:sz="4" w:space="0" w:color="B8BFC6"/>'
        for edge in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
    return (
        f'{_DECLARED}<w:styles xmlns:w="{_W}"><w:docDefaults><w:rPrDefault><w:rPr>'
        '<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial" w:eastAsia="Arial"/><w:sz w:val="20"/>'
        f'<w:lang w:val="{language}"/></w:rPr></w:rPrDefault></w:docDefaults>'
        + _style("Normal", spacing='w:after="60"')
        + _style("Title", size=32, bold=True, spacing='w:after="160"', outline="0")
        + _style("Head", size=20, colour="444C55", spacing='w:after="20"')
        + _style("Request", size=22, spacing='w:before="160" w:after="120"')
        + _style("Heading1", size=24, bold=True, spacing='w:before="240" w:after="80"', outline="1")
        + _style("Cell", size=18, spacing='w:before="30" w:after="30"')
        + _style(
            "CellHead", size=16, bold=True, colour="444C55", spacing='w:before="30" w:after="30"'
        )
        + _style("CellValue", size=18, bold=True, spacing='w:before="30" w:after="30"')
        + _style("CellQuiet", size=16, colour="5A636D", spacing='w:before="30" w:after="30"')
        + _style("After", size=8, spacing='w:after="0"')
        + _style("Notice", size=16, colour="5A636D", spacing='w:before="240"')
        + _style("Footer", size=16, colour="5A636D")
        + '<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/>'
        f"<w:tblPr><w:tblBorders>{edges}</w:tblBorders>"
        '<w:tblCellMar><w:left w:w="80" w:type="dxa"/><w:right w:w="80" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style></w:styles>'
    )
