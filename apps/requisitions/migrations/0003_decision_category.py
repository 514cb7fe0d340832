"""What kind of redirect or rejection a decision is, beside its words.

The gate used to keep the name of its advice in place of the words.
"""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

_ADVICE = {"rag-first": "rag", "inference": "inference", "pilot-first": "pilot"}


def name_the_advice(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    redirects = apps.get_model("requisitions", "Decision").objects.filter(kind="redirect")
    for words, category in _ADVICE.items():
        redirects.filter(comment=words).update(comment="", category=category)


def put_it_back(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    redirects = apps.get_model("requisitions", "Decision").objects.filter(kind="redirect")
    for words, category in _ADVICE.items():
        redirects.filter(comment="", category=category).update(comment=words)


class Migration(migrations.Migration):
    dependencies = [("requisitions", "0002_frozen_answers")]

    operations = [
        migrations.AddField(
            model_name="decision",
            name="category",
            field=models.CharField(blank=True, default="", max_length=20),
        ),
        migrations.RunPython(name_the_advice, put_it_back),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("category", ""),
                    models.Q(
                        ("category__in", ["rag", "inference", "pilot", "cloud"]),
                        ("kind", "redirect"),
                    ),
                    models.Q(
                        (
                            "category__in",
                            ["no-data", "infeasible", "out-of-scope", "duplicate", "other"],
                        ),
                        ("kind", "reject"),
                    ),
                    _connector="OR",
                ),
                name="decision_category_fits",
            ),
        ),
    ]
