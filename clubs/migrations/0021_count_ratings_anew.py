"""What a rating is computed from has become another (K of members who came with a published rating): all are due."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from django.db import migrations

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""Sent so long ago that it was forgotten: the next chore takes it up."""


def mark_as_due(apps, _schema_editor):
    club = apps.get_model("clubs", "Club")
    due = apps.get_model("clubs", "RatingsDue")
    rated = club.objects.filter(members__club_ratings__isnull=False).distinct()
    due.objects.bulk_create(
        [due(club=each, since=None, mark=uuid.uuid4(), sent_at=LONG_AGO) for each in rated.iterator()],
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):
    dependencies = [("clubs", "0020_clubs_of_members_and_games_before")]

    operations = [migrations.RunPython(mark_as_due, migrations.RunPython.noop)]
