from django.db import migrations, models


class Migration(migrations.Migration):
    """Changes a table that guards of other tables name: SQLite builds it anew."""

    dependencies = [("tournaments", "0001_initial")]
    operations = [migrations.AlterField("tournament", "name", models.CharField(max_length=200, verbose_name="name"))]
