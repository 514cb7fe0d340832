"""A pilot over HTTP: protocol, files, entering, closing, carrying on, and who may."""

import io
import json
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from apps.audit.models import AuditEvent
from apps.notices.models import Notice
from apps.pilots.judging import SCALED
from apps.pilots.models import PilotRun
from apps.pilots.records import SCHEMA
from apps.pilots.selectors import facts_of
from apps.pilots.services import pilot_close
from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.sections import QUESTIONS
from apps.requisitions.models import Revision
from apps.requisitions.workflow import State
from apps.review.dossier import dossier_of
from tests.factories import make_client
from tests.pilots.samples import QUALITY, make_run, whole_values
from tests.review.samples import make_engineer, make_in_review, make_manager

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def engineer(client):
    person = make_engineer()
    client.force_login(person)
    return person


def url(name: str, revision: Revision, *more: object) -> str:
    return reverse(f"pilots:{name}", args=[revision.pk, *more])


def approved(revision: Revision) -> Revision:
    Revision.objects.filter(pk=revision.pk).update(state=State.APPROVED)
    revision.refresh_from_db()
    return revision


def facts(revision: Revision):
    found = facts_of(revision)
    assert found is not None
    return found


def upload(client: Client, revision: Revision, document: object, *, as_file: bool = False):
    text = document if isinstance(document, str) else json.dumps(document)
    sent = SimpleUploadedFile("pilot-result.json", text.encode()) if as_file else text
    field = "file" if as_file else "text"
    return client.post(url("upload", revision), {field: sent}, headers=ENGLISH)


def test_the_protocol_fixes_the_workload_and_asks_for_every_part(client, engineer):
    revision = make_in_review(engineer)
    html = client.get(url("pilot", revision), headers=ENGLISH).content.decode()
    assert facts(revision)["workload_sha256"] in html
    assert "20 of warm-up, not measured, then 50 measured" in html
    assert html.count("to close the pilot") == 4
    for part in ("Time of a step", "Feed of data", "Checkpoint", "Quality on held-out data"):
        assert part in html
    assert "Programme of acceptance" in html
    assert "the contractor" in html


def test_every_supplier_gets_the_same_table_and_kit(client, engineer):
    revision = make_in_review(engineer)
    table = client.get(url("protocol-csv", revision), headers=ENGLISH)
    assert table["Content-Disposition"].startswith("attachment")
    lines = table.content.decode("utf-8-sig").splitlines()
    assert lines[0] == "Part,What,Kept fixed or expected,Measured"
    assert all(line[:1] not in "=+-@" for line in lines)
    first, second = (client.get(url("kit", revision)).content for _ in range(2))
    assert first == second
    names = zipfile.ZipFile(io.BytesIO(first)).namelist()
    assert {"pilot/run.json", "pilot/launch.sh", "pilot/probe.py", "pilot/README.ru.md"} <= {*names}


def test_a_client_before_the_approval_sees_no_hardware_but_may_write_figures_down(client):
    owner = make_client()
    revision = make_in_review(make_engineer(), owner)
    client.force_login(owner)
    html = client.get(url("pilot", revision), headers=ENGLISH).content.decode()
    assert "To measure" in html
    assert "NVIDIA" not in html
    assert "Programme of acceptance" not in html
    assert client.get(url("kit", revision)).status_code == 404
    assert "NVIDIA" not in client.get(url("enter", revision), headers=ENGLISH).content.decode()
    approved(revision)
    assert "NVIDIA" in client.get(url("pilot", revision), headers=ENGLISH).content.decode()


def test_strangers_find_nothing_and_managers_only_read(client):
    revision = make_in_review(make_engineer())
    client.force_login(make_client())
    assert client.get(url("pilot", revision)).status_code == 404
    client.force_login(make_manager())
    assert client.get(url("pilot", revision)).status_code == 200
    assert client.get(url("enter", revision)).status_code == 404
    assert upload(client, revision, {"schema": SCHEMA, "values": {}}).status_code == 404
    assert not PilotRun.objects.exists()


def test_what_is_missing_is_kept_as_a_draft_and_named(client, engineer):
    revision = make_in_review(engineer)
    sent = {"model": "Llama-3.1-8B", "memory.allocated_gib": "40,5"}
    answer = client.post(url("enter", revision), sent, follow=True, headers=ENGLISH)
    run = PilotRun.objects.get()
    assert run.state == "draft"
    assert run.record["values"] == {"model": "Llama-3.1-8B", "memory.allocated_gib": 40.5}
    html = answer.content.decode()
    for label in ("Saving, s", "Framework with its version", "Steps of the warm-up", "Load of the"):
        assert label in html


def test_a_wrong_figure_is_said_beside_its_field_and_nothing_is_lost(client, engineer):
    revision = make_in_review(engineer)
    sent = {"model": "My model", "feed.wait_ratio": "240", "steps.warmup": "0"}
    answer = client.post(url("enter", revision), sent, headers=ENGLISH)
    assert answer.status_code == 422
    assert answer.content.decode().count("This cannot be") >= 2
    assert "My model" in answer.content.decode()
    assert not PilotRun.objects.exists()


@pytest.mark.parametrize("as_file", [True, False], ids=["a file", "pasted"])
def test_the_kit_file_is_read_and_told_of(client, engineer, as_file):
    manager = make_manager()
    revision = make_in_review(engineer)
    owner = revision.requisition.owner
    client.force_login(owner)
    document = {"schema": SCHEMA, "values": whole_values(facts(revision))}
    assert upload(client, revision, document, as_file=as_file).status_code == 302
    run = PilotRun.objects.get()
    assert (run.state, run.origin) == ("entered", "file")
    assert run.workload_sha256 == facts(revision)["workload_sha256"]
    told = set(Notice.objects.filter(event="pilot-data").values_list("user_id", flat=True))
    assert told == {engineer.pk, manager.pk}
    assert AuditEvent.objects.filter(action="pilot.enter").exists()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[1, 2]",
        '{"schema": "other/1", "values": {"model": "x"}}',
        '{"schema": "podbor.pilot/1", "values": {"time.run_s": NaN}}',
        "[" * 100_000,
        '{"schema": "podbor.pilot/1", "values": {"surprise": 1}}',
        " " * 300_000,
    ],
    ids=["no json", "a list", "another schema", "nan", "deep", "unknown names", "too large"],
)
def test_a_hostile_file_leaves_nothing_behind(client, engineer, text):
    revision = make_in_review(engineer)
    assert upload(client, revision, text).status_code == 400
    assert not PilotRun.objects.exists()


def test_a_pilot_is_not_closed_without_held_out_quality(client, engineer):
    revision = approved(make_in_review(engineer))
    run = make_run(revision, engineer)
    answer = client.post(url("close", revision, run.pk), headers=ENGLISH)
    assert answer.status_code == 422
    assert "quality on held-out data" in answer.content.decode()
    run.refresh_from_db()
    assert run.state == "entered"
    good = make_run(revision, engineer, **{k.replace(".", "__"): v for k, v in QUALITY.items()})
    assert client.post(url("close", revision, good.pk)).status_code == 302
    good.refresh_from_db()
    assert (good.state, good.closed_by) == ("closed", engineer)
    assert client.get(url("change", revision, good.pk)).status_code == 409


def test_no_gain_stops_scaling(client, engineer):
    revision = approved(make_in_review(engineer))
    worse = {k.replace(".", "__"): v for k, v in QUALITY.items()} | {"quality__result": 0.61}
    run = make_run(revision, engineer, **worse)
    client.post(url("close", revision, run.pk))
    html = client.get(url("pilot", revision), headers=ENGLISH).content.decode()
    assert "Do not scale" in html
    assert "V2, V3 are not recommended" in html


def test_another_length_is_named_and_moves_nothing(client, engineer):
    owner = make_client()
    revision = approved(make_in_review(engineer, owner))
    run = make_run(revision, engineer, parameters__sequence_length=4096)
    html = client.get(url("pilot", revision), headers=ENGLISH).content.decode()
    assert "Another workload" in html
    assert "Differs from the protocol: Sequence length" in html
    client.force_login(owner)
    assert client.get(url("carry", revision, run.pk)).status_code == 409
    assert client.post(url("carry", revision, run.pk)).status_code == 409
    assert revision.requisition.revisions.count() == 1


def test_the_client_opens_the_next_letter_with_the_measured_run(client, engineer):
    owner = make_client()
    revision = approved(make_in_review(engineer, owner, measured_run=RawAnswer("no")))
    run = make_run(revision, engineer)
    assert client.get(url("carry", revision, run.pk)).status_code == 404  # the engineer
    client.force_login(owner)
    preview = client.get(url("carry", revision, run.pk), headers=ENGLISH).content.decode()
    assert "Peak of the tensors" in preview
    said = dict(re.findall(r"<dt>(.*?)</dt><dd>.*?</abbr> (.*?)</dd>", preview))
    assert said[str(QUESTIONS["measured_run"].name)] == "Yes"  # in words, not as it is kept
    assert client.post(url("carry", revision, run.pk)).status_code == 302
    draft = revision.requisition.revisions.get(index=2)
    answers = {a.key: a for a in draft.answers.all()}
    assert answers["measured_run"].value == "yes"
    assert answers["measured_origin"].value == "pilot"
    assert answers["measured_allocated"].provenance == "pilot"
    assert answers["measured_gpus"].value == str(facts(revision)["place"]["gpus"])


@pytest.mark.parametrize(("result", "stops"), [(0.6, True), (0.7, False)], ids=["same", "better"])
def test_the_client_s_own_page_says_not_to_scale(client, engineer, result, stops):
    revision = approved(make_in_review(engineer))
    quality = {key.replace(".", "__"): value for key, value in QUALITY.items()}
    run = make_run(revision, engineer, **quality | {"quality__result": result})
    address = reverse("intake:status", args=[revision.requisition_id])
    client.force_login(revision.requisition.owner)
    assert "Do not scale" not in client.get(address, headers=ENGLISH).content.decode()
    pilot_close(run=PilotRun.objects.get(pk=run.pk), actor=engineer)
    page = client.get(address, headers=ENGLISH).content.decode()
    assert ("Do not scale: the pilot showed no gain" in page) is stops
    dossier = dossier_of(revision)
    assert (dossier.result["readiness"] == "early") >= stops
    assert not (stops and dossier.recommended and dossier.recommended.key in SCALED)


def test_two_people_do_not_overwrite_each_other(client, engineer):
    revision = approved(make_in_review(engineer))
    run = make_run(revision, engineer)
    sent = {"model": "Other", "expected_version": run.version}
    assert client.post(url("change", revision, run.pk), sent).status_code == 302
    assert client.post(url("change", revision, run.pk), sent).status_code == 409
