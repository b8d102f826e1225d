from django.db import migrations, models


class Migration(migrations.Migration):
    """Changes a table that triggers of other tables use: SQLite rebuilds it."""

    dependencies = [("tournaments", "0001_initial")]
    operations = [migrations.AlterField("tournament", "name", models.CharField(max_length=200, verbose_name="name"))]
