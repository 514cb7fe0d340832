"""Database triggers that keep promises even against our own mistakes."""

from collections.abc import Callable

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

Operation = Callable[[StateApps, BaseDatabaseSchemaEditor], None]


def refuse_update(table: str, *, unless: str = "", message: str) -> Operation:
    """A migration step: UPDATE on `table` fails, where the SQL condition `unless` is false.

    On PostgreSQL it also refuses DELETE. SQLite's test runner empties tables by DELETE, so there
    the model's own `delete` has to do.
    """

    def install(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        when = f"WHEN (NOT ({unless}))" if unless else ""
        if editor.connection.vendor == "sqlite":
            editor.execute(
                f"CREATE TRIGGER {table}_frozen BEFORE UPDATE ON {table} FOR EACH ROW {when} "
                f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )
            return
        editor.execute(
            f"CREATE OR REPLACE FUNCTION {table}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{message}'; END $$"
        )
        editor.execute(
            f"CREATE TRIGGER {table}_frozen BEFORE UPDATE ON {table} FOR EACH ROW {when} "
            f"EXECUTE FUNCTION {table}_refuse()"
        )
        if not unless:
            editor.execute(
                f"CREATE TRIGGER {table}_kept BEFORE DELETE ON {table} FOR EACH ROW "
                f"EXECUTE FUNCTION {table}_refuse()"
            )

    return install


def drop(table: str) -> Operation:
    """The way back of `refuse_update`."""

    def remove(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        on_table = "" if editor.connection.vendor == "sqlite" else f" ON {table}"
        for name in ("frozen", "kept"):
            editor.execute(f"DROP TRIGGER IF EXISTS {table}_{name}{on_table}")
        if editor.connection.vendor != "sqlite":
            editor.execute(f"DROP FUNCTION IF EXISTS {table}_refuse()")

    return remove
