from django.db import migrations

from apps.core.triggers import drop, refuse_update


class Migration(migrations.Migration):
    dependencies = [("requisitions", "0001_initial")]

    operations = [
        migrations.RunPython(
            refuse_update(
                "requisitions_revision",
                unless="OLD.answers_sha256 = '' OR (OLD.answers_sha256 = NEW.answers_sha256"
                " AND OLD.answers_text = NEW.answers_text)",
                message="answers never change once they were sent",
            ),
            drop("requisitions_revision"),
        ),
    ]
