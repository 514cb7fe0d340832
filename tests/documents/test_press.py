"""The child process: what it prints, what it cannot reach, and how it is stopped."""

from __future__ import annotations

import http.server
import os
import re
import threading
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from apps.documents.press import (
    Attached,
    DocumentRefused,
    PressFailed,
    print_pdf,
)
from tests.documents.conftest import make_sheet

EMOJI_AND_HAN = "Ответ: 中文 😀 42 \u202e24\u202c конец"


def text_of(content: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)


def children_of_this_process() -> set[str]:
    me = str(os.getpid())
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[1] == me and fields[0] != "Z":
            found.add(stat.parent.name)
    return found


def script(folder: Path, text: str) -> Path:
    """Another child in the place of ours."""
    path = folder / "child.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_cyrillic_can_be_read_back_from_the_pdf() -> None:
    printed = print_pdf(make_sheet("<p>Предварительная экспертная оценка, 3,95 кВт</p>"))
    assert "Предварительная экспертная оценка, 3,95 кВт" in text_of(printed.content)
    assert printed.page_count == 1
    assert printed.refused == ()


def test_the_same_sheet_gives_the_same_bytes_in_two_processes() -> None:
    body = "<h1>Память</h1><p>42 – <b>59</b> – 67 ГиБ</p>"
    assert print_pdf(make_sheet(body)).content == print_pdf(make_sheet(body)).content


def test_only_our_two_families_are_embedded_whatever_the_text_holds() -> None:
    printed = print_pdf(make_sheet(f"<p>{EMOJI_AND_HAN} <b>жирный</b> עברית</p>"))
    fonts = {
        str(font.get_object()["/BaseFont"])
        for page in PdfReader(BytesIO(printed.content)).pages
        for font in page["/Resources"]["/Font"].values()
    }
    assert fonts
    assert all("Golos-Text" in name or "JetBrains-Mono" in name for name in fonts), fonts


def test_what_cannot_be_drawn_becomes_a_box_and_direction_marks_go() -> None:
    text = text_of(print_pdf(make_sheet(f"<p>{EMOJI_AND_HAN}</p>")).content)
    assert "Ответ: □□ □ 42 24 конец" in text


def test_it_is_marked_as_archivable_and_tagged() -> None:
    reader = PdfReader(BytesIO(print_pdf(make_sheet()).content))
    metadata = reader.root_object["/Metadata"].get_object().get_data().decode("utf-8")
    assert 'pdfaid:part="3"' in metadata
    assert 'pdfaid:conformance="A"' in metadata
    assert reader.root_object["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in reader.root_object


def test_attachments_come_out_as_they_went_in() -> None:
    one = Attached(
        name="result.json", description="Результат", relationship="Data", text='{"a":"ё"}'
    )
    reader = PdfReader(BytesIO(print_pdf(make_sheet(attachments=(one,))).content))
    assert reader.attachments["result.json"] == [b'{"a":"\xd1\x91"}']
    filespec = reader.root_object["/AF"][0].get_object()
    assert filespec["/AFRelationship"] == "/Data"


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine that notes every request."""
    asked: list[str] = []

    class Note(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Note)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}", asked
    httpd.shutdown()
    httpd.server_close()


def test_nothing_outside_the_map_of_assets_is_fetched(
    server: tuple[str, list[str]], tmp_path: Path
) -> None:
    """Every way of asking for a resource that HTML, CSS and SVG know."""
    address, asked = server
    secret = tmp_path / "secret.txt"
    secret.write_text("TOPSECRET", encoding="utf-8")
    urls = [f"{address}/x", f"file://{secret}", "ftp://127.0.0.1/x", "//127.0.0.1/x", "asset:../x"]
    ways = (
        '<img alt="i" src="{0}"><link rel="stylesheet" href="{0}"><link rel="attachment" href="{0}">'
        '<a rel="attachment" href="{0}">a</a><object data="{0}"></object><embed src="{0}">'
        '<style>@import "{0}"; @font-face {{ font-family: x; src: url({0}) }}'
        " p {{ background: url({0}); font-family: x; list-style-image: url({0}) }}"
        "</style>"
        '<p>text</p><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>t</title>'
        '<image href="{0}" width="9" height="9"/><use href="{0}#a"/></svg>'
        '<base href="{0}"><img alt="i" src="relative.png">'
    )
    printed = print_pdf(make_sheet("".join(ways.format(url) for url in urls)))
    assert asked == []
    assert b"TOPSECRET" not in printed.content
    assert "TOPSECRET" not in text_of(printed.content)
    assert set(PdfReader(BytesIO(printed.content)).attachments) == {"task.json"}
    assert any(url.startswith(address) for url in printed.refused)
    assert any(url.startswith("file:") for url in printed.refused)


def test_a_resource_that_the_renderer_insists_on_is_not_fetched_either(
    server: tuple[str, list[str]],
) -> None:
    address, asked = server
    profile = f"<style>@color-profile --p {{ src: url({address}/x) }}</style><p>text</p>"
    with pytest.raises(PressFailed, match="not among the assets"):
        print_pdf(make_sheet(profile))
    assert asked == []


def test_the_environment_of_the_child_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODBOR_SECRET_KEY", "do-not-tell")
    child = script(tmp_path, "import os, sys; sys.exit(','.join(sorted(os.environ)))")
    with pytest.raises(PressFailed) as failure:
        print_pdf(make_sheet(), child=child)
    # Python itself may set LC_CTYPE when the environment has no locale.
    assert str(failure.value).removeprefix("the printing process failed: ") in ("", "LC_CTYPE")


def test_a_hanging_child_is_stopped_with_what_it_started(
    tmp_path: Path, own_temporary_folder: Path
) -> None:
    child = script(
        tmp_path,
        "import subprocess, time\nsubprocess.Popen(['sleep', '600'])\ntime.sleep(600)",
    )
    before = children_of_this_process()
    began = time.monotonic()
    with pytest.raises(PressFailed, match="did not finish within 1 s"):
        print_pdf(make_sheet(), child=child, wall_s=1)
    assert time.monotonic() - began < 10
    assert children_of_this_process() <= before
    assert list(own_temporary_folder.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "stopped by SIGKILL"),
        ("raise RuntimeError('no paper')", "RuntimeError: no paper"),
        ("import sys; sys.exit(3)", "no reason given"),
    ],
)
def test_a_dead_child_leaves_a_reason(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(PressFailed, match=reason):
        print_pdf(make_sheet(), child=script(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "print('{}'); print('<html>')",
        "print()",
        """import sys; sys.stdout.write('{"page_count": 201, "refused": [], "warnings": []}\\n%PDF-1.7')""",
    ],
)
def test_what_is_no_fit_pdf_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DocumentRefused):
        print_pdf(make_sheet(), child=script(tmp_path, text))


def test_a_word_of_four_thousand_letters_breaks_and_stays_whole() -> None:
    """As long as an answer may be."""
    printed = print_pdf(make_sheet(f"<p>{'щ' * 4000}</p>"))
    assert printed.page_count < 5
    assert text_of(printed.content).count("щ") == 4000


def test_a_document_that_cannot_be_tagged_is_printed_without_tags_and_that_is_said(
    tmp_path: Path,
) -> None:
    """The first variant is one that the renderer stumbles over."""
    source = Path("apps/documents/child.py").read_text(encoding="utf-8")
    assert '("pdf/a-3a", ' in source
    printed = print_pdf(
        make_sheet(), child=script(tmp_path, source.replace('("pdf/a-3a", ', '("pdf/broken", '))
    )
    assert text_of(printed.content).startswith("Оценка")
    assert any("not printed as pdf/broken" in said for said in printed.warnings)
    assert not any("not printed as" in said for said in print_pdf(make_sheet()).warnings)


def test_a_long_table_repeats_its_head_and_splits_no_row() -> None:
    rows = "".join(
        f"<tr><th>Строка {n}</th><td>{'длинная ячейка ' * 12} конец{n}</td></tr>"
        for n in range(1, 121)
    )
    head = "<thead><tr><th>Показатель</th><th>Значение</th></tr></thead>"
    printed = print_pdf(make_sheet(f"<table>{head}<tbody>{rows}</tbody></table>"))
    texts = [page.extract_text() for page in PdfReader(BytesIO(printed.content)).pages]
    assert len(texts) > 3
    for text in texts:
        assert "ПОКАЗАТЕЛЬ" in text.upper()
        begun = re.findall(r"Строка\s+(\d+)", text)
        ended = re.findall(r"конец(\d+)", text)
        assert begun == ended


def test_memory_is_bounded(tmp_path: Path) -> None:
    """The child's own limits, on a child that wants two gigabytes."""
    child = script(
        tmp_path,
        "import runpy, sys\n"
        f"limits = runpy.run_path({str(Path('apps/documents/child.py').resolve())!r})\n"
        "limits['limit']()\n"
        "bytearray(2 * 2**30)\n",
    )
    with pytest.raises(PressFailed, match="MemoryError"):
        print_pdf(make_sheet(), child=child)
