import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import tournaments.models.points
import tournaments.models.readings
from clubs.models.tables_at_once import TablesAtOnce


class Migration(migrations.Migration):
    replaces = [
        ("tournaments", "0001_initial"),
        ("tournaments", "0002_provisional_rounds"),
        ("tournaments", "0003_check_in_and_claims"),
        ("tournaments", "0004_prizes_and_lots"),
        ("tournaments", "0005_publications_of_rounds"),
        ("tournaments", "0006_dutch_2026"),
        ("tournaments", "0007_readings_of_events"),
        ("tournaments", "0008_lines_that_permit_changes"),
        ("tournaments", "0009_seals_of_the_log"),
        ("tournaments", "0010_decisions_where_no_round_exists"),
        ("tournaments", "0011_point_system"),
        ("tournaments", "0012_deleted_events"),
        ("tournaments", "0013_round_robin"),
        ("tournaments", "0014_systems_of_rounds_and_fide"),
        ("tournaments", "0015_prizes_that_are_things"),
        ("tournaments", "0016_telling_players"),
        ("tournaments", "0017_arbiters_and_byes_of_files"),
        ("tournaments", "0018_names_in_reports"),
        ("tournaments", "0019_ends_of_logs"),
    ]

    initial = True

    dependencies = [
        ("clubs", "0015_families_instalments_and_debits"),
    ]

    operations = [
        TablesAtOnce(
            operations=[
                migrations.CreateModel(
                    name="Entry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("tpn", models.PositiveIntegerField(blank=True, null=True, verbose_name="number")),
                        ("name", models.CharField(max_length=160, verbose_name="name")),
                        (
                            "title",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("GM", "Grandmaster"),
                                    ("IM", "International Master"),
                                    ("WGM", "Woman Grandmaster"),
                                    ("FM", "FIDE Master"),
                                    ("WIM", "Woman International Master"),
                                    ("CM", "Candidate Master"),
                                    ("WFM", "Woman FIDE Master"),
                                    ("WCM", "Woman Candidate Master"),
                                ],
                                max_length=3,
                                verbose_name="title",
                            ),
                        ),
                        (
                            "sex",
                            models.CharField(
                                blank=True, choices=[("w", "female"), ("m", "male")], max_length=1, verbose_name="sex"
                            ),
                        ),
                        ("rating", models.PositiveSmallIntegerField(default=0, verbose_name="rating")),
                        (
                            "rating_is_estimate",
                            models.BooleanField(default=False, verbose_name="rating is an estimate"),
                        ),
                        ("federation", models.CharField(blank=True, max_length=3, verbose_name="federation")),
                        ("club_name", models.CharField(blank=True, max_length=120, verbose_name="club")),
                        ("fide_id", models.CharField(blank=True, max_length=11, verbose_name="FIDE ID")),
                        ("birth", models.CharField(blank=True, max_length=10, verbose_name="birth date or year")),
                        (
                            "entered_in_round",
                            models.PositiveSmallIntegerField(default=1, verbose_name="plays from round"),
                        ),
                        (
                            "withdrawn_from_round",
                            models.PositiveSmallIntegerField(
                                blank=True, null=True, verbose_name="withdrawn from round"
                            ),
                        ),
                        ("remark", models.CharField(blank=True, max_length=160, verbose_name="remark")),
                        ("fictitious", models.JSONField(blank=True, default=list, editable=False)),
                        (
                            "member",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="clubs.member",
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="tournaments.tournament",
                            ),
                        ),
                        ("link_version", models.PositiveIntegerField(default=0, editable=False)),
                        ("lot", models.PositiveIntegerField(blank=True, editable=False, null=True, verbose_name="lot")),
                        ("report_name", models.CharField(blank=True, max_length=33, verbose_name="name in the report")),
                    ],
                    options={
                        "verbose_name_plural": "entries",
                        "ordering": ["tpn", "-rating", "name", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("tournament", "member"), name="entry_once_a_member"),
                            models.UniqueConstraint(fields=("tournament", "tpn"), name="entry_number_once"),
                            models.CheckConstraint(
                                condition=models.Q(("tpn__isnull", True), ("tpn__gte", 1), _connector="OR"),
                                name="entry_number_from_1",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("rating__lte", 3500)), name="entry_rating_in_range"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("name", ""), _negated=True), name="entry_has_a_name"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("entered_in_round__gte", 1)), name="entry_plays_from_a_round"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("withdrawn_from_round__isnull", True),
                                    ("withdrawn_from_round__gte", 1),
                                    _connector="OR",
                                ),
                                name="entry_withdrawn_from_a_round",
                            ),
                            models.UniqueConstraint(fields=("tournament", "lot"), name="entry_lot_once"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Series",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=120, verbose_name="name")),
                        (
                            "award",
                            models.CharField(
                                choices=[("places", "points for places"), ("score", "points scored in the games")],
                                default="places",
                                max_length=6,
                                verbose_name="an event brings",
                            ),
                        ),
                        ("place_points", models.JSONField(blank=True, default=list, verbose_name="points for places")),
                        (
                            "events_counted",
                            models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="best events counted"),
                        ),
                        (
                            "attendance_points",
                            models.PositiveSmallIntegerField(default=0, verbose_name="points for every evening played"),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="series", to="clubs.club"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "series",
                        "ordering": ["-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "name"), name="series_name_once_a_club"),
                            models.CheckConstraint(
                                condition=models.Q(("award__in", ["places", "score"])), name="series_award_known"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("events_counted__isnull", True), ("events_counted__gte", 1), _connector="OR"
                                ),
                                name="series_counts_an_event",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Tournament",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=120, verbose_name="name")),
                        ("slug", models.SlugField(verbose_name="address")),
                        (
                            "system",
                            models.CharField(
                                choices=[
                                    ("jahr", "Jahr's method (1981)"),
                                    ("fide-1989", "FIDE Swiss rules of 1987-89"),
                                    ("dutch-1992", "Dutch system of 1992"),
                                    ("dubov-1997", "Dubov system of 1997"),
                                    ("dutch-2026", "FIDE (Dutch) system of 2026"),
                                    ("round-robin", "Round robin (Berger tables)"),
                                ],
                                default="jahr",
                                max_length=12,
                                verbose_name="pairing system",
                            ),
                        ),
                        (
                            "procedure",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("fide-1989", "FIDE Swiss rules of 1987-89"),
                                    ("dutch-1992", "Dutch system of 1992"),
                                ],
                                max_length=12,
                                verbose_name="pairing procedure under Jahr's order",
                            ),
                        ),
                        (
                            "acceleration",
                            models.CharField(
                                choices=[
                                    ("none", "none"),
                                    ("progressive", "progressive acceleration"),
                                    ("baku", "Baku acceleration"),
                                ],
                                default="none",
                                max_length=12,
                                verbose_name="acceleration",
                            ),
                        ),
                        (
                            "group_limit_a",
                            models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="group A from"),
                        ),
                        (
                            "group_limit_c",
                            models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="group C below"),
                        ),
                        ("accelerated_players", models.PositiveIntegerField(blank=True, editable=False, null=True)),
                        (
                            "rounds_announced",
                            models.PositiveSmallIntegerField(
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(99),
                                ],
                                verbose_name="rounds",
                            ),
                        ),
                        (
                            "first_colour",
                            models.CharField(
                                choices=[("w", "White"), ("b", "Black")],
                                default="w",
                                max_length=1,
                                verbose_name="colour of number 1 in round 1",
                            ),
                        ),
                        ("starts_on", models.DateField(blank=True, null=True, verbose_name="begins on")),
                        ("ends_on", models.DateField(blank=True, null=True, verbose_name="ends on")),
                        ("city", models.CharField(blank=True, max_length=80, verbose_name="city")),
                        ("chief_arbiter", models.CharField(blank=True, max_length=120, verbose_name="chief arbiter")),
                        ("time_control", models.CharField(blank=True, max_length=80, verbose_name="time control")),
                        (
                            "rated_as",
                            models.CharField(
                                blank=True,
                                choices=[("standard", "standard"), ("rapid", "rapid"), ("blitz", "blitz")],
                                default="standard",
                                max_length=8,
                                verbose_name="counts for the club's rating",
                            ),
                        ),
                        (
                            "requested_bye_worth",
                            models.CharField(
                                choices=[("Z", "0 points"), ("H", "½ point")],
                                default="H",
                                max_length=1,
                                verbose_name="a requested bye is worth",
                            ),
                        ),
                        (
                            "requested_byes_allowed",
                            models.PositiveSmallIntegerField(default=2, verbose_name="requested byes a player"),
                        ),
                        (
                            "bye_in_last_round",
                            models.BooleanField(default=False, verbose_name="requested byes in the last round"),
                        ),
                        (
                            "late_entry_worth",
                            models.CharField(
                                choices=[("Z", "0 points"), ("H", "½ point")],
                                default="Z",
                                max_length=1,
                                verbose_name="a round missed before a late entry is worth",
                            ),
                        ),
                        ("tie_breaks", models.JSONField(blank=True, default=list, verbose_name="tie-breaks")),
                        ("report_lines", models.JSONField(blank=True, default=list, editable=False)),
                        ("keeps_numbers", models.BooleanField(default=False, editable=False)),
                        (
                            "is_public",
                            models.BooleanField(default=True, verbose_name="published rounds are open to everyone"),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="tournaments", to="clubs.club"
                            ),
                        ),
                        (
                            "series",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="events",
                                to="tournaments.series",
                                verbose_name="series",
                            ),
                        ),
                        (
                            "bye_deadline_hours",
                            models.PositiveSmallIntegerField(
                                default=0, verbose_name="byes are asked for up to (hours before)"
                            ),
                        ),
                        (
                            "players_check_in",
                            models.BooleanField(default=False, verbose_name="players check themselves in"),
                        ),
                        (
                            "players_report_results",
                            models.BooleanField(default=False, verbose_name="players report results by phone"),
                        ),
                        (
                            "readings",
                            models.JSONField(
                                blank=True,
                                default=dict,
                                editable=False,
                                validators=[tournaments.models.readings.check_readings],
                            ),
                        ),
                        (
                            "point_system",
                            models.CharField(
                                default="1-0.5-0",
                                max_length=24,
                                validators=[tournaments.models.points.check_point_system],
                                verbose_name="points for a win, a draw and a loss",
                            ),
                        ),
                        ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True)),
                        (
                            "deleted_by",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("earlier_systems", models.JSONField(blank=True, default=list, editable=False)),
                        ("fide_rated", models.BooleanField(default=False, verbose_name="is sent to FIDE for rating")),
                        (
                            "chief_arbiter_fide_id",
                            models.CharField(blank=True, max_length=11, verbose_name="chief arbiter's FIDE ID"),
                        ),
                        (
                            "deputy_arbiters",
                            models.TextField(blank=True, max_length=2000, verbose_name="deputy arbiters"),
                        ),
                    ],
                    options={
                        "ordering": ["-starts_on", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "slug"), name="tournament_address_once_a_club"),
                            models.CheckConstraint(
                                condition=models.Q(("acceleration__in", ["none", "progressive", "baku"])),
                                name="tournament_acceleration_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("starts_on__isnull", True),
                                    ("ends_on__isnull", True),
                                    ("ends_on__gte", models.F("starts_on")),
                                    _connector="OR",
                                ),
                                name="tournament_ends_after_it_begins",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("group_limit_a__isnull", True), ("group_limit_c__isnull", True)),
                                    ("group_limit_a__gt", models.F("group_limit_c")),
                                    _connector="OR",
                                ),
                                name="tournament_group_limits_in_order",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("rated_as__in", ["", "standard", "rapid", "blitz"])),
                                name="tournament_rated_as_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "system__in",
                                        ["jahr", "fide-1989", "dutch-1992", "dubov-1997", "dutch-2026", "round-robin"],
                                    )
                                ),
                                name="tournament_system_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("rounds_announced__range", (1, 99))),
                                name="tournament_rounds_in_range",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Round",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField(verbose_name="round")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "not paired yet"),
                                    ("draft", "draft"),
                                    ("published", "published"),
                                    ("finished", "finished"),
                                ],
                                default="waiting",
                                max_length=9,
                                verbose_name="state",
                            ),
                        ),
                        ("starts_at", models.DateTimeField(blank=True, null=True, verbose_name="begins at")),
                        ("paired_at", models.DateTimeField(blank=True, null=True)),
                        ("published_at", models.DateTimeField(blank=True, null=True)),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("scores", models.JSONField(blank=True, default=dict)),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rounds",
                                to="tournaments.tournament",
                            ),
                        ),
                        (
                            "provisional_until",
                            models.DateTimeField(blank=True, null=True, verbose_name="provisional until"),
                        ),
                        ("check_in_closed_at", models.DateTimeField(blank=True, null=True)),
                        ("publications", models.PositiveIntegerField(default=0, editable=False)),
                        (
                            "decision",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="tournaments.logentry",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("tournament", "number"), name="round_number_once"),
                            models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="round_number_from_1"),
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["waiting", "draft", "published", "finished"])),
                                name="round_state_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LogEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        ("action", models.CharField(max_length=40)),
                        ("details", models.JSONField(blank=True, default=dict)),
                        (
                            "actor",
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
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="log",
                                to="tournaments.round",
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="log",
                                to="tournaments.tournament",
                            ),
                        ),
                        (
                            "erasure",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="tournaments.logentry",
                            ),
                        ),
                        ("sealed", models.JSONField(blank=True, editable=False, null=True)),
                    ],
                    options={
                        "verbose_name_plural": "log",
                        "ordering": ["-at", "-pk"],
                    },
                ),
                migrations.CreateModel(
                    name="ForbiddenPair",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("from_round", models.PositiveSmallIntegerField(default=1, verbose_name="from round")),
                        ("to_round", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="to round")),
                        ("remark", models.CharField(blank=True, max_length=120, verbose_name="remark")),
                        (
                            "first",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                            ),
                        ),
                        (
                            "second",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="forbidden_pairs",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("tournament", "first", "second"), name="forbidden_pair_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("first__lt", models.F("second"))), name="forbidden_pair_in_order"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Game",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("board", models.PositiveIntegerField(verbose_name="board")),
                        (
                            "result",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("", "open"),
                                    ("1-0", "1-0"),
                                    ("1/2", "½-½"),
                                    ("0-1", "0-1"),
                                    ("+/-", "White wins by forfeit"),
                                    ("-/+", "Black wins by forfeit"),
                                    ("-/-", "both forfeit"),
                                    ("W/L", "1-0, not rated"),
                                    ("D/D", "½-½, not rated"),
                                    ("L/W", "0-1, not rated"),
                                    ("0-0", "0-0, both lose"),
                                    ("*", "adjourned"),
                                ],
                                default="",
                                max_length=3,
                                verbose_name="result",
                            ),
                        ),
                        ("revision", models.PositiveIntegerField(default=0)),
                        ("colours_drawn", models.BooleanField(default=True, editable=False)),
                        ("entered_at", models.DateTimeField(blank=True, null=True)),
                        ("reasons", models.JSONField(blank=True, default=list)),
                        (
                            "black",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="games_as_black",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "entered_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "white",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="games_as_white",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="games",
                                to="tournaments.round",
                            ),
                        ),
                        (
                            "correction",
                            models.OneToOneField(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="tournaments.logentry",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["board"],
                        "constraints": [
                            models.UniqueConstraint(fields=("round", "board"), name="game_board_once"),
                            models.UniqueConstraint(fields=("round", "white"), name="game_white_once"),
                            models.UniqueConstraint(fields=("round", "black"), name="game_black_once"),
                            models.CheckConstraint(
                                condition=models.Q(("white", models.F("black")), _negated=True), name="game_needs_two"
                            ),
                            models.CheckConstraint(condition=models.Q(("board__gte", 1)), name="game_board_from_1"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "result__in",
                                        ["", "1-0", "1/2", "0-1", "+/-", "-/+", "-/-", "W/L", "D/D", "L/W", "0-0", "*"],
                                    )
                                ),
                                name="game_result_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("colours_drawn", True), ("result__in", ["", "+/-", "-/+", "-/-"]), _connector="OR"
                                ),
                                name="game_played_has_colours",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Bye",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("U", "bye"),
                                    ("F", "full-point bye"),
                                    ("H", "half-point bye"),
                                    ("Z", "zero-point bye"),
                                    ("-", "absent"),
                                    ("+", "won without play"),
                                ],
                                max_length=1,
                                verbose_name="kind",
                            ),
                        ),
                        ("reasons", models.JSONField(blank=True, default=list)),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="byes", to="tournaments.entry"
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="byes", to="tournaments.round"
                            ),
                        ),
                        ("beside_another", models.BooleanField(default=False, editable=False)),
                    ],
                    options={
                        "ordering": ["round", "entry"],
                        "constraints": [
                            models.UniqueConstraint(fields=("round", "entry"), name="bye_once_a_round"),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["U", "F", "H", "Z", "-", "+"])), name="bye_kind_known"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("beside_another", False), ("kind", "U")),
                                fields=("round",),
                                name="pairing_allocated_bye_once_a_round",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CheckIn",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                blank=True,
                                choices=[("here", "here"), ("late", "on the way"), ("absent", "not here")],
                                max_length=6,
                                verbose_name="state",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("by_player", models.BooleanField(default=False)),
                        ("says_here_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="check_ins",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="check_ins",
                                to="tournaments.round",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["round", "entry"],
                        "constraints": [
                            models.UniqueConstraint(fields=("round", "entry"), name="check_in_once_a_round"),
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["", "here", "late", "absent"])),
                                name="check_in_state_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("state", ""), _negated=True),
                                    ("says_here_at__isnull", False),
                                    _connector="OR",
                                ),
                                name="check_in_says_something",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ResultClaim",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "result",
                            models.CharField(
                                choices=[("1-0", "1-0"), ("1/2", "½-½"), ("0-1", "0-1")],
                                max_length=3,
                                verbose_name="result",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="claims",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="claims",
                                to="tournaments.game",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["game", "at"],
                        "constraints": [
                            models.UniqueConstraint(fields=("game", "entry"), name="result_claim_once_a_player"),
                            models.CheckConstraint(
                                condition=models.Q(("result__in", ["1-0", "1/2", "0-1"])), name="result_claim_known"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SecondReading",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "result",
                            models.CharField(
                                choices=[
                                    ("", "open"),
                                    ("1-0", "1-0"),
                                    ("1/2", "½-½"),
                                    ("0-1", "0-1"),
                                    ("+/-", "White wins by forfeit"),
                                    ("-/+", "Black wins by forfeit"),
                                    ("-/-", "both forfeit"),
                                    ("W/L", "1-0, not rated"),
                                    ("D/D", "½-½, not rated"),
                                    ("L/W", "0-1, not rated"),
                                    ("0-0", "0-0, both lose"),
                                    ("*", "adjourned"),
                                ],
                                max_length=3,
                                verbose_name="result",
                            ),
                        ),
                        ("at", models.DateTimeField()),
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
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="second_reading",
                                to="tournaments.game",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "result__in",
                                        ["1-0", "1/2", "0-1", "+/-", "-/+", "-/-", "W/L", "D/D", "L/W", "0-0", "*"],
                                    )
                                ),
                                name="second_reading_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Prize",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("category", models.CharField(blank=True, max_length=20, verbose_name="category")),
                        ("place", models.PositiveSmallIntegerField(verbose_name="place")),
                        ("cents", models.PositiveIntegerField(default=0, verbose_name="amount")),
                        (
                            "fund",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="prizes",
                                to="tournaments.prizefund",
                            ),
                        ),
                        ("thing", models.CharField(blank=True, max_length=80, verbose_name="thing")),
                    ],
                    options={
                        "ordering": ["category", "place"],
                        "constraints": [
                            models.UniqueConstraint(fields=("fund", "category", "place"), name="prize_once_a_place"),
                            models.CheckConstraint(condition=models.Q(("place__gte", 1)), name="prize_place_from_1"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("cents__gte", 1), models.Q(("thing", ""), _negated=True), _connector="OR"
                                ),
                                name="prize_worth_something",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PrizeFund",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "sharing",
                            models.CharField(
                                choices=[
                                    ("place", "not shared: everybody has the prize of his place"),
                                    ("equally", "shared equally by those with equal points"),
                                    ("hort", "by Hort: half by place, half shared by those with equal points"),
                                ],
                                default="place",
                                max_length=7,
                                verbose_name="equal points",
                            ),
                        ),
                        (
                            "one_prize_each",
                            models.BooleanField(
                                default=True, verbose_name="one prize a player, the greatest he has a claim to"
                            ),
                        ),
                        ("is_published", models.BooleanField(default=False, verbose_name="published")),
                        (
                            "tournament",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="prize_fund",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("sharing__in", ["place", "equally", "hort"])),
                                name="prize_sharing_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MessageWay",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "channel",
                            models.CharField(choices=[("mail", "e-mail"), ("push", "notification")], max_length=4),
                        ),
                        ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail")),
                        ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                        ("endpoint", models.TextField(blank=True)),
                        ("endpoint_mark", models.CharField(blank=True, max_length=64)),
                        ("p256dh", models.CharField(blank=True, max_length=120)),
                        ("auth", models.CharField(blank=True, max_length=40)),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("language", models.CharField(blank=True, max_length=10)),
                        ("site", models.CharField(max_length=200)),
                        (
                            "pairings",
                            models.BooleanField(default=False, verbose_name="my pairing is published or changed"),
                        ),
                        (
                            "results",
                            models.BooleanField(default=False, verbose_name="my result is disputed or changed"),
                        ),
                        ("evenings", models.BooleanField(default=False, verbose_name="a reminder before the evening")),
                        (
                            "links",
                            models.BooleanField(
                                default=True, verbose_name="my personal link, when the club hands it out"
                            ),
                        ),
                        ("made_at", models.DateTimeField(auto_now_add=True)),
                        ("last_told_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "entry",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="message_ways",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "member",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="message_ways",
                                to="clubs.member",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "ways of being told",
                        "ordering": ["pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("entry__isnull", True), ("member__isnull", False)),
                                    models.Q(("entry__isnull", False), ("member__isnull", True)),
                                    _connector="OR",
                                ),
                                name="message_way_of_one",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("channel", "mail"), ("endpoint", "")),
                                    models.Q(
                                        ("channel", "push"),
                                        ("email", ""),
                                        models.Q(("endpoint_mark", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="message_way_whole",
                            ),
                            models.UniqueConstraint(
                                fields=("member", "endpoint_mark"), name="message_way_once_a_member"
                            ),
                            models.UniqueConstraint(fields=("entry", "endpoint_mark"), name="message_way_once_a_guest"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Message",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("pairing", "pairing"),
                                    ("result", "result"),
                                    ("evening", "reminder of the evening"),
                                    ("link", "personal link"),
                                ],
                                max_length=7,
                            ),
                        ),
                        ("about", models.CharField(max_length=60)),
                        ("facts", models.JSONField(blank=True, default=dict)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "waiting"),
                                    ("claimed", "being sent"),
                                    ("handed", "handed over, answer not heard"),
                                    ("sent", "sent"),
                                    ("failed", "not delivered"),
                                    ("dropped", "no longer true"),
                                ],
                                default="waiting",
                                max_length=7,
                                verbose_name="state",
                            ),
                        ),
                        ("claim", models.CharField(blank=True, max_length=32)),
                        ("claimed_at", models.DateTimeField(blank=True, null=True)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("due_at", models.DateTimeField()),
                        ("give_up_at", models.DateTimeField()),
                        ("error", models.CharField(blank=True, max_length=200)),
                        ("letter", models.CharField(blank=True, max_length=32)),
                        ("made_at", models.DateTimeField(auto_now_add=True)),
                        ("sent_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="messages",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="messages",
                                to="tournaments.round",
                            ),
                        ),
                        (
                            "way",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="messages",
                                to="tournaments.messageway",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "claimed"])),
                                fields=["due_at"],
                                name="message_to_be_sent",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("way", "entry", "about"), name="message_once_a_way"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("state__in", ["waiting", "claimed", "handed", "sent", "failed", "dropped"])
                                ),
                                name="message_state_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["pairing", "result", "evening", "link"])),
                                name="message_kind_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SealedLog",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
            ],
        ),
    ]
