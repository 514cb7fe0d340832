from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_language_chosen")]

    operations = [
        migrations.AddField(
            model_name="signup",
            name="next_path",
            field=models.CharField(blank=True, default="", max_length=500),
        ),
        migrations.AddField(
            model_name="invitation",
            name="next_path",
            field=models.CharField(blank=True, default="", max_length=500),
        ),
    ]
