"""Every page of the product and its states, as the server answers: to be looked at in a browser.

Addresses come from the table of who may open what; states that an address alone does not reach
(an error, a clash, nothing there, far too much there) are made here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.documents.models import Document
from apps.intake.selectors import draft_of
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.relevance import relevant_pages, relevant_sections
from apps.requisitions.models import Revision
from apps.requisitions.services import attachment_add
from apps.requisitions.workflow import State
from tests.architecture.test_access import RULES, as_person
from tests.architecture.world import World, build_world, every_address
from tests.factories import make_client, make_draft, make_in_state
from tests.intake.pages import answer_all, finish_all, section_url, url
from tests.review.samples import make_approver, make_engineer, make_in_approval, make_in_review

LONG_WORD = "Ъ" * 400
FACTS = f"""slug,key,value,unit,source,source_ref,as_of,confidence
SYS-521GE-TNRT,depth_mm,790,mm,Datasheet of the maker,https://example.com/a,2026-10-01,datasheet
SYS-521GE-TNRT,depth_mm,{LONG_WORD},mm,Datasheet of the maker,,2026-10-01,datasheet
"""
LONG_TEXT = "Очень подробное описание задачи, которое никак не кончается. " * 60 + LONG_WORD


@dataclass(frozen=True, slots=True)
class Visit:
    """One answer: `name` says what it shows, `templates` what it is made of."""

    name: str
    html: str
    policy: str
    templates: frozenset[str]


def visit(name: str, response: HttpResponse) -> Visit | None:
    """None for what is no page: a redirect, a file, a part of a page."""
    body = response.content.decode(errors="replace") if not response.streaming else ""
    if "<!doctype html>" not in body:
        return None
    used = frozenset(t.name for t in response.templates if t.name)  # type: ignore[attr-defined]
    return Visit(name, body, response["Content-Security-Policy"], used)


def every_visit() -> list[Visit]:
    world = build_world()
    found = [
        *_addresses(world),
        *_client_states(),
        *_in_english(),
        *_review_states(),
        *_error_states(),
    ]
    return [v for v in found if v is not None]


def _addresses(world: World) -> Iterator[Visit | None]:
    for view, names in every_address().items():
        for column in sorted(RULES[view].get):
            places = world.arguments(names, view)
            seen = visit(view, as_person(world, column, "ru").get(reverse(view, kwargs=places)))
            if seen is not None and "accounts/sign_in.html" not in seen.templates:
                yield seen
                break


def browser_of(person: User | None) -> Client:
    client = Client(headers={"accept-language": "ru"})
    if person is not None:
        client.force_login(person)
    return client


def _client_states() -> Iterator[Visit | None]:
    owner = make_client(full_name="Анна Верещагина")
    browser = browser_of(owner)
    yield visit("list: empty", browser.get(reverse("intake:list")))
    yield visit("new: nothing chosen", browser.post(reverse("intake:new"), {}))
    draft = make_draft(owner)
    yield visit("check: nothing answered", browser.get(url("check", draft)))
    yield from _sections(browser, draft)
    yield from _broken_answers(browser, draft, owner)
    done = make_draft(owner)
    answer_all(done)
    finish_all(done)
    yield visit("hub: all answered", browser.get(url("hub", done)))
    yield visit("check: all answered", browser.get(url("check", done)))
    for state in (State.REJECTED, State.CHANGES_REQUESTED, State.APPROVED, State.WITHDRAWN):
        revision = make_in_state(state, owner)
        yield visit(f"status: {state}", browser.get(url("status", revision)))
    yield visit("list: full", browser.get(reverse("intake:list")))
    yield visit("list: nothing found", browser.get(reverse("intake:list"), {"q": "щщщ"}))


def _in_english() -> Iterator[Visit | None]:
    """The client's main pages in the other language, whose words are of other lengths."""
    owner = make_client(full_name="Anna Vereshchagina", language="en")
    browser = browser_of(owner)
    draft = make_draft(owner)
    yield visit("en new", browser.get(reverse("intake:new")))
    answer_all(draft)
    for name in ("hub", "check", "guests", "files", "written"):
        yield visit(f"en {name}", browser.get(url(name, draft)))
    for section, page in (("task", "task"), ("recipe", "batch")):
        yield visit(f"en {section}", browser.get(section_url(draft, section, page=page)))
    sent = make_in_state(State.APPROVED, owner)
    yield visit("en status", browser.get(url("status", sent)))
    yield visit("en list", browser.get(reverse("intake:list")))


def _sections(browser: Client, draft: Revision) -> Iterator[Visit | None]:
    """Every page of questions that the reference request is asked."""
    answer_all(draft)
    evaluated = draft_of(draft).evaluated
    for section in relevant_sections(evaluated.effective):
        for page in relevant_pages(section, evaluated.effective):
            address = section_url(draft, section.key, page=page.key)
            yield visit(f"section: {section.key} {page.key}", browser.get(address))


def _broken_answers(browser: Client, draft: Revision, owner: User) -> Iterator[Visit | None]:
    batch = section_url(draft, "recipe", page="batch")
    browser.post(batch, {"sequence_length": "8k", "micro_batch": "много"})
    yield visit("section: errors", browser.get(batch))
    task = section_url(draft, "task", page="task")
    browser.post(task, {"business_task": LONG_TEXT, "success_criterion": LONG_WORD})
    yield visit("section: long text", browser.get(task))
    clash = {"asked": ["business_task"], "business_task": "моё", "business_task-version": "0"}
    yield visit("section: clash", browser.post(task, clash))
    too_long = {"business_task": "я" * 30_000}
    yield visit("section: too long to store", browser.post(task, too_long))
    settings = b"model_name_or_path: meta-llama/Llama-3.1-8B\nlearning_rate: 1e-4\n"
    file = attachment_add(
        requisition=draft.requisition,
        revision=draft,
        name=f"{'очень-длинное-имя-' * 9}.yaml",
        content=settings,
        actor=owner,
    )
    yield visit("files: a long name", browser.get(url("files", draft)))
    yield visit("fill: a file", browser.get(url("fill", draft, file.pk)))
    yield visit("check: errors, long text", browser.get(url("check", draft)))


def _review_states() -> Iterator[Visit | None]:
    engineer, approver = make_engineer(), make_approver()
    client = make_client(full_name="Анна Верещагина")
    taken = make_in_review(engineer, client, business_task=RawAnswer(LONG_TEXT))
    failed = make_in_review(engineer, client, failed=("time",))
    waiting = make_in_approval(engineer, client)
    at_desk, at_approval = browser_of(engineer), browser_of(approver)
    yield visit("queue: full", at_desk.get(reverse("review:queue")))
    own = reverse("review:workspace", args=[taken.pk])
    yield visit("workspace: taken, long text", at_desk.get(own))
    trial = reverse("review:what-if", args=[taken.pk])
    yield visit("what if: changed", at_desk.get(f"{trial}?method=qlora&gpus=16"))
    yield visit("what if: an error", at_desk.get(f"{trial}?gpus=many"))
    workspace = reverse("review:workspace", args=[failed.pk])
    yield visit("workspace: an estimate failed", at_desk.get(workspace))
    yield visit("approvals: full", at_approval.get(reverse("review:approvals")))
    facts = SimpleUploadedFile("facts.csv", FACTS.encode())
    yield visit("import: preview", at_desk.post(reverse("catalog:import"), {"file": facts}))
    page = reverse("review:approval", args=[waiting.pk])
    yield visit("approval", at_approval.get(page))
    yield visit("a replaced document is being printed", _replaced(approver))
    yield visit("status: estimate failed", browser_of(client).get(url("status", failed)))
    yield visit("status: in approval", browser_of(client).get(url("status", waiting)))


def _replaced(reader: User) -> HttpResponse:
    """The address of an approved document whose copy with the mark is not printed yet."""
    revision = make_in_review()
    Revision.objects.filter(pk=revision.pk).update(
        state=State.SUPERSEDED, approved_at=revision.submitted_at
    )
    calculation = revision.calculations.get()
    common = {"language": "ru", "template_version": "test", "snapshot_text": "{}"}
    for kind, mark in ((Document.Kind.SUPERSEDED, "cd"), (Document.Kind.FINAL, "ef")):
        final = Document.objects.create(
            revision=revision,
            calculation=calculation,
            kind=kind,
            snapshot_sha256=mark * 32,
            **common,
        )
    return browser_of(reader).get(reverse("documents:download", args=[final.pk]))


def _error_states() -> Iterator[Visit | None]:
    nobody = browser_of(None)
    yield visit("404", nobody.get("/nothing-here/"))
    yield visit("405", browser_of(make_client()).get(reverse("set-theme")))
    sign_in = reverse("accounts:sign-in")
    yield visit(
        "sign-in: wrong", nobody.post(sign_in, {"username": "a@b.example", "password": "x"})
    )
    yield visit("sign-up: empty", nobody.post(reverse("accounts:sign-up"), {}))
    yield visit("catalog: nothing found", nobody.get(reverse("catalog:list"), {"q": "щщщ"}))
    stale: Any = Client(enforce_csrf_checks=True, headers={"accept-language": "ru"})
    yield visit("csrf", stale.post("/preferences/theme/", {"theme": "dark"}))
    sent = make_in_state(State.IN_REVIEW)
    late = browser_of(sent.requisition.owner)
    yield visit("409", late.post(url("autosave", sent, "task"), {"business_task": "x"}))
    yield visit("403", late.get(reverse("review:queue")))
    company = reverse("accounts:company")
    yield visit("not allowed", browser_of(make_engineer()).get(company))
    yield visit("413", nobody.post("/preferences/theme/", {}, CONTENT_LENGTH=str(2**40)))
    yield visit("a used link", nobody.get(reverse("accounts:invitation", args=["used"])))
