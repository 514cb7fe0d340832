"""Turns one HTML document into one PDF in a process of its own.

Run as `python -I child.py` in an empty folder with an empty environment; knows nothing of Django.
Reads one JSON object from stdin:

    {"html": …, "assets": {"asset:name": base64}, "attachments": [{"name", "description",
     "relationship", "text"}], "stylesheets": ["asset:name"], "identifier": …, "at": ISO time}

and writes one line of JSON (`page_count`, `refused`, `warnings`) and then the PDF to stdout. When
it fails, the last line of stderr says why.

Nothing outside `assets` can be reached: the only fetcher knows that map, and an audit hook refuses
sockets and processes before the document is read. Limits are set before the renderer is imported.
"""

import base64
import datetime as dt
import gc
import json
import logging
import os
import resource
import sys
import tempfile
import unicodedata
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

MEMORY_BYTES = 2**30
CPU_S = 60
FILE_BYTES = 50 * 10**6
OPEN_FILES = 64
# The first is what is wanted; the others are for a document that its tags cannot be made of.
VARIANTS = ("pdf/a-3a", "pdf/a-3u")

# A configuration without a single folder: only fonts of the document exist.
FONTCONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><cachedir>{folder}</cachedir></fontconfig>
"""

REFUSED_EVENTS = (
    "socket.",
    "subprocess.",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.system",
    "ctypes.dlopen",
    "urllib.Request",
)

KINDS = {"css": "text/css", "ttf": "font/ttf", "svg": "image/svg+xml"}

# Neither of the two families draws them: the reader sees a box and not a wrong letter.
REPLACEMENT = "\N{WHITE SQUARE}"


def limit() -> None:
    """Bound memory, processor time, file size and open files of this process for good."""
    for what, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def close_doors() -> None:
    """From here on no connection is opened and no process started, whatever the document says."""

    def hook(event: str, _arguments: tuple[Any, ...]) -> None:
        if event.startswith(REFUSED_EVENTS):
            raise PermissionError(f"{event} is refused")

    sys.addaudithook(hook)


def prepare_fonts(folder: Path) -> None:
    """Point fontconfig at an empty configuration and a private cache inside `folder`."""
    configuration = folder / "fonts.conf"
    configuration.write_text(FONTCONFIG.format(folder=folder), encoding="utf-8")
    os.environ["FONTCONFIG_FILE"] = str(configuration)
    warnings.filterwarnings("ignore", message="No fonts configured in FontConfig")


class Collected(logging.Handler):
    """Keeps what the renderer complains about."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage()[:300])


def drawable(fonts: list[bytes]) -> set[int]:
    """Code points that at least one of the fonts can draw."""
    found: set[int] = set()
    for content in fonts:
        found.update(TTFont(BytesIO(content), lazy=True).getBestCmap())
    return found


def legible(html: str, known: set[int]) -> str:
    """`html` without characters that would be drawn wrongly or turn the text around.

    What the fonts lack becomes a box; controls and marks that change the direction of text are
    dropped, because they could make a reader see another number.
    """
    table: dict[int, str | None] = {}
    for char in set(html):
        if char in "\n\r\t" or ord(char) in known:
            continue
        dropped = unicodedata.category(char) in {"Cc", "Cf", "Cs"}
        table[ord(char)] = None if dropped else REPLACEMENT
    for mark in "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069":
        table[ord(mark)] = None
    return html.translate(table)


def written(
    source: Any, stylesheets: list[str], options: dict[str, Any], complaints: Collected
) -> tuple[int, bytes]:
    """Pages and bytes in the first variant that works; that it is not the wanted one is said."""
    for variant in VARIANTS:
        try:
            document = source.render(stylesheets=stylesheets, pdf_variant=variant, **options)
            return len(document.pages), document.write_pdf(pdf_variant=variant, **options)
        except (ArithmeticError, AttributeError, LookupError, TypeError, AssertionError) as problem:
            if variant == VARIANTS[-1]:
                raise
            complaints.messages.append(f"not printed as {variant}: {problem!r}"[:300])
    raise AssertionError("there is at least one variant")


def render(job: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The report and the bytes of one job."""
    assets = {name: base64.b64decode(text) for name, text in job["assets"].items()}
    fetcher = ClosedMap(assets)
    complaints = Collected()
    logging.getLogger("weasyprint").addHandler(complaints)
    known = drawable([content for name, content in assets.items() if name.endswith(".ttf")])
    html = legible(job["html"], known)
    for name in [name for name in assets if name.endswith(".svg")]:
        assets[name] = legible(assets[name].decode("utf-8"), known).encode("utf-8")
    at = dt.datetime.fromisoformat(job["at"])
    options = {
        "pdf_identifier": job["identifier"].encode("ascii"),
        "attachments": [
            Attachment(
                string=one["text"],
                name=one["name"],
                description=one["description"],
                relationship=one["relationship"],
                created=at,
                modified=at,
                url_fetcher=fetcher,
            )
            for one in job["attachments"]
        ],
    }
    source = HTML(string=html, url_fetcher=fetcher, base_url="asset:")
    page_count, pdf = written(source, job["stylesheets"], options, complaints)
    report = {
        "page_count": page_count,
        "refused": fetcher.refused,
        "warnings": complaints.messages,
    }
    return report, pdf


if __name__ == "__main__":
    limit()
    work = Path.cwd()
    tempfile.tempdir = str(work)
    prepare_fonts(work)

# The limits and the fonts' configuration must be in force before these are loaded.
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # noqa: E402
from weasyprint import HTML, Attachment  # noqa: E402
from weasyprint.urls import URLFetcher, URLFetcherResponse  # noqa: E402


class ClosedMap(URLFetcher):  # type: ignore[misc]
    """The only way to a resource: a name in the map, or nothing."""

    def __init__(self, assets: dict[str, bytes]) -> None:
        super().__init__(allowed_protocols=())
        self.assets = assets
        self.refused: list[str] = []

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        if url not in self.assets:
            self.refused.append(url[:200])
            raise ValueError(f"not among the assets: {url[:200]}")
        kind = KINDS[url.rpartition(".")[2]]
        return URLFetcherResponse(url, self.assets[url], {"Content-Type": kind})


def main() -> int:
    # A document is many objects that all live to its end: looking for garbage finds none.
    gc.set_threshold(100_000, 20, 20)
    job = json.loads(sys.stdin.buffer.read())
    close_doors()
    report, pdf = render(job)
    sys.stdout.buffer.write(json.dumps(report).encode("utf-8") + b"\n")
    sys.stdout.buffer.write(pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
