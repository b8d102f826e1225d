import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from clubs.models.tables_at_once import TablesAtOnce


class Migration(migrations.Migration):
    replaces = [
        ("pairing", "0001_keep_every_step_of_a_pairing"),
        ("pairing", "0002_pair_on_trial"),
        ("pairing", "0003_causes_of_steps"),
        ("pairing", "0004_messages_in_the_hall"),
        ("pairing", "0005_ways_out"),
        ("pairing", "0006_what_is_printed"),
        ("pairing", "0007_habits_of_events"),
    ]

    initial = True

    dependencies = [
        ("clubs", "0018_ratings_due"),
        ("tournaments", "0017_arbiters_and_byes_of_files"),
    ]

    operations = [
        TablesAtOnce(
            operations=[
                migrations.CreateModel(
                    name="RestorePoint",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("is_paired", models.BooleanField()),
                        ("boards", models.JSONField(default=list)),
                        ("byes", models.JSONField(default=list)),
                        ("unpaired", models.JSONField(default=list)),
                        ("scores", models.JSONField(default=dict)),
                        ("numbers", models.JSONField(default=dict)),
                        ("accelerated_players", models.PositiveIntegerField(null=True)),
                        ("paired_at", models.DateTimeField(null=True)),
                        (
                            "cause",
                            models.CharField(
                                choices=[
                                    ("found", "as it was found"),
                                    ("paired", "paired by the system"),
                                    ("swapped", "two players swapped"),
                                    ("colours", "colours turned"),
                                    ("moved", "a board put at another place"),
                                    ("pair removed", "a pair removed"),
                                    ("pair made", "a pair made"),
                                    ("bye given", "the bye given"),
                                    ("bye taken", "the bye taken away"),
                                    ("player out", "a player taken out"),
                                    ("player in", "a player put in"),
                                    ("discarded", "draft discarded"),
                                    ("unpublished", "taken back after publishing"),
                                    ("adopted", "taken over from a trial pairing"),
                                    ("session", "changed by hand"),
                                    ("restored", "restored"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="restore_points",
                                to="tournaments.round",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                    },
                ),
                migrations.CreateModel(
                    name="PairingStep",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("is_paired", models.BooleanField()),
                        ("boards", models.JSONField(default=list)),
                        ("byes", models.JSONField(default=list)),
                        ("unpaired", models.JSONField(default=list)),
                        ("scores", models.JSONField(default=dict)),
                        ("numbers", models.JSONField(default=dict)),
                        ("accelerated_players", models.PositiveIntegerField(null=True)),
                        ("paired_at", models.DateTimeField(null=True)),
                        (
                            "cause",
                            models.CharField(
                                choices=[
                                    ("found", "as it was found"),
                                    ("paired", "paired by the system"),
                                    ("swapped", "two players swapped"),
                                    ("colours", "colours turned"),
                                    ("moved", "a board put at another place"),
                                    ("pair removed", "a pair removed"),
                                    ("pair made", "a pair made"),
                                    ("bye given", "the bye given"),
                                    ("bye taken", "the bye taken away"),
                                    ("player out", "a player taken out"),
                                    ("player in", "a player put in"),
                                    ("discarded", "draft discarded"),
                                    ("unpublished", "taken back after publishing"),
                                    ("adopted", "taken over from a trial pairing"),
                                    ("session", "changed by hand"),
                                    ("restored", "restored"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        ("number", models.PositiveIntegerField()),
                        ("is_current", models.BooleanField(default=False)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="steps",
                                to="tournaments.round",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("round", "number"), name="pairing_step_number_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("is_current", True)),
                                fields=("round",),
                                name="pairing_step_one_current_a_round",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="EditingSession",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("began_at", models.DateTimeField(auto_now_add=True)),
                        ("last_seen_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="editing_sessions",
                                to="tournaments.round",
                            ),
                        ),
                        (
                            "taken_over_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "began_from",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="pairing.restorepoint",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("round",),
                                name="editing_session_one_open_a_round",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Proposal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("base_version", models.PositiveIntegerField()),
                        ("ground", models.CharField(max_length=64)),
                        ("absent", models.JSONField(default=list)),
                        ("present", models.JSONField(default=list)),
                        ("boards", models.JSONField(default=list)),
                        ("bye", models.JSONField(null=True)),
                        ("scores", models.JSONField(default=dict)),
                        (
                            "state",
                            models.CharField(
                                choices=[("open", "open"), ("adopted", "adopted"), ("discarded", "discarded")],
                                default="open",
                                max_length=9,
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "correction",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="tournaments.logentry",
                            ),
                        ),
                        (
                            "job",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="proposal",
                                to="clubs.job",
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="proposals",
                                to="tournaments.round",
                            ),
                        ),
                        ("relief", models.CharField(blank=True, max_length=10)),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["open", "adopted", "discarded"])),
                                name="proposal_state_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="HallMessage",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("text", models.CharField(max_length=160, verbose_name="message")),
                        ("until", models.DateTimeField()),
                        (
                            "tournament",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="hall_message",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="PaperHabit",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("document", models.CharField(max_length=40)),
                        ("options", models.JSONField(default=dict)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="paper_habits",
                                to="clubs.club",
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="paper_habits",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("tournament", None)),
                                fields=("club", "document"),
                                name="paper_habit_once",
                            ),
                            models.UniqueConstraint(
                                fields=("tournament", "document"), name="paper_habit_once_an_event"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Printing",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("document", models.CharField(max_length=40)),
                        ("round_number", models.PositiveSmallIntegerField(default=0)),
                        ("edition", models.CharField(max_length=64)),
                        ("printed_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "printed_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="printings",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("tournament", "document", "round_number"), name="printing_once"
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
