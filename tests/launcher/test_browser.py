"""The scripted browser keeps cookies, follows redirects, and says honestly what went wrong."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest

from config.launcher.browser import Browser, Unexpected
from config.launcher.health import is_served


class Toy(BaseHTTPRequestHandler):
    """A site of a few pages; `visits` counts how often /later/ was asked."""

    visits = 0

    def do_GET(self) -> None:
        if self.path == "/form/":
            self.answer(
                200, "<form method=post action=/sent/><input name=a value=1></form>", "k=v; Path=/"
            )
        elif self.path == "/later/":
            Toy.visits += 1
            self.answer(200, "ready" if Toy.visits > 2 else "not yet")
        elif self.path == "/cookie/":
            self.answer(200, self.headers.get("Cookie", "none"))
        elif self.path == "/healthz/":
            self.answer(503, "database unreachable")
        else:
            self.answer(404, "<script>x</script>nothing here")

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        assert sent == {"a": ["2"]}
        self.send_response(302)
        self.send_header("Location", "/cookie/")
        self.end_headers()

    def answer(self, status: int, body: str, cookie: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Nothing: pytest's output is for tests."""


@pytest.fixture
def url() -> Iterator[str]:
    Toy.visits = 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Toy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_form_is_sent_with_the_cookie_and_the_redirect_is_followed(url: str) -> None:
    browser = Browser(url)
    page = browser.get("/form/")
    answer = browser.submit(page.form_with("a"), {"a": "2"})
    assert answer.url == f"{url}/cookie/"
    assert answer.text == "k=v"


def test_two_browsers_share_no_cookies(url: str) -> None:
    Browser(url).get("/form/")
    assert Browser(url).get("/cookie/").text == "none"


def test_an_error_page_is_raised_with_its_status_and_words(url: str) -> None:
    with pytest.raises(Unexpected, match="404: nothing here"):
        Browser(url).get("/absent/")


def test_a_server_that_is_away_is_raised(url: str) -> None:
    with pytest.raises(Unexpected, match="refused"):
        Browser("http://127.0.0.1:1").get("/")


def test_waiting_ends_when_the_page_says_so(url: str) -> None:
    page = Browser(url).wait_for("/later/", lambda p: p.text == "ready", what="x", timeout_s=10)
    assert page.text == "ready"
    assert Toy.visits == 3


def test_waiting_too_long_tells_what_the_page_said(url: str) -> None:
    with pytest.raises(Unexpected, match=r"the estimate: not within 0 s; .*not yet"):
        Browser(url).wait_for("/later/", lambda _: False, what="the estimate", timeout_s=0)


def test_a_health_check_other_than_200_is_not_well(url: str) -> None:
    assert not is_served(url)
    assert not is_served("http://127.0.0.1:1")
