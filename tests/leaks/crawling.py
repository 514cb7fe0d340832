"""Everything that a person can get at: known addresses, and whatever their pages lead to."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from html import unescape
from io import BytesIO
from urllib.parse import urlsplit
from zipfile import ZipFile

from django.http import HttpResponse
from django.test import Client
from pypdf import PdfReader

from apps.accounts.models import User

_LINK = re.compile(r"""(?:href|hx-get|src|action)=["']([^"'#]+)["'#]""")
# Open to everybody and about nobody's requisition: the catalog, the engine tried on made-up tasks,
# its accuracy, the example on the first page.
_PUBLIC = re.compile(r"^/($|\?|catalog/|try/|accuracy/|static/|accounts/sign-out/)")
MOST_ADDRESSES = 400


def crawl(person: User, starts: Iterable[str], language: str) -> Iterator[tuple[str, str]]:
    """(address, all text of the answer) of what opens by GET for this person."""
    client = Client(headers={"accept-language": language})
    client.force_login(person)
    waiting = deque(dict.fromkeys(starts))
    seen = set(waiting)
    while waiting:
        assert len(seen) < MOST_ADDRESSES, f"no end of pages: {sorted(seen)[-5:]}"
        address = waiting.popleft()
        response = client.get(address)
        assert response.status_code < 500, address
        text = text_of(response)
        yield address, text
        led_to = response["Location"] if response.status_code == 302 else ""
        for link in [led_to, *_LINK.findall(text)]:
            path = own_path(unescape(link), address)
            if path and path not in seen and not _PUBLIC.match(path):
                seen.add(path)
                waiting.append(path)


def own_path(link: str, page: str) -> str:
    """The path and query that a link of a page leads to; "" when it leads elsewhere."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or not link:
        return ""
    path = parts.path or urlsplit(page).path
    return f"{path}?{parts.query}" if parts.query else path


def text_of(response: HttpResponse) -> str:
    """The body with the headers, a PDF with its attachments and a DOCX read out."""
    headers = "\n".join(f"{name}: {value}" for name, value in response.items())
    body = response.getvalue()
    if body.startswith(b"%PDF-"):
        return f"{headers}\n{pdf_text(body)}"
    if body.startswith(b"PK"):
        return f"{headers}\n{packed_text(body)}"
    return f"{headers}\n{body.decode(errors='replace')}"


def packed_text(content: bytes) -> str:
    """Every part of a DOCX, with its name."""
    with ZipFile(BytesIO(content)) as packed:
        parts = {name: packed.read(name).decode() for name in packed.namelist()}
    return "\n".join(f"{name} {re.sub('<[^>]+>', '', text)}" for name, text in parts.items())


@cache
def pdf_text(content: bytes) -> str:
    """All that a PDF says, read once however many people get the same one: it takes seconds."""
    reader = PdfReader(BytesIO(content))
    pages = [page.extract_text() for page in reader.pages]
    attached = [
        part.decode(errors="replace") for parts in reader.attachments.values() for part in parts
    ]
    return "\n".join([*pages, *attached, str(reader.metadata)])
