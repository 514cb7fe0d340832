"""The steps of the demo: one request, from the questionnaire to the approved PDF."""

import json
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.launcher.browser import Browser, Unexpected
from config.launcher.layout import Checkout
from config.launcher.page import Form, Page

Step = Callable[..., None]

ESTIMATE_TIMEOUT_S = 180.0
PDF_TIMEOUT_S = 180.0
MOST_PAGES = 60  # a questionnaire longer than this goes in a circle
UNKNOWN = "?"
ATTACHED = ["result.json", "task.json"]
NOTICES = {"ru": "не является коммерческим предложением", "en": "not a commercial offer"}
# A part number and the word about it that stands right after it.
SKU_STATES = {
    "ru": re.compile(r"(SYS-[0-9A-Z]+-[0-9A-Z]+) (требует подтверждения|подтвержд\w+)"),
    "en": re.compile(r"(SYS-[0-9A-Z]+-[0-9A-Z]+) (needs confirmation|confirmed)"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What the client says: answers by question, and who will find out the rest by when."""

    answers: Mapping[str, str]
    unknown: Mapping[str, str]  # "who" and "when"


def demo_script(checkout: Checkout) -> Script:
    path = checkout.root / "fixtures" / "demo" / "questionnaire.json"
    return Script(**json.loads(path.read_text(encoding="utf-8")))


def play(
    url: str, people: Mapping[str, tuple[str, str]], script: Script, step: Step
) -> tuple[str, dict[str, bytes]]:
    """Play one request with a person of each role. Returns its number and the approved PDFs.

    Raises:
        Unexpected, LookupError: a page did not have, or did not do, what the step needs.
    """
    client = sign_in(url, people["client"])
    step("play.signed_in", name=people["client"][0])
    check = fill_in(client, script, step)
    status = client.submit(check.form_to("/submit/"))
    number = number_of(status)
    step("play.sent", number=number)
    client.wait_for(status.url, is_estimated, what="estimate", timeout_s=ESTIMATE_TIMEOUT_S)
    step("play.estimated")
    revision = review(sign_in(url, people["engineer"]), number)
    step("play.reviewed", name=people["engineer"][0])
    approver = sign_in(url, people["approver"])
    approve(approver, revision, step)
    step("play.approved", name=people["approver"][0])
    documents = download(client, status.url)
    step("play.downloaded", names=", ".join(documents))
    return number, documents


def sign_in(url: str, person: tuple[str, str]) -> Browser:
    browser = Browser(url)
    form = browser.get("/accounts/sign-in/").form_with("username", "password")
    answer = browser.submit(form, {"username": person[0], "password": person[1]})
    if any(form.has("username", "password") for form in answer.forms):
        raise Unexpected(f"{person[0]} could not sign in: {answer.text[:300]}")
    return browser


def fill_in(client: Browser, script: Script, step: Step) -> Page:
    """Answer page after page, as they come, until the one that checks everything."""
    page = client.get("/requisitions/new/")
    seen: set[str] = set()
    for _ in range(MOST_PAGES):
        if page.url.partition("?")[0].endswith("/check/"):
            step("play.filled", count=len(seen))
            return page
        form = question_form(page)
        if form is None:  # the attachments, which the demo does without
            page = client.submit(page.form_with("then"), {}, button="then", value="check")
            continue
        asked = [value for name, value in form.values if name == "asked"]
        seen.update(asked)
        button = "action" if form.has("action") else ""
        page = client.submit(form, answered(form, asked, script), button=button, value="continue")
    raise Unexpected(f"the questionnaire does not end: {page.url}")


def question_form(page: Page) -> Form | None:
    """The form that names the questions it asks."""
    return next((form for form in page.forms if form.has("asked")), None)


def answered(form: Form, asked: list[str], script: Script) -> dict[str, str | list[str]]:
    """What to send for the questions of a form; «I do not know» where there is no answer."""
    sent: dict[str, str | list[str]] = {}
    for key in asked:
        if key in script.answers:
            sent[key] = script.answers[key]
            continue
        if UNKNOWN in form.choices.get(key, []):
            sent[key] = UNKNOWN
        elif form.has(f"{key}-unknown"):
            sent[f"{key}-unknown"] = "1"
        for detail, words in script.unknown.items():
            if form.has(f"{key}-{detail}"):
                sent[f"{key}-{detail}"] = words
    if form.has("finished"):
        sent["finished"] = "yes"
    return sent


def number_of(page: Page) -> str:
    found = re.search(r"ЗС-\d{4,}", page.text)
    if not found:
        raise Unexpected(f"no number after sending: {page.text[:300]}")
    return found.group()


def is_estimated(page: Page) -> bool:
    """The page of a running estimate asks for news by itself; a finished one has none."""
    return not any(address.endswith("/runs/") for address in page.refreshes)


def review(engineer: Browser, number: str) -> str:
    """Take the revision and send it to approval. Returns the revision's part of the address."""
    queue = engineer.get("/q/")
    address = next((a for a, words in queue.links if words.startswith(number)), "")
    if not address:
        raise LookupError(f"the queue has no {number}: {queue.text[:300]}")
    revision = address.rstrip("/").rpartition("/")[2]
    page = engineer.get(address)
    take = [form for form in page.forms if form.action.endswith("/take/")]
    if take:
        page = engineer.submit(take[0])
    send = page.form_to("/send/")
    engineer.submit(send, {"comment": "Проверено, допущения названы."})
    return revision


def approve(approver: Browser, revision: str, step: Step) -> None:
    """Wait for the draft PDF, approve exactly that one, wait for the final one."""
    address = f"/a/{revision}/"
    page = approver.wait_for(address, has_draft, what="draft PDF", timeout_s=PDF_TIMEOUT_S)
    draft = approver.get(document_links(page)[0])
    step("play.draft", size_kb=len(draft.body) // 1000)
    form = page.form_with("document_sha256", "decision")
    approver.submit(form, button="decision", value="approve")
    approver.wait_for(address, has_final, what="final PDF", timeout_s=PDF_TIMEOUT_S)


def has_draft(page: Page) -> bool:
    """Whether the draft that the decision is about can be read. Unexpected when it has failed."""
    if any(form.action.endswith("/draft/") for form in page.forms):  # «make the draft» once more
        raise Unexpected(f"the draft PDF was not made: {page.text[-900:]}")
    held = [v for form in page.forms for name, v in form.values if name == "document_sha256"]
    return any(held) and bool(document_links(page))


def has_final(page: Page) -> bool:
    decided = not any(form.has("decision") for form in page.forms)
    return decided and bool(document_links(page))


def document_links(page: Page) -> list[str]:
    return [address for address, _ in page.links if "/documents/" in address]


def download(client: Browser, status_url: str) -> dict[str, bytes]:
    """The approved PDFs by file name, one for each language, as their client gets them."""
    page = client.wait_for(
        status_url,
        lambda p: len(document_links(p)) == len(NOTICES),
        what="documents",
        timeout_s=PDF_TIMEOUT_S,
    )
    documents = {}
    for address in document_links(page):
        answer = client.get(address)
        if not answer.body.startswith(b"%PDF-"):
            raise Unexpected(f"{address} is no PDF but {answer.headers.get('content-type')}")
        documents[answer.file_name] = answer.body
    return dict(
        sorted(documents.items(), key=lambda item: language_of(Path(item[0])), reverse=True)
    )


def verify(checkout: Checkout, pdf: Path, number: str, step: Step) -> None:
    """Read a PDF back. Raises Unexpected for what it lacks."""
    command = [str(checkout.python), "-m", "config.launcher.inside_pdf", str(pdf)]
    done = subprocess.run(command, cwd=checkout.root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unexpected(f"{pdf.name} cannot be read: {done.stderr.strip()[-300:]}")
    skus = read_back(json.loads(done.stdout), number, language_of(pdf))
    step("play.verified", pdf=pdf.name, number=number, skus=", ".join(skus))


def language_of(pdf: Path) -> str:
    return "en" if pdf.stem.endswith("-en") else "ru"


def read_back(facts: Mapping[str, Any], number: str, language: str) -> list[str]:
    """The part numbers of a PDF, each with its state. Raises Unexpected for what is missing.

    A PDF has the number, the notice, at least two part numbers and the data it was made from.
    """
    words = " ".join(str(facts["text"]).split())
    for wanted in (number, NOTICES[language]):
        if wanted.lower() not in words.lower():
            raise Unexpected(f"the PDF does not say {wanted!r}")
    if facts["attachments"] != ATTACHED:
        raise Unexpected(f"attached are {facts['attachments']}, not {ATTACHED}")
    states = dict(SKU_STATES[language].findall(words))
    if len(states) < 2:
        raise Unexpected(f"part numbers with a state: {states}; two at least are wanted")
    return [f"{sku} ({state})" for sku, state in sorted(states.items())]
