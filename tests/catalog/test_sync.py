"""The catalog's tables: level with the fixtures, quick to find so, frozen as releases."""

import copy
from dataclasses import asdict
from datetime import date

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection
from django.db.utils import DatabaseError

from apps.accounts.models import Role
from apps.audit.models import AuditEvent
from apps.catalog import facts, releases, services
from apps.catalog.models import Fact, Head, Item, Release
from apps.catalog.rows import document_of
from apps.catalog.schema import CatalogError
from apps.core.canonical import canonical_json
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def shipped(monkeypatch):
    """A copy of the fixtures that a test may change; changing it changes its hash."""
    document = copy.deepcopy(facts.fixture_document())
    monkeypatch.setattr(services, "fixture_document", lambda: document)
    monkeypatch.setattr(
        services, "fixture_sha256", lambda: facts.sha256_of(canonical_json(document))
    )
    return document


def fact_in(document, part, slug, key):
    row = next(row for row in document[part] if row["slug"] == slug)
    return next(fact for fact in row["facts"] if fact["key"] == key)


def test_a_fresh_install_has_the_very_catalog_of_the_fixtures():
    changes = services.catalog_sync()
    assert changes is not None
    assert changes.added == Item.objects.count()
    assert releases.present_sha256() == facts.fixture_sha256()
    built = releases.stored_contents(facts.fixture_sha256()).catalog
    read = facts.fixture_catalog()
    assert built is not read
    for field in ("accelerators", "servers", "processors", "architectures", "constants"):
        assert list(getattr(built, field)) == list(getattr(read, field))
        assert getattr(built, field) == getattr(read, field)
    assert asdict(built.calibration) == asdict(read.calibration)


def test_the_tables_write_the_document_that_they_were_read_from():
    services.catalog_sync()
    parts = document_of(Item.objects.prefetch_related("facts"))
    shipped = facts.fixture_document()
    assert canonical_json(parts) == canonical_json({part: shipped[part] for part in parts})


def test_a_second_time_changes_nothing_and_asks_one_question(django_assert_num_queries, capsys):
    call_command("catalog_sync")
    assert "items added" in capsys.readouterr().out
    with django_assert_num_queries(1):
        call_command("catalog_sync")
    assert "up to date" in capsys.readouterr().out
    assert AuditEvent.objects.filter(action="catalog.sync").count() == 1
    assert Release.objects.count() == 1


def test_a_new_figure_reaches_the_engine_and_the_old_release_keeps_the_old_one(shipped):
    services.catalog_sync()
    before = releases.present_sha256()
    fact_in(shipped, "servers", "SYS-521GE-TNRT", "depth_mm")["value"] = 800
    changes = services.catalog_sync()
    assert (changes.added, changes.changed, changes.retired) == (0, 1, 0)
    after = releases.present_sha256()
    assert after != before
    assert releases.contents_of(after).catalog.servers["SYS-521GE-TNRT"].depth_mm == 800
    assert releases.contents_of(before).catalog.servers["SYS-521GE-TNRT"].depth_mm == 786.1


def test_a_row_that_is_gone_retires_and_comes_back(shipped):
    services.catalog_sync()
    row = shipped["servers"].pop()
    assert services.catalog_sync().retired == 1
    assert Item.objects.get(slug=row["slug"]).retired
    assert row["slug"] not in releases.present_catalog().servers
    shipped["servers"].append(row)
    services.catalog_sync()
    assert not Item.objects.get(slug=row["slug"]).retired
    assert row["slug"] in releases.present_catalog().servers


def test_a_new_row_in_the_middle_keeps_the_order_of_the_file(shipped):
    services.catalog_sync()
    row = copy.deepcopy(shipped["accelerators"][0]) | {"slug": "NEW-CARD"}
    shipped["accelerators"].insert(3, row)
    changes = services.catalog_sync()
    assert (changes.added, changes.changed) == (1, 0)
    assert list(releases.present_catalog().accelerators)[3] == "NEW-CARD"


def test_an_approved_fact_stands_over_a_shipped_one(shipped):
    services.catalog_sync()
    old = Fact.objects.get(item__slug="SYS-521GE-TNRT", key="depth_mm", superseded=False)
    Fact.objects.filter(pk=old.pk).update(superseded=True)
    Fact.objects.create(
        item=old.item,
        key=old.key,
        value=750,
        number=750,
        unit=old.unit,
        source="Measured on the spot",
        as_of=date(2026, 11, 30),
        confidence="measurement",
        origin=Fact.Origin.APPROVED,
        confirmed_by=make_user(Role.ADMINISTRATOR),
        position=old.position,
    )
    fact_in(shipped, "servers", "SYS-521GE-TNRT", "depth_mm")["value"] = 800
    services.catalog_sync()
    assert releases.present_catalog().servers["SYS-521GE-TNRT"].depth_mm == 750
    stored = Fact.objects.filter(item=old.item, key="depth_mm").values_list("value", "superseded")
    assert sorted(stored) == [(750, False), (800, True)]


def test_a_row_that_cannot_be_true_changes_nothing(shipped):
    services.catalog_sync()
    before = Head.objects.get().release_id
    fact_in(shipped, "accelerators", "L4", "memory_gb")["value"] = -1
    with pytest.raises(CatalogError, match="L4"):
        services.catalog_sync()
    assert Head.objects.get().release_id == before


def test_before_the_first_synchronisation_the_fixtures_are_in_force():
    assert releases.present_sha256() == facts.fixture_sha256()
    assert releases.present_catalog().servers == facts.fixture_catalog().servers


def test_a_release_is_never_changed():
    services.catalog_sync()
    release = Release.objects.get()
    with pytest.raises(TypeError):
        release.save()
    with pytest.raises(DatabaseError, match="never changed"):
        Release.objects.update(body=b"")


def test_a_release_that_does_not_hash_to_its_name_is_not_used():
    services.catalog_sync()
    body = Release.objects.get().body
    Release.objects.create(sha256="ab" * 32, body=body)
    with pytest.raises(releases.UnknownRelease):
        releases.contents_of("ab" * 32)


def test_two_values_in_force_are_refused_by_the_database():
    services.catalog_sync()
    fact = Fact.objects.filter(superseded=False).first()
    fact.pk = None
    with pytest.raises(IntegrityError):
        fact.save()


def test_one_request_asks_once_which_catalog_is_in_force(client, django_assert_num_queries):
    services.catalog_sync()
    releases.request_begins()
    with django_assert_num_queries(1):
        assert releases.present_sha256() == releases.present_sha256()
    releases.request_ends()
    with django_assert_num_queries(2):
        assert releases.present_sha256() == releases.present_sha256()
    assert connection.vendor in {"sqlite", "postgresql"}
