"""What the database itself refuses must stand after every migration.

SQLite drops a trigger with the table that a migration builds anew, and nothing says so: one new
column with a default is enough. Whoever adds a freeze adds it here.
"""

from __future__ import annotations

import pytest
from django.db import connection

pytestmark = pytest.mark.django_db

FROZEN = {
    "audit_auditevent_frozen",
    "catalog_release_frozen",
    "documents_document_frozen",
    "requisitions_revision_frozen",
}
# On PostgreSQL what never changes at all is not deleted either.
KEPT = {"audit_auditevent_kept", "catalog_release_kept"}

NAMES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
}


def test_no_migration_has_lost_a_trigger():
    with connection.cursor() as cursor:
        cursor.execute(NAMES[connection.vendor])
        standing = {name for (name,) in cursor.fetchall()}
    assert standing == (FROZEN | KEPT if connection.vendor == "postgresql" else FROZEN)
