"""Short documents of requisitions that end without an assessment."""

import django.db.models.deletion
from django.db import migrations, models

from apps.core.triggers import drop, refuse_update

_TABLE = "documents_document"
# SQLite makes the table anew for each change, and the trigger stays behind.
_guard = refuse_update(
    _TABLE,
    unless="OLD.snapshot_text = NEW.snapshot_text"
    " AND OLD.snapshot_sha256 = NEW.snapshot_sha256"
    " AND (OLD.sha256 = '' OR OLD.sha256 = NEW.sha256)",
    message="what a document says never changes",
)
_unguard = drop(_TABLE)


class Migration(migrations.Migration):
    dependencies = [("documents", "0002_printed_stay"), ("estimation", "0001_initial")]

    operations = [
        migrations.RunPython(_unguard, _guard),
        migrations.RemoveConstraint(model_name="document", name="document_kind_known"),
        migrations.AlterField(
            model_name="document",
            name="calculation",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="documents",
                to="estimation.calculation",
            ),
        ),
        migrations.AlterField(
            model_name="document",
            name="kind",
            field=models.CharField(
                choices=[
                    ("draft", "draft"),
                    ("final", "approved assessment"),
                    ("superseded", "copy marked as superseded"),
                    ("note", "conclusion without an assessment"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "note")),
                fields=("revision", "language"),
                name="one_note_a_language",
            ),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["draft", "final", "superseded", "note"])),
                name="document_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind", "note"), ("calculation__isnull", False), _connector="OR"
                ),
                name="assessment_has_calculation",
            ),
        ),
        migrations.RunPython(_guard, _unguard),
    ]
