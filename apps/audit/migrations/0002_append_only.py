from django.db import migrations

from apps.core.triggers import drop, refuse_update


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [
        migrations.RunPython(
            refuse_update("audit_auditevent", message="audit events never change"),
            drop("audit_auditevent"),
        ),
    ]
