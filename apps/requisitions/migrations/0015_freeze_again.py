from django.db import migrations

from apps.core.triggers import drop, refuse_update

TABLE = "requisitions_revision"
put_away = drop(TABLE)
freeze = refuse_update(
    TABLE,
    unless="OLD.answers_sha256 = '' OR (OLD.answers_sha256 = NEW.answers_sha256"
    " AND OLD.answers_text = NEW.answers_text)",
    message="answers never change once they were sent",
)


def freeze_anew(apps, editor):
    """On PostgreSQL the trigger is there still, and nowhere may there be two."""
    put_away(apps, editor)
    freeze(apps, editor)


class Migration(migrations.Migration):
    """The clock's columns made SQLite build the table anew, without its trigger."""

    dependencies = [("requisitions", "0014_clock_backfill")]

    operations = [migrations.RunPython(freeze_anew, migrations.RunPython.noop)]
