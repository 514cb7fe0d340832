"""Note which items of the catalog the assessments so far name."""

import json

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def note_uses(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    assessment_model = apps.get_model("estimation", "Assessment")
    use_model = apps.get_model("catalog", "Use")
    for assessment in assessment_model.objects.iterator(chunk_size=50):
        variants = json.loads(assessment.result_text).get("variants") or ()
        named = {v[part] for v in variants for part in ("server", "accelerator") if v.get(part)}
        use_model.objects.bulk_create(
            [use_model(slug=slug, calculation=assessment.calculation_id) for slug in sorted(named)],
            ignore_conflicts=True,
        )


class Migration(migrations.Migration):
    dependencies = [
        ("estimation", "0001_initial"),
        ("catalog", "0001_initial"),
    ]

    operations = [migrations.RunPython(note_uses, migrations.RunPython.noop)]
