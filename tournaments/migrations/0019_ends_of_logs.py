"""How far each log is sealed, kept beside it; for logs sealed before, as far as they are now."""

import django.db.models.deletion
from django.db import migrations, models


def keep_ends(apps, schema_editor):
    lines = apps.get_model("tournaments", "LogEntry").objects.filter(sealed__isnull=False).order_by()
    ends = {}
    for event, sealed in lines.values_list("tournament_id", "sealed").iterator():
        ends[event] = max(ends.get(event, (0, "")), (sealed["number"], sealed["seal"]))
    sealed_log = apps.get_model("tournaments", "SealedLog")
    sealed_log.objects.bulk_create(
        sealed_log(tournament_id=event, lines=number, seal=seal) for event, (number, seal) in ends.items()
    )


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0018_names_in_reports"),
    ]

    operations = [
        migrations.CreateModel(
            name="SealedLog",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lines", models.PositiveIntegerField()),
                ("seal", models.CharField(max_length=64)),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sealed_log",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.RunPython(keep_ends, migrations.RunPython.noop),
    ]
