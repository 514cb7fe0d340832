"""Parts of a document that are printed on demand, and codes to ask about a paper."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

from apps.core.triggers import drop, refuse_update

_TABLE = "documents_document"
_SAME_FACTS = (
    "OLD.snapshot_text = NEW.snapshot_text"
    " AND OLD.snapshot_sha256 = NEW.snapshot_sha256"
    " AND (OLD.sha256 = '' OR OLD.sha256 = NEW.sha256)"
)
_MESSAGE = "what a document says never changes"
# SQLite makes the table anew for each change, and the trigger stays behind.
_guard_before = refuse_update(_TABLE, unless=_SAME_FACTS, message=_MESSAGE)
_guard = refuse_update(_TABLE, unless=f"{_SAME_FACTS} AND OLD.code = NEW.code", message=_MESSAGE)
_unguard = drop(_TABLE)


class Migration(migrations.Migration):
    dependencies = [("documents", "0003_notes")]

    operations = [
        migrations.RunPython(_unguard, _guard_before),
        migrations.RemoveConstraint(model_name="document", name="one_document_of_the_facts"),
        migrations.RemoveConstraint(model_name="document", name="document_kind_known"),
        migrations.AddField(
            model_name="document",
            name="code",
            field=models.CharField(blank=True, default="", max_length=16),
        ),
        migrations.AddField(
            model_name="document",
            name="origin",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="extracts",
                to="documents.document",
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
                    ("short", "short version"),
                    ("protocol", "protocol of the pilot"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="document",
            name="sha256",
            field=models.CharField(blank=True, db_index=True, default="", max_length=64),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                condition=Q(origin__isnull=True),
                fields=("revision", "kind", "language", "snapshot_sha256"),
                name="one_document_of_the_facts",
            ),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                fields=("origin", "kind"), name="one_extract_of_a_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                condition=~Q(code=""), fields=("code",), name="one_document_a_code"
            ),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.CheckConstraint(
                condition=Q(kind__in=["draft", "final", "superseded", "note"], origin__isnull=True)
                | Q(kind__in=["short", "protocol"], origin__isnull=False),
                name="document_kind_known",
            ),
        ),
        migrations.RunPython(_guard, _unguard),
    ]
