from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="job",
            name="postponed",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
