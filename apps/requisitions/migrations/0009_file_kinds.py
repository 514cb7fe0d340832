from django.db import migrations, models

from apps.core.triggers import drop, refuse_update

TABLE = "requisitions_revision"
freeze = refuse_update(
    TABLE,
    unless="OLD.answers_sha256 = '' OR (OLD.answers_sha256 = NEW.answers_sha256"
    " AND OLD.answers_text = NEW.answers_text)",
    message="answers never change once they were sent",
)


class Migration(migrations.Migration):
    """What a file is, and whose word it is when somebody speaks for a client.

    SQLite makes the table anew for a constraint, and its trigger would be gone with the old one.
    """

    dependencies = [("requisitions", "0008_standing_index")]

    operations = [
        migrations.AddField(
            model_name="attachment",
            name="kind",
            field=models.CharField(
                blank=True,
                choices=[
                    ("specification", "A specification or a list of SKUs"),
                    ("settings", "Settings of the training"),
                    ("profile", "A memory profile or a log"),
                    ("rack", "A drawing or a passport of the rack"),
                    ("other", "Something else"),
                ],
                default="",
                max_length=20,
            ),
        ),
        migrations.RunPython(drop(TABLE), freeze),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.CheckConstraint(
                condition=models.Q(on_behalf_of__isnull=True)
                | (
                    models.Q(submitted_by__isnull=False, submitted_at__isnull=False)
                    & ~models.Q(on_behalf_of=models.F("submitted_by"))
                ),
                name="on_behalf_by_another",
            ),
        ),
        migrations.RunPython(freeze, drop(TABLE)),
    ]
