import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from apps.core.searching import folded


def keep_titles(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """The one title there was stands for every language until the requisition is sent again."""
    rows = apps.get_model("requisitions", "Requisition").objects
    for row in rows.iterator():
        titles = {"ru": row.title, "en": row.title} if row.title else {}
        rows.filter(pk=row.pk).update(titles=titles, search_text=folded(row.search_text))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_everybody_confirmed"),
        ("requisitions", "0004_one_under_way"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="requisition",
            name="titles",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.RunPython(keep_titles, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name="requisition",
            name="title",
        ),
        migrations.AddField(
            model_name="revision",
            name="confirmation_asked_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="revision",
            name="on_behalf_of",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="revision",
            name="prepared_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="requisition",
            index=models.Index(fields=["company", "-created_at"], name="requisition_of_company"),
        ),
    ]
