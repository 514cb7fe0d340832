"""Whoever has an account so far was let in by hand; what the lists search in is filled."""

from django.db import migrations
from django.db.models import F

from apps.core.searching import folded


def fill(apps, schema_editor):
    user_model = apps.get_model("accounts", "User")
    user_model.objects.update(confirmed_at=F("date_joined"))
    for user in user_model.objects.iterator():
        user.search_text = folded(f"{user.full_name} {user.email}")
        user.save(update_fields=["search_text"])
    for company in apps.get_model("accounts", "Company").objects.iterator():
        company.search_text = folded(company.name)
        company.save(update_fields=["search_text"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_entrance")]

    # Rows only: PostgreSQL alters no table in the transaction that has changed its rows.
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
