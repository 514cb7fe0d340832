"""Answers that were taken from the product, served to a browser as they came, with our files."""

import contextlib
import threading
from collections.abc import Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.browser.product import ROOT
from tests.pages.visits import Visit


class Handler(SimpleHTTPRequestHandler):
    """`/<number>` is a visit, `/static/…` a file of the repository."""

    def __init__(self, *args: Any, visits: Mapping[str, Visit], **kwargs: Any) -> None:
        self.visits = visits
        super().__init__(*args, directory=str(ROOT), **kwargs)

    def do_GET(self) -> None:
        visit = self.visits.get(self.path)
        if visit is None:
            super().do_GET()
            return
        body = visit.html.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", visit.policy)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: Any) -> None:
        """Say nothing: a page asks for pieces that nobody serves here."""


@contextlib.contextmanager
def served(visits: list[Visit]) -> Iterator[dict[str, Visit]]:
    """Address -> visit, while the server runs."""
    paths = {f"/{number}": visit for number, visit in enumerate(visits)}
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, visits=paths))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        base = f"http://127.0.0.1:{server.server_address[1]}"
        yield {base + path: visit for path, visit in paths.items()}
    finally:
        server.shutdown()
        server.server_close()
