from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_everybody_confirmed")]

    operations = [
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(is_active=False) | models.Q(confirmed_at__isnull=False),
                name="active_person_confirmed",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="language_chosen",
            field=models.BooleanField(default=False),
        ),
    ]
