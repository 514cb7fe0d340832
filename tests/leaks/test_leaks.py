"""Before the approval no client meets hardware; the internal words of the house never.

The public catalog is no part of a requisition and stays out; everything else that a client can
open is looked through: pages, parts of pages, downloads, mails, notices.
"""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from django.core import mail
from django.http import HttpResponse
from django.urls import reverse

from apps.catalog.facts import fixture_catalog
from apps.documents.models import Document
from apps.jobs.models import Job, JobState
from apps.jobs.tasks import run
from apps.notices.models import Notice
from apps.requisitions.models import Revision
from tests.architecture.world import every_address
from tests.factories import make_client, make_company
from tests.leaks.crawling import crawl, text_of
from tests.leaks.planting import (
    ACCELERATOR,
    BEFORE_APPROVAL,
    PLANTED,
    SKU,
    Cast,
    approved,
    estimated,
    make_cast,
)

# Addresses that know nothing of a requisition.
APART = ("catalog:", "tryout:", "accounts:", "home")


@pytest.fixture
def cast(db) -> Cast:
    company = make_company()
    owner, colleague = make_client(company=company), make_client(company=company)
    return make_cast(owner, colleague, make_client())


@cache
def hardware() -> re.Pattern[str]:
    """Every part number and every accelerator of the catalog, and what is planted."""
    catalog = fixture_catalog()
    accelerators = catalog.accelerators.values()
    short = {re.split(r"[-\s]", a.id)[0] for a in accelerators}  # H100, MI300X
    names = {SKU, ACCELERATOR, *catalog.servers, *catalog.accelerators, *short}
    names |= {a.name for a in accelerators}
    found = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{found})(?![\w])", re.IGNORECASE)


def addresses(revision: Revision) -> Iterator[str]:
    """Every address of the product that takes no id, or one of this requisition's."""
    ids = {
        "requisition_id": revision.requisition_id,
        "revision_id": revision.pk,
        "section_key": "model",
        "key": "dataset_bytes",
        "old": "A",
        "new": "B",
    }
    for name, places in every_address().items():
        if places <= ids.keys() and not name.startswith(APART):
            yield reverse(name, kwargs={place: ids[place] for place in places})
    for document in Document.objects.filter(revision__requisition=revision.requisition):
        for name, places in every_address().items():
            if places == {"document_id"}:
                yield reverse(name, args=[document.pk])


def deliver_mails() -> None:
    for job in Job.objects.filter(kind__startswith="mail", state=JobState.READY):
        run(str(job.pk))


def told(cast: Cast) -> Iterator[tuple[str, str]]:
    """(where, words) of every mail and every notice of the clients."""
    deliver_mails()
    clients = (cast.owner, cast.colleague, cast.stranger)
    addressed = {person.email for person in clients}
    for letter in mail.outbox:
        if addressed & set(letter.to):
            yield f"mail to {letter.to}", f"{letter.subject}\n{letter.message().as_string()}"
            yield f"mail to {letter.to}", str(letter.body)
            assert not letter.attachments
    for notice in Notice.objects.filter(user__in=clients):
        yield f"notice {notice.event}", f"{notice.params} {notice.path}"


def read_by(cast: Cast, revision: Revision) -> Iterator[tuple[str, str]]:
    """(where, words) of all that the clients can read."""
    # What others may open differs from the owner's only where there are documents to ask for.
    others = ((cast.colleague, "en"), (cast.stranger, "ru"))
    for person, language in ((cast.owner, "ru"), *(others if revision.documents.exists() else ())):
        for address, text in crawl(person, addresses(revision), language):
            yield f"{address} as {person.full_name}", text
    yield from told(cast)


def leaks(read: Iterator[tuple[str, str]], forbidden: re.Pattern[str]) -> list[str]:
    return [
        f"{where}: …{text[max(0, m.start() - 60) : m.end() + 20]}…"
        for where, text in read
        for m in [forbidden.search(text)]
        if m
    ]


def test_what_is_looked_for_is_really_there(cast):
    """The stored assessment names real hardware, so silence on the pages means something."""
    revision = estimated(cast)
    said = revision.calculations.get().assessment.result_text
    assert len(set(hardware().findall(said))) > 4
    assert SKU in said
    assert ACCELERATOR in said


@pytest.mark.parametrize("state", BEFORE_APPROVAL)
def test_before_the_approval_no_client_meets_hardware_or_internal_words(cast, state):
    revision = BEFORE_APPROVAL[state](cast)
    read = list(read_by(cast, revision))
    assert sum("/r/" in where for where, _text in read) > 10
    assert len(mail.outbox) > 0
    assert leaks(iter(read), hardware()) == []
    assert leaks(iter(read), re.compile(re.escape(PLANTED[-1]), re.IGNORECASE)) == []


def test_after_the_approval_hardware_is_named_and_internal_words_still_are_not(cast):
    revision = approved(cast)
    read = list(read_by(cast, revision))
    assert leaks(iter(read), re.compile(re.escape(PLANTED[-1]), re.IGNORECASE)) == []
    finals = [str(d.pk) for d in Document.objects.filter(revision=revision, kind="final")]
    printed = [text for where, text in read for pk in finals if f"/{pk}/ as" in where]
    assert sum(bool(hardware().search(text)) for text in printed) == 2 * len(finals)


def test_a_client_of_another_company_gets_nothing_of_a_requisition(cast):
    revision = BEFORE_APPROVAL["in approval"](cast)
    title = revision.requisition.title
    assert any(title in text for _, text in crawl(cast.owner, addresses(revision), "ru"))
    for address, text in crawl(cast.stranger, addresses(revision), "ru"):
        assert title not in text, address


@pytest.mark.parametrize("words", [SKU, ACCELERATOR, "H100", "sys-821ge-tnhr", "H100-SXM5-80"])
def test_the_search_itself_finds_what_it_is_meant_to(words):
    assert hardware().search(text_of(HttpResponse(f"<td data-sku='{words}'>нет</td>")))
