"""Files are kept as they are, under a hash, and go out as downloads only."""

import hashlib
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Role
from apps.requisitions.models import Attachment
from apps.requisitions.services.answers import MAX_FILE_BYTES, MAX_FILES
from tests.factories import make_client, make_draft, make_user
from tests.intake.pages import section_url, send, url


def upload(browser, draft, content=b"a: 1\n", name="train.yaml", **said):
    return browser.post(url("attach", draft), {"file": SimpleUploadedFile(name, content), **said})


@pytest.fixture
def attached(browser, draft) -> Attachment:
    upload(browser, draft)
    return Attachment.objects.get()


def test_a_file_is_kept_at_once_and_comes_back_byte_for_byte(browser, draft):
    content = bytes(range(256)) * 100
    assert upload(browser, draft, content, "профиль.bin")["Location"] == url("files", draft)
    attachment = Attachment.objects.get()
    assert attachment.sha256 == hashlib.sha256(content).hexdigest()
    browser.post(section_url(draft, "task"), {"contact_email": "не почта"})
    assert "профиль.bin" in browser.get(url("files", draft)).content.decode()
    response = browser.get(url("attachment", draft, attachment.pk))
    assert response.content == content


def test_no_row_is_without_its_file_whatever_fails(browser, draft, monkeypatch):
    browser.raise_request_exception = False
    with monkeypatch.context() as disk_full:
        disk_full.setattr("apps.core.blobs.os.fsync", lambda _file: 1 / 0)
        assert upload(browser, draft).status_code == 500
    assert Attachment.objects.count() == 0
    with monkeypatch.context() as no_audit:
        no_audit.setattr("apps.requisitions.services.answers.audit.record", lambda **_: 1 / 0)
        assert upload(browser, draft).status_code == 500
    assert Attachment.objects.count() == 0
    assert upload(browser, draft).status_code == 302
    assert browser.get(url("attachment", draft, Attachment.objects.get().pk)).content == b"a: 1\n"


@pytest.mark.parametrize("name", ["page.html", "drawing.svg", "x.js", "a.pdf"])
def test_a_file_is_never_shown_in_the_page(browser, draft, name):
    upload(browser, draft, b"<script>alert(1)</script>", name)
    response = browser.get(url("attachment", draft, Attachment.objects.get().pk))
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/passwd",
        "..\\..\\boot.ini",
        "a\r\nSet-Cookie: x=1.txt",
        'quote".txt',
        "<img src=x onerror=alert(1)>.yaml",
        "отчёт \u202egnp.exe",
        "x" * 400 + ".txt",
    ],
    ids=ascii,
)
def test_a_hostile_name_is_only_ever_text(browser, draft, name):
    upload(browser, draft, name=name)
    page = browser.get(url("files", draft)).content.decode()
    assert "<img src=x" not in page
    response = browser.get(url("attachment", draft, Attachment.objects.get().pk))
    assert response.status_code == 200
    assert "Set-Cookie" not in response["Content-Disposition"].split(";")[0]
    assert "\n" not in response["Content-Disposition"]


def test_a_file_that_is_too_large_or_empty_is_refused_with_the_limit(browser, draft):
    upload(browser, draft, b"x" * (MAX_FILE_BYTES + 1))
    assert "up to 10 MiB" in browser.get(url("files", draft)).content.decode()
    upload(browser, draft, b"")
    assert "is empty" in browser.get(url("files", draft)).content.decode()
    browser.post(url("attach", draft))
    assert "Choose a file first" in browser.get(url("files", draft)).content.decode()
    assert Attachment.objects.count() == 0


def test_going_on_keeps_what_was_chosen(browser, draft):
    chosen = {"file": SimpleUploadedFile("a.txt", b"a"), "then": "check"}
    assert browser.post(url("attach", draft), chosen)["Location"].endswith("/check/")
    assert Attachment.objects.get().name == "a.txt"
    nothing = browser.post(url("attach", draft), {"then": "check"})
    assert nothing["Location"].endswith("/check/")
    refused = {"file": SimpleUploadedFile("b.txt", b""), "then": "check"}
    assert browser.post(url("attach", draft), refused)["Location"].endswith("/files/")


def test_one_bad_file_does_not_stop_the_others(browser, draft):
    good, bad = SimpleUploadedFile("a.txt", b"a"), SimpleUploadedFile("b.txt", b"")
    browser.post(url("attach", draft), {"file": [bad, good]})
    assert [a.name for a in Attachment.objects.all()] == ["a.txt"]


def test_there_is_a_limit_of_files(browser, draft):
    for number in range(MAX_FILES):
        upload(browser, draft, b"x%d" % number)
    upload(browser, draft, b"one more")
    assert Attachment.objects.count() == MAX_FILES
    assert "remove one" in browser.get(url("files", draft)).content.decode()


def test_a_file_can_be_removed_from_a_draft_and_not_from_what_was_sent(browser, draft, attached):
    response = browser.post(url("detach", draft, attached.pk))
    assert response["Location"] == url("files", draft)
    attached.refresh_from_db()
    assert attached.removed_at is not None
    assert browser.get(url("attachment", draft, attached.pk)).status_code == 404

    upload(browser, draft, b"second")
    second = Attachment.objects.get(removed_at__isnull=True)
    send(browser, draft)
    assert browser.post(url("detach", draft, second.pk)).status_code == 409
    assert upload(browser, draft).status_code == 409
    second.refresh_from_db()
    assert second.removed_at is None
    assert second.sha256 in draft.answers_text


@pytest.mark.parametrize("who", ["stranger", "engineer"])
def test_a_file_of_a_draft_is_nobody_elses(draft, attached, who):
    client = Client()
    client.force_login(make_client() if who == "stranger" else make_user(Role.ENGINEER))
    assert client.get(url("attachment", draft, attached.pk)).status_code == 404
    assert client.post(url("detach", draft, attached.pk)).status_code == 404
    attached.refresh_from_db()
    assert attached.removed_at is None


def test_an_engineer_downloads_what_was_sent(browser, draft, attached):
    send(browser, draft)
    client = Client()
    client.force_login(make_user(Role.ENGINEER))
    assert client.get(url("attachment", draft, attached.pk)).content == b"a: 1\n"


def test_a_file_is_found_only_under_its_own_requisition(browser, owner, attached):
    from tests.factories import make_draft

    other = make_draft(owner)
    assert browser.get(url("attachment", other, attached.pk)).status_code == 404
    assert browser.post(url("detach", other, attached.pk)).status_code == 404


def test_a_file_may_say_what_it_is_and_the_reviewers_see_it(browser, draft):
    """Named by the client, on their pages, on the engineer's, and frozen with the answers."""
    upload(browser, draft, name="spec.pdf", kind="specification")
    upload(browser, draft, name="notes.txt")
    upload(browser, draft, name="odd.txt", kind="<b>no such</b>")
    kinds = list(Attachment.objects.values_list("name", "kind"))
    assert kinds == [("spec.pdf", "specification"), ("notes.txt", ""), ("odd.txt", "")]
    words = "A specification or a list of SKUs"
    assert browser.get(url("files", draft)).content.decode().count(f"{words}, ") == 1
    send(browser, draft)
    draft.refresh_from_db()
    assert json.loads(draft.answers_text)["attachments"][0]["kind"] == "specification"
    engineer = Client(headers={"accept-language": "en"})
    engineer.force_login(make_user(Role.ENGINEER))
    page = engineer.get(reverse("review:workspace", args=[draft.pk])).content.decode()
    for attachment in Attachment.objects.all():
        assert f'href="{url("attachment", draft, attachment.pk)}"' in page
    assert page.count(words) == 1


def test_pasted_settings_know_what_they_are(browser, draft):
    browser.post(url("paste", draft), {"text": "a: 1"})
    assert Attachment.objects.get().kind == Attachment.Kind.SETTINGS


def test_one_company_does_not_fill_the_disk(browser, draft, settings):
    settings.COMPANY_FILES_BYTES = 2**20
    upload(browser, draft, b"x" * 2**19)
    browser.post(url("detach", draft, Attachment.objects.get().pk))
    upload(browser, draft, b"y" * (2**19 + 1))
    assert Attachment.objects.count() == 1
    page = browser.get(url("files", draft)).content.decode().replace("\xa0", " ")
    assert "take all of the 1 MiB" in page
    upload(browser, draft, b"y" * 2**19)
    assert Attachment.objects.count() == 2
    upload(browser, draft, b"z")
    assert Attachment.objects.count() == 2
    others = make_draft()
    browser.force_login(others.requisition.owner)
    upload(browser, others, b"z")
    assert Attachment.objects.count() == 3, "another company has room of its own"


def test_a_disk_that_is_nearly_full_takes_answers_but_no_files(browser, draft, settings):
    settings.LEAST_FREE_BYTES = 2**62
    upload(browser, draft)
    assert Attachment.objects.count() == 0
    assert "no room for files" in browser.get(url("files", draft)).content.decode()
    pasted = browser.post(url("paste", draft), {"text": "a: 1"})
    assert pasted.status_code == 503
    browser.post(section_url(draft, "task"), {"asked": "business_task", "business_task": "есть"})
    assert draft.answers.get(key="business_task").value == "есть"
