"""The drawings in print: our two families only, every word there, colours without a style sheet."""

from io import BytesIO
from typing import Any, Final

import pytest
from django.conf import settings
from pypdf import PdfReader
from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration

from apps import charts as c
from apps.core.formatting import approximate
from apps.core.palette import MEMORY_FILLS
from apps.sizing.ranges import Range

FACES: Final = (
    ("Golos Text", 400, "GolosText_400Regular"),
    ("Golos Text", 600, "GolosText_600SemiBold"),
    ("JetBrains Mono", 400, "JetBrainsMono_400Regular"),
)


def printed(drawing: str) -> PdfReader:
    """The drawing on a sheet, with the fonts that the document carries."""
    fonts = settings.BASE_DIR / "static" / "fonts"
    rules = "".join(
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; src: url("{(fonts / file).as_uri()}.ttf"); }}'
        for family, weight, file in FACES
    )
    configuration = FontConfiguration()
    sheet = CSS(string=rules + "@page { size: A4 landscape }", font_config=configuration)
    pdf = HTML(string=drawing).write_pdf(stylesheets=[sheet], font_config=configuration)
    return PdfReader(BytesIO(pdf))


def families(reader: PdfReader) -> set[str]:
    found: set[str] = set()
    for page in reader.pages:
        fonts: Any = page["/Resources"]["/Font"]
        found |= {str(font.get_object()["/BaseFont"]).partition("+")[2] for font in fonts.values()}
    return found


@pytest.fixture(scope="module")
def memory() -> PdfReader:
    bar = c.MemoryBar(
        key="V2",
        name="Комфортный узел",
        hardware="4× H200 NVL 141",
        components_gib={"weights": 7.5, "gradients": 7.5, "optimizer": 15, "activations": 23.6},
        device_gib=Range(42, 59.2, 67),
        capacity_gib=140.4,
        status="fits",
        word="помещается",
    )
    labels = c.MemoryLabels()
    return printed(
        c.memory_chart([bar], weights_only_gib=15, labels=labels, number=approximate).wide
    )


def test_a_printed_chart_uses_our_two_families_only(memory: PdfReader) -> None:
    assert {name.split("-")[0] for name in families(memory)} == {"Golos", "JetBrains"}


def test_a_printed_chart_keeps_its_words(memory: PdfReader) -> None:
    text = memory.pages[0].extract_text()
    for word in ("Комфортный узел", "помещается", "42–59–67", "weights only"):
        assert word in text


def as_pdf_writes(colour: str) -> str:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return " ".join(f"{channel:.6f}".rstrip("0").rstrip(".") for channel in channels) + " rg"


@pytest.mark.parametrize("part", sorted(MEMORY_FILLS))
def test_a_printed_chart_is_coloured_by_its_attributes(memory: PdfReader, part: str) -> None:
    content = memory.pages[0].get_contents()
    assert content is not None
    assert as_pdf_writes(MEMORY_FILLS[part]) in content.get_data().decode("latin-1")
