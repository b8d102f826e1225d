"""The colour of a club, and the mark by which pages name its logo."""

from hashlib import sha256

import django.core.validators
from django.db import migrations, models


def mark_logos(apps, schema_editor):
    for paper in apps.get_model("clubs", "ClubPaper").objects.exclude(logo=b"").select_related("club"):
        paper.club.logo_mark = sha256(bytes(paper.logo)).hexdigest()[:12]
        paper.club.save(update_fields=["logo_mark"])


class Migration(migrations.Migration):
    dependencies = [("clubs", "0005_parts_of_listed_names")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="colour",
            field=models.CharField(
                blank=True,
                help_text="Of the line at the top of the club's pages.",
                max_length=7,
                validators=[django.core.validators.RegexValidator("^#[0-9a-f]{6}\\Z")],
                verbose_name="colour",
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="logo_mark",
            field=models.CharField(blank=True, editable=False, max_length=12),
        ),
        migrations.AddField(
            model_name="club",
            name="shows_birthdays",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(mark_logos, migrations.RunPython.noop),
    ]
