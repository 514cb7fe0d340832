"""One revision at a time that somebody works on, one that is approved, and when it was."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def date_approvals(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    decisions = apps.get_model("requisitions", "Decision").objects.filter(kind="approve")
    revisions = apps.get_model("requisitions", "Revision").objects
    for decision in decisions.iterator():
        revisions.filter(pk=decision.revision_id).update(approved_at=decision.at)


class Migration(migrations.Migration):
    dependencies = [("requisitions", "0003_decision_category")]

    operations = [
        migrations.AddField(
            model_name="revision",
            name="approved_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(date_approvals, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("state__in", ["changes_requested", "estimating", "in_approval", "in_review"])
                ),
                fields=("requisition",),
                name="one_revision_under_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "approved")),
                fields=("requisition",),
                name="one_approved_revision",
            ),
        ),
    ]
