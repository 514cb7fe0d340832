from django.db import migrations

from apps.core.triggers import drop, refuse_update


class Migration(migrations.Migration):
    dependencies = [("documents", "0001_initial")]

    operations = [
        migrations.RunPython(
            refuse_update(
                "documents_document",
                unless="OLD.snapshot_text = NEW.snapshot_text"
                " AND OLD.snapshot_sha256 = NEW.snapshot_sha256"
                " AND (OLD.sha256 = '' OR OLD.sha256 = NEW.sha256)",
                message="what a document says never changes",
            ),
            drop("documents_document"),
        ),
    ]
