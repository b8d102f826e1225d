"""Versions count publications: those that papers name already go on holding."""

from django.db import migrations, models
from django.db.models import F, Q


def keep_what_papers_name(apps, schema_editor):
    """A pairing that was published before goes on counting from the version its papers name."""
    rounds = apps.get_model("tournaments", "Round").objects
    shown = Q(state__in=["published", "finished"]) | Q(log__action="round published")
    keys = rounds.filter(shown).values_list("pk", flat=True).distinct()
    rounds.filter(pk__in=list(keys)).update(publications=F("version"))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_prizes_and_lots")]

    operations = [
        migrations.AddField(
            model_name="round",
            name="publications",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.RunPython(keep_what_papers_name, migrations.RunPython.noop),
    ]
