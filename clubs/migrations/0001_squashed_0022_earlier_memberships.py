import uuid

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import clubs.models.folded
import clubs.models.name_parts
import clubs.models.never_changes
import clubs.models.people
from clubs.models.tables_at_once import TablesAtOnce


class Migration(migrations.Migration):
    replaces = [
        ("clubs", "0001_initial"),
        ("clubs", "0002_keys_for_results"),
        ("clubs", "0003_jobs_that_are_watched"),
        ("clubs", "0004_papers_of_clubs"),
        ("clubs", "0005_parts_of_listed_names"),
        ("clubs", "0006_colour_and_logo_of_clubs"),
        ("clubs", "0007_bank_and_books"),
        ("clubs", "0008_lists_by_month"),
        ("clubs", "0009_calendar_key"),
        ("clubs", "0010_accounts"),
        ("clubs", "0011_languages_by_folder"),
        ("clubs", "0012_runs_of_chores"),
        ("clubs", "0013_link_of_a_person"),
        ("clubs", "0014_web_sites_and_search_engines"),
        ("clubs", "0015_families_instalments_and_debits"),
        ("clubs", "0016_working_files"),
        ("clubs", "0017_lists_fetched_by_themselves"),
        ("clubs", "0018_ratings_due"),
        ("clubs", "0019_split_lines_and_guest_fees"),
        ("clubs", "0020_clubs_of_members_and_games_before"),
        ("clubs", "0021_count_ratings_anew"),
        ("clubs", "0022_earlier_memberships"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        TablesAtOnce(
            operations=[
                migrations.CreateModel(
                    name="Club",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=120, verbose_name="name")),
                        ("slug", models.SlugField(unique=True, verbose_name="address")),
                        ("city", models.CharField(blank=True, max_length=80, verbose_name="city")),
                        (
                            "federation",
                            models.CharField(
                                blank=True,
                                help_text="Three letters, such as POL.",
                                max_length=3,
                                verbose_name="federation",
                            ),
                        ),
                        (
                            "language",
                            models.CharField(
                                choices=clubs.models.people.languages,
                                default="en",
                                max_length=10,
                                verbose_name="language",
                            ),
                        ),
                        (
                            "email",
                            models.EmailField(
                                blank=True,
                                help_text="Answers to reminders go here.",
                                max_length=254,
                                verbose_name="e-mail",
                            ),
                        ),
                        (
                            "currency",
                            models.CharField(
                                default="EUR",
                                help_text="Three letters, such as EUR, PLN or CZK.",
                                max_length=3,
                                validators=[django.core.validators.RegexValidator("^[A-Z]{3}\\Z")],
                                verbose_name="currency",
                            ),
                        ),
                        ("bank_account", models.CharField(blank=True, max_length=60, verbose_name="bank account")),
                        (
                            "guest_nights_allowed",
                            models.PositiveSmallIntegerField(default=3, verbose_name="guest nights before joining"),
                        ),
                        (
                            "result_keys",
                            models.CharField(
                                choices=[
                                    ("score", "1 5 0, the score of White"),
                                    ("order", "1 2 3, as they stand on the page"),
                                    ("letters", "W D B, the words' first letters"),
                                ],
                                default="score",
                                max_length=7,
                                verbose_name="keys for results",
                            ),
                        ),
                        (
                            "colour",
                            models.CharField(
                                blank=True,
                                help_text="Of the line at the top of the club's pages.",
                                max_length=7,
                                validators=[django.core.validators.RegexValidator("^#[0-9a-f]{6}\\Z")],
                                verbose_name="colour",
                            ),
                        ),
                        ("logo_mark", models.CharField(blank=True, editable=False, max_length=12)),
                        ("shows_birthdays", models.BooleanField(default=False)),
                        ("calendar_key", models.UUIDField(default=uuid.uuid4, editable=False)),
                        (
                            "bye_deadline_hours",
                            models.PositiveSmallIntegerField(
                                default=0, verbose_name="byes are asked for up to (hours before)"
                            ),
                        ),
                        (
                            "bye_in_last_round",
                            models.BooleanField(default=False, verbose_name="requested byes in the last round"),
                        ),
                        ("is_demo", models.BooleanField(default=False, editable=False)),
                        (
                            "officers_need_second_step",
                            models.BooleanField(default=False, verbose_name="officers sign in with a second step"),
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
                        ("time_zone", models.CharField(blank=True, max_length=64, verbose_name="time zone")),
                        ("frame_origins", models.JSONField(blank=True, default=list, editable=False)),
                        (
                            "in_search_engines",
                            models.BooleanField(
                                default=False,
                                help_text="With the names that stand in them. Without it they are found by their links alone.",
                                verbose_name="search engines may list the public events",
                            ),
                        ),
                        (
                            "creditor_id",
                            models.CharField(blank=True, max_length=35, verbose_name="creditor identifier"),
                        ),
                        (
                            "guest_night_fee",
                            models.PositiveIntegerField(default=0, verbose_name="fee of a guest night"),
                        ),
                    ],
                    options={
                        "ordering": ["name"],
                    },
                ),
                migrations.CreateModel(
                    name="ListedPlayer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.CharField(max_length=20, verbose_name="ID")),
                        ("name", models.CharField(max_length=120, verbose_name="name")),
                        ("federation", models.CharField(blank=True, max_length=3, verbose_name="federation")),
                        ("sex", models.CharField(blank=True, max_length=1, verbose_name="sex")),
                        ("title", models.CharField(blank=True, max_length=3, verbose_name="title")),
                        (
                            "birth_year",
                            models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="birth year"),
                        ),
                        ("standard", models.PositiveSmallIntegerField(default=0, verbose_name="standard")),
                        ("rapid", models.PositiveSmallIntegerField(default=0, verbose_name="rapid")),
                        ("blitz", models.PositiveSmallIntegerField(default=0, verbose_name="blitz")),
                        ("standard_seen", models.PositiveIntegerField(default=0)),
                        ("rapid_seen", models.PositiveIntegerField(default=0)),
                        ("blitz_seen", models.PositiveIntegerField(default=0)),
                        (
                            "register",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="players",
                                to="clubs.ratingregister",
                            ),
                        ),
                        ("searched", models.CharField(default="", editable=False, max_length=240)),
                        ("blitz_k", models.PositiveSmallIntegerField(default=0)),
                        ("is_inactive", models.BooleanField(default=False, verbose_name="inactive")),
                        ("rapid_k", models.PositiveSmallIntegerField(default=0)),
                        ("standard_k", models.PositiveSmallIntegerField(default=0)),
                    ],
                    options={
                        "ordering": ["name", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("register", "number"), name="listed_player_number_once"),
                            clubs.models.name_parts.FoundByParts(column="searched", name="listed_player_parts"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="User",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                        (
                            "is_superuser",
                            models.BooleanField(
                                default=False,
                                help_text="Designates that this user has all permissions without explicitly assigning them.",
                                verbose_name="superuser status",
                            ),
                        ),
                        (
                            "username",
                            models.CharField(
                                error_messages={"unique": "A user with that username already exists."},
                                help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                                max_length=150,
                                unique=True,
                                validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                                verbose_name="username",
                            ),
                        ),
                        ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                        ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                        ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                        (
                            "is_staff",
                            models.BooleanField(
                                default=False,
                                help_text="Designates whether the user can log into this admin site.",
                                verbose_name="staff status",
                            ),
                        ),
                        (
                            "is_active",
                            models.BooleanField(
                                default=True,
                                help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                                verbose_name="active",
                            ),
                        ),
                        (
                            "date_joined",
                            models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                        ),
                        (
                            "groups",
                            models.ManyToManyField(
                                blank=True,
                                help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.group",
                                verbose_name="groups",
                            ),
                        ),
                        (
                            "user_permissions",
                            models.ManyToManyField(
                                blank=True,
                                help_text="Specific permissions for this user.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.permission",
                                verbose_name="user permissions",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "user",
                        "verbose_name_plural": "users",
                        "abstract": False,
                    },
                    managers=[
                        ("objects", django.contrib.auth.models.UserManager()),
                    ],
                ),
                migrations.CreateModel(
                    name="Group",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=60, verbose_name="name")),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="groups", to="clubs.club"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "name"), name="group_name_once_a_club")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Job",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("task", models.CharField(max_length=100)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "waiting"),
                                    ("running", "running"),
                                    ("done", "done"),
                                    ("failed", "failed"),
                                    ("cancelled", "cancelled"),
                                ],
                                default="waiting",
                                max_length=9,
                                verbose_name="state",
                            ),
                        ),
                        ("done", models.PositiveBigIntegerField(default=0)),
                        ("total", models.PositiveBigIntegerField(default=0)),
                        ("error", models.TextField(blank=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("started_at", models.DateTimeField(blank=True, null=True)),
                        ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
                        ("finished_at", models.DateTimeField(blank=True, null=True)),
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
                            "club",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="jobs",
                                to="clubs.club",
                            ),
                        ),
                        ("arguments", models.JSONField(blank=True, default=dict)),
                        ("attempt", models.PositiveSmallIntegerField(default=0)),
                        ("cancel_asked", models.BooleanField(default=False)),
                        ("key", models.CharField(blank=True, max_length=100)),
                        ("language", models.CharField(blank=True, max_length=10)),
                        ("result", models.JSONField(blank=True, default=dict)),
                        ("sent_at", models.DateTimeField(blank=True, null=True)),
                        ("stage", models.CharField(blank=True, max_length=40)),
                        ("time_limit", models.PositiveIntegerField(blank=True, null=True)),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["state"],
                                name="job_unfinished",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("state__in", ["waiting", "running", "done", "failed", "cancelled"])
                                ),
                                name="job_state_known",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(
                                    ("state__in", ["waiting", "running"]), models.Q(("key", ""), _negated=True)
                                ),
                                fields=("task", "key"),
                                name="job_unfinished_once_a_key",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Member",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("applicant", "applicant"),
                                    ("member", "member"),
                                    ("guest", "guest"),
                                    ("honorary", "honorary member"),
                                    ("former", "former member"),
                                ],
                                default="member",
                                max_length=9,
                                verbose_name="status",
                            ),
                        ),
                        ("added_on", models.DateField(auto_now_add=True, verbose_name="added on")),
                        ("joined_on", models.DateField(blank=True, null=True, verbose_name="joined on")),
                        ("left_on", models.DateField(blank=True, null=True, verbose_name="left on")),
                        ("family_name", models.CharField(max_length=80, verbose_name="family name")),
                        ("given_name", models.CharField(blank=True, max_length=80, verbose_name="given name")),
                        (
                            "sort_name",
                            clubs.models.folded.SortingName(blank=True, default="", editable=False, max_length=640),
                        ),
                        (
                            "search_name",
                            clubs.models.folded.SearchedName(blank=True, default="", editable=False, max_length=640),
                        ),
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
                        (
                            "rating",
                            models.PositiveSmallIntegerField(
                                default=0,
                                validators=[django.core.validators.MaxValueValidator(3500)],
                                verbose_name="rating",
                            ),
                        ),
                        (
                            "rating_is_estimate",
                            models.BooleanField(default=False, verbose_name="rating is an estimate"),
                        ),
                        ("federation", models.CharField(blank=True, max_length=3, verbose_name="federation")),
                        ("fide_id", models.PositiveIntegerField(blank=True, null=True, verbose_name="FIDE ID")),
                        ("national_id", models.CharField(blank=True, max_length=20, verbose_name="national ID")),
                        ("birth_date", models.DateField(blank=True, null=True, verbose_name="birth date")),
                        (
                            "birth_year",
                            clubs.models.folded.BirthYear(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(1900),
                                    django.core.validators.MaxValueValidator(2100),
                                ],
                                verbose_name="birth year",
                            ),
                        ),
                        ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail")),
                        ("phone", models.CharField(blank=True, max_length=40, verbose_name="telephone")),
                        ("address", models.TextField(blank=True, max_length=300, verbose_name="address")),
                        ("guardian_name", models.CharField(blank=True, max_length=160, verbose_name="guardian")),
                        (
                            "guardian_email",
                            models.EmailField(blank=True, max_length=254, verbose_name="guardian's e-mail"),
                        ),
                        (
                            "guardian_phone",
                            models.CharField(blank=True, max_length=40, verbose_name="guardian's telephone"),
                        ),
                        (
                            "photo_consent",
                            models.CharField(
                                blank=True,
                                choices=[("", "not asked"), ("yes", "given"), ("no", "refused")],
                                max_length=3,
                                verbose_name="photographs",
                            ),
                        ),
                        (
                            "photo_consent_on",
                            models.DateField(blank=True, null=True, verbose_name="photographs: asked on"),
                        ),
                        (
                            "publication_consent",
                            models.CharField(
                                blank=True,
                                choices=[("", "not asked"), ("yes", "given"), ("no", "refused")],
                                max_length=3,
                                verbose_name="name and results published",
                            ),
                        ),
                        (
                            "publication_consent_on",
                            models.DateField(blank=True, null=True, verbose_name="publication: asked on"),
                        ),
                        (
                            "emergency_note",
                            models.TextField(blank=True, max_length=500, verbose_name="in an emergency"),
                        ),
                        (
                            "no_reminders",
                            models.BooleanField(default=False, verbose_name="wants no reminders by e-mail"),
                        ),
                        ("erased_at", models.DateTimeField(blank=True, editable=False, null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="members", to="clubs.club"
                            ),
                        ),
                        (
                            "groups",
                            models.ManyToManyField(
                                blank=True, related_name="members", to="clubs.group", verbose_name="groups"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="members",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("link_version", models.PositiveIntegerField(default=0, editable=False)),
                        (
                            "family_payer",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="family",
                                to="clubs.member",
                                verbose_name="family: pays with",
                            ),
                        ),
                        ("came_from", models.CharField(blank=True, max_length=120, verbose_name="came from the club")),
                        (
                            "games_before",
                            models.PositiveSmallIntegerField(
                                blank=True, null=True, verbose_name="rated games before he came"
                            ),
                        ),
                        ("went_to", models.CharField(blank=True, max_length=120, verbose_name="went to the club")),
                    ],
                    options={
                        "ordering": ["sort_name", "pk"],
                        "indexes": [
                            models.Index(fields=["club", "search_name"], name="member_found_by"),
                            models.Index(fields=["club", "sort_name"], name="member_sorted_by"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("fide_id__isnull", False)),
                                fields=("club", "fide_id"),
                                name="member_fide_id_once_a_club",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("national_id", ""), _negated=True),
                                fields=("club", "national_id"),
                                name="member_national_id_once_a_club",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("user__isnull", False)),
                                fields=("club", "user"),
                                name="member_once_a_log_in",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("rating__lte", 3500)), name="member_rating_in_range"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("family_name", ""), _negated=True), name="member_has_a_name"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("status__in", ["applicant", "member", "guest", "honorary", "former"])
                                ),
                                name="member_status_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("photo_consent", ""), ("photo_consent_on__isnull", False), _connector="OR"
                                ),
                                name="member_photo_consent_dated",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("publication_consent", ""),
                                    ("publication_consent_on__isnull", False),
                                    _connector="OR",
                                ),
                                name="member_publication_consent_dated",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="GuestNight",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("on", models.DateField(verbose_name="date")),
                        (
                            "member",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="guest_nights",
                                to="clubs.member",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-on"],
                        "constraints": [models.UniqueConstraint(fields=("member", "on"), name="guest_night_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Account",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "member",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="accounts", to="clubs.member"
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="MemberRating",
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
                                choices=[("standard", "standard"), ("rapid", "rapid"), ("blitz", "blitz")],
                                max_length=8,
                                verbose_name="kind",
                            ),
                        ),
                        ("month", models.DateField(verbose_name="month")),
                        ("before", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="before")),
                        ("after", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="after")),
                        ("factor", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="K")),
                        ("games", models.JSONField(default=list)),
                        ("state", models.JSONField(default=dict)),
                        (
                            "member",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="club_ratings",
                                to="clubs.member",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["kind", "month", "member"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("member", "kind", "month"), name="member_rating_once_a_month"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["standard", "rapid", "blitz"])),
                                name="member_rating_kind_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Membership",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("secretary", "secretary"),
                                    ("arbiter", "arbiter"),
                                    ("treasurer", "treasurer"),
                                    ("member", "member"),
                                ],
                                max_length=12,
                                verbose_name="role",
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="clubs.club"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "club", "role"), name="membership_once_a_role"),
                            models.CheckConstraint(
                                condition=models.Q(("role__in", ["secretary", "arbiter", "treasurer", "member"])),
                                name="membership_role_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingRegister",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=60, verbose_name="name")),
                        (
                            "scale",
                            models.CharField(
                                choices=[
                                    ("elo", "Elo"),
                                    ("ingo", "INGO: 2840 − 8 × INGO"),
                                    ("bcf", "BCF: 600 + 8 × BCF"),
                                ],
                                default="elo",
                                max_length=4,
                                verbose_name="scale",
                            ),
                        ),
                        ("columns", models.JSONField(blank=True, default=dict)),
                        (
                            "club",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="registers",
                                to="clubs.club",
                            ),
                        ),
                        ("months", models.JSONField(blank=True, default=dict, editable=False)),
                        ("fetch_mark", models.CharField(blank=True, editable=False, max_length=200)),
                        ("fetch_said", models.CharField(blank=True, editable=False, max_length=300)),
                        ("fetched_at", models.DateTimeField(blank=True, editable=False, null=True)),
                        ("fetched_from", models.CharField(blank=True, max_length=300)),
                    ],
                    options={
                        "ordering": ["name"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "name"), name="register_name_once_a_club"),
                            models.UniqueConstraint(
                                condition=models.Q(("club", None)), fields=("name",), name="register_for_all_name_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("scale__in", ["elo", "ingo", "bcf"])), name="register_scale_known"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingListImport",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("filename", models.CharField(max_length=160, verbose_name="file")),
                        ("path", models.CharField(max_length=400)),
                        (
                            "kind",
                            models.CharField(
                                blank=True,
                                choices=[("standard", "standard"), ("rapid", "rapid"), ("blitz", "blitz")],
                                max_length=8,
                                verbose_name="kind",
                            ),
                        ),
                        ("line", models.PositiveIntegerField(default=0)),
                        ("players", models.PositiveIntegerField(default=0)),
                        ("problems", models.JSONField(default=list)),
                        ("skipped", models.PositiveIntegerField(default=0)),
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
                            "job",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="rating_list", to="clubs.job"
                            ),
                        ),
                        (
                            "register",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="imports",
                                to="clubs.ratingregister",
                            ),
                        ),
                        ("history_only", models.BooleanField(default=False)),
                        ("month", models.DateField(blank=True, null=True, verbose_name="list of")),
                        ("replaces_newer", models.BooleanField(default=False)),
                    ],
                    options={
                        "ordering": ["-pk"],
                    },
                ),
                migrations.CreateModel(
                    name="RatingScheme",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "method",
                            models.CharField(
                                choices=[
                                    ("fide", "FIDE's rules of 2024"),
                                    ("glicko-2", "Glicko-2"),
                                    ("none", "no ratings of its own"),
                                ],
                                default="fide",
                                max_length=8,
                                verbose_name="method",
                            ),
                        ),
                        (
                            "club",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rating_scheme",
                                to="clubs.club",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("method__in", ["fide", "glicko-2", "none"])),
                                name="rating_method_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Reminder",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("on", models.DateField(verbose_name="date")),
                        ("amount", models.PositiveIntegerField(verbose_name="amount")),
                        ("sent_to", models.EmailField(max_length=254, verbose_name="to")),
                        (
                            "state",
                            models.CharField(
                                choices=[("sending", "being sent"), ("sent", "sent"), ("failed", "not sent")],
                                default="sending",
                                max_length=7,
                                verbose_name="state",
                            ),
                        ),
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
                            "member",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="reminders", to="clubs.member"
                            ),
                        ),
                        ("level", models.PositiveSmallIntegerField(default=1, verbose_name="level")),
                    ],
                    options={
                        "ordering": ["-on", "-pk"],
                        "constraints": [models.UniqueConstraint(fields=("member", "on"), name="reminder_once_a_day")],
                    },
                ),
                migrations.CreateModel(
                    name="SavedView",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=60, verbose_name="name")),
                        ("filters", models.JSONField(default=dict)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="saved_views", to="clubs.club"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="saved_views",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name"],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "club", "name"), name="saved_view_name_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Season",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=40, verbose_name="name")),
                        ("starts_on", models.DateField(verbose_name="begins on")),
                        ("ends_on", models.DateField(verbose_name="ends on")),
                        ("due_on", models.DateField(verbose_name="dues to be paid by")),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="seasons", to="clubs.club"
                            ),
                        ),
                        ("ages_on", models.DateField(blank=True, null=True, verbose_name="ages counted on")),
                        (
                            "instalments",
                            models.PositiveSmallIntegerField(
                                choices=[(1, "1"), (2, "2"), (3, "3"), (4, "4"), (6, "6"), (12, "12")],
                                default=1,
                                verbose_name="instalments",
                            ),
                        ),
                        (
                            "part_counts_by",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("", "the whole amount"),
                                    ("half", "for each half begun"),
                                    ("month", "for each month begun"),
                                ],
                                max_length=6,
                                verbose_name="joining or leaving within it",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-starts_on", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "name"), name="season_name_once_a_club"),
                            models.CheckConstraint(
                                condition=models.Q(("ends_on__gte", models.F("starts_on"))),
                                name="season_ends_after_it_begins",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("instalments__in", (1, 2, 3, 4, 6, 12))),
                                name="season_instalments_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LedgerEntry",
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
                                    ("due", "due"),
                                    ("payment", "payment"),
                                    ("refund", "refund"),
                                    ("waiver", "waiver"),
                                ],
                                max_length=7,
                                verbose_name="kind",
                            ),
                        ),
                        ("amount", models.IntegerField(verbose_name="amount")),
                        ("booked_on", models.DateField(verbose_name="date")),
                        ("due_on", models.DateField(blank=True, null=True, verbose_name="to be paid by")),
                        ("text", models.CharField(blank=True, max_length=160, verbose_name="text")),
                        (
                            "method",
                            models.CharField(
                                blank=True,
                                choices=[("cash", "cash"), ("transfer", "transfer")],
                                max_length=8,
                                verbose_name="method",
                            ),
                        ),
                        ("reference", models.CharField(blank=True, max_length=140, verbose_name="reference")),
                        ("receipt_year", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("receipt_number", models.PositiveIntegerField(blank=True, null=True)),
                        ("reason", models.CharField(blank=True, max_length=160, verbose_name="reason")),
                        ("entered_at", models.DateTimeField(auto_now_add=True)),
                        ("form_key", models.UUIDField(editable=False, null=True, unique=True)),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="ledger", to="clubs.account"
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="ledger", to="clubs.club"
                            ),
                        ),
                        (
                            "corrects",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="corrected_by",
                                to="clubs.ledgerentry",
                            ),
                        ),
                        (
                            "entered_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "season",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ledger",
                                to="clubs.season",
                            ),
                        ),
                        (
                            "on_behalf_of",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="charged_to_others",
                                to="clubs.account",
                            ),
                        ),
                        ("guest_night_on", models.DateField(blank=True, null=True)),
                    ],
                    options={
                        "verbose_name_plural": "ledger",
                        "ordering": ["pk"],
                        "constraints": [
                            clubs.models.never_changes.NeverChanges(name="ledger_is_final"),
                            models.UniqueConstraint(
                                fields=("club", "receipt_year", "receipt_number"), name="receipt_number_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["due", "payment", "refund", "waiver"])),
                                name="ledger_kind_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("amount__gt", 0),
                                        ("corrects__isnull", True),
                                        ("reason", ""),
                                        models.Q(("kind", "waiver"), _negated=True),
                                    ),
                                    models.Q(
                                        ("amount__gt", 0),
                                        ("corrects__isnull", True),
                                        ("kind", "waiver"),
                                        models.Q(("reason", ""), _negated=True),
                                    ),
                                    models.Q(
                                        ("amount__lt", 0),
                                        ("corrects__isnull", False),
                                        models.Q(("reason", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="ledger_taken_back_with_a_reason",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("kind__in", ["due", "waiver"]),
                                        ("method", ""),
                                        ("receipt_number__isnull", True),
                                        ("receipt_year__isnull", True),
                                    ),
                                    models.Q(
                                        ("kind__in", ["payment", "refund"]),
                                        ("method__in", ["cash", "transfer"]),
                                        ("receipt_number__gte", 1),
                                        ("receipt_number__isnull", False),
                                        ("receipt_year__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="ledger_payments_have_receipts",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="FeeClass",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("place", models.PositiveSmallIntegerField(default=1, verbose_name="order")),
                        ("name", models.CharField(max_length=60, verbose_name="name")),
                        ("amount", models.PositiveIntegerField(verbose_name="amount")),
                        (
                            "status",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("applicant", "applicant"),
                                    ("member", "member"),
                                    ("guest", "guest"),
                                    ("honorary", "honorary member"),
                                    ("former", "former member"),
                                ],
                                max_length=9,
                                verbose_name="status",
                            ),
                        ),
                        ("from_age", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="from age")),
                        ("to_age", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="to age")),
                        (
                            "season",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="fee_classes",
                                to="clubs.season",
                            ),
                        ),
                        (
                            "family",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("", "everyone"),
                                    ("first", "the first of a family"),
                                    ("next", "further ones of a family"),
                                ],
                                max_length=5,
                                verbose_name="family",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["place", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("season", "name"), name="fee_class_name_once_a_season"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("from_age__isnull", True),
                                    ("to_age__isnull", True),
                                    ("to_age__gte", models.F("from_age")),
                                    _connector="OR",
                                ),
                                name="fee_class_ages_in_order",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Viewing",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        (
                            "what",
                            models.CharField(
                                choices=[
                                    ("contact", "contact"),
                                    ("emergency", "emergency note"),
                                    ("money", "account"),
                                    ("list export", "list exported"),
                                    ("data export", "data exported"),
                                    ("change", "changed"),
                                    ("merge", "merged"),
                                    ("erasure", "erased"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("details", models.JSONField(blank=True, default=dict)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="viewings", to="clubs.club"
                            ),
                        ),
                        (
                            "member",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="viewings",
                                to="clubs.member",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "indexes": [models.Index(fields=["club", "-at"], name="viewing_latest")],
                    },
                ),
                migrations.CreateModel(
                    name="ClubPaper",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("header", models.CharField(blank=True, max_length=100, verbose_name="line at the top")),
                        ("footer", models.CharField(blank=True, max_length=120, verbose_name="line at the bottom")),
                        (
                            "language",
                            models.CharField(
                                blank=True,
                                choices=clubs.models.people.languages,
                                max_length=10,
                                verbose_name="language of papers",
                            ),
                        ),
                        (
                            "size",
                            models.CharField(
                                choices=[("a4", "A4"), ("letter", "Letter")],
                                default="a4",
                                max_length=6,
                                verbose_name="paper",
                            ),
                        ),
                        ("logo", models.BinaryField(blank=True, default=bytes)),
                        (
                            "club",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="paper", to="clubs.club"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "club papers",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("size__in", ["a4", "letter"])), name="club_paper_size_known"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BankLine",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("own_account", models.CharField(blank=True, max_length=34, verbose_name="account")),
                        ("booked_on", models.DateField(verbose_name="date")),
                        ("amount", models.IntegerField(verbose_name="amount")),
                        ("party", models.CharField(blank=True, max_length=140, verbose_name="name")),
                        (
                            "party_account",
                            models.CharField(blank=True, max_length=34, verbose_name="account of the other side"),
                        ),
                        ("text", models.CharField(blank=True, max_length=500, verbose_name="text")),
                        (
                            "bank_reference",
                            models.CharField(blank=True, max_length=140, verbose_name="the bank's reference"),
                        ),
                        ("identity", models.CharField(editable=False, max_length=64)),
                        ("place", models.PositiveSmallIntegerField(default=1, editable=False)),
                        ("left_aside", models.CharField(blank=True, max_length=160, verbose_name="left aside because")),
                        ("kept_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="bank_lines", to="clubs.club"
                            ),
                        ),
                        (
                            "entry",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="bank_line",
                                to="clubs.ledgerentry",
                            ),
                        ),
                        (
                            "kept_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "booking",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="bank_line",
                                to="clubs.bookentry",
                            ),
                        ),
                        (
                            "part_of",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="parts",
                                to="clubs.bankline",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["booked_on", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "identity", "place"), name="bank_line_once"),
                            models.CheckConstraint(
                                condition=models.Q(("amount", 0), _negated=True), name="bank_line_of_something"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BankTable",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("headings", models.CharField(max_length=1000)),
                        ("columns", models.JSONField(default=dict)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="bank_tables", to="clubs.club"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "headings"), name="bank_table_once_a_club")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BookAccount",
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
                                    ("cash", "cash"),
                                    ("bank", "bank account"),
                                    ("income", "income"),
                                    ("expense", "expense"),
                                    ("opening", "opening balances"),
                                ],
                                max_length=7,
                                verbose_name="kind",
                            ),
                        ),
                        ("name", models.CharField(max_length=60, verbose_name="name")),
                        ("iban", models.CharField(blank=True, max_length=34, verbose_name="account number")),
                        ("begins_on", models.DateField(blank=True, null=True, verbose_name="begins on")),
                        ("is_for_dues", models.BooleanField(default=False, editable=False)),
                        ("is_closed", models.BooleanField(default=False, verbose_name="not used any more")),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="book_accounts",
                                to="clubs.club",
                            ),
                        ),
                        ("is_for_guests", models.BooleanField(default=False, editable=False)),
                    ],
                    options={
                        "ordering": ["kind", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "kind", "name"), name="book_account_name_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("is_for_dues", True)),
                                fields=("club",),
                                name="book_account_for_dues_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("kind", "opening")),
                                fields=("club",),
                                name="book_account_opening_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["cash", "bank", "income", "expense", "opening"])),
                                name="book_account_kind_known",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("is_for_guests", True)),
                                fields=("club",),
                                name="book_account_for_guests_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BookEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("year", models.PositiveSmallIntegerField()),
                        ("number", models.PositiveIntegerField()),
                        ("on", models.DateField(verbose_name="date")),
                        ("amount", models.PositiveIntegerField(verbose_name="amount")),
                        ("party", models.CharField(blank=True, max_length=140, verbose_name="from or to whom")),
                        ("text", models.CharField(blank=True, max_length=160, verbose_name="text")),
                        ("reason", models.CharField(blank=True, max_length=160, verbose_name="reason")),
                        ("entered_at", models.DateTimeField(auto_now_add=True)),
                        ("form_key", models.UUIDField(editable=False, null=True, unique=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="book_entries",
                                to="clubs.club",
                            ),
                        ),
                        (
                            "corrects",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="corrected_by",
                                to="clubs.bookentry",
                            ),
                        ),
                        (
                            "entered_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "ledger_entry",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="book_entry",
                                to="clubs.ledgerentry",
                            ),
                        ),
                        (
                            "source",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries_from",
                                to="clubs.bookaccount",
                            ),
                        ),
                        (
                            "target",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries_to",
                                to="clubs.bookaccount",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "book entries",
                        "ordering": ["year", "number"],
                        "constraints": [
                            clubs.models.never_changes.NeverChanges(name="books_are_final"),
                            models.UniqueConstraint(fields=("club", "year", "number"), name="book_entry_number_once"),
                            models.CheckConstraint(
                                condition=models.Q(("amount__gt", 0)), name="book_entry_of_something"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("source", models.F("target")), _negated=True),
                                name="book_entry_between_two",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("corrects__isnull", True), models.Q(("reason", ""), _negated=True), _connector="OR"
                                ),
                                name="book_entry_taken_back_with_a_reason",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Budget",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("year", models.PositiveSmallIntegerField()),
                        ("amount", models.PositiveIntegerField(verbose_name="amount")),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="budgets",
                                to="clubs.bookaccount",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("account", "year"), name="budget_once_a_year")],
                    },
                ),
                migrations.CreateModel(
                    name="Voucher",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("filename", models.CharField(max_length=160, verbose_name="file")),
                        ("kind", models.CharField(max_length=4)),
                        ("data", models.BinaryField()),
                        ("digest", models.CharField(editable=False, max_length=64)),
                        ("added_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "added_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="vouchers",
                                to="clubs.bookentry",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("entry", "digest"), name="voucher_once_an_entry"),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["pdf", "png", "jpeg"])), name="voucher_kind_known"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="YearStep",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("year", models.PositiveSmallIntegerField()),
                        ("closes", models.BooleanField()),
                        ("reason", models.CharField(blank=True, max_length=160, verbose_name="reason")),
                        ("figures", models.JSONField(default=dict)),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="year_steps", to="clubs.club"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            clubs.models.never_changes.NeverChanges(name="year_steps_are_final"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("closes", True), models.Q(("reason", ""), _negated=True), _connector="OR"
                                ),
                                name="year_reopened_with_a_reason",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MemberListing",
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
                                choices=[("standard", "standard"), ("rapid", "rapid"), ("blitz", "blitz")],
                                max_length=8,
                                verbose_name="kind",
                            ),
                        ),
                        ("month", models.DateField(verbose_name="month")),
                        ("rating", models.PositiveSmallIntegerField(default=0, verbose_name="rating")),
                        ("factor", models.PositiveSmallIntegerField(default=0, verbose_name="K")),
                        ("is_inactive", models.BooleanField(default=False, verbose_name="inactive")),
                        (
                            "member",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="listings", to="clubs.member"
                            ),
                        ),
                        (
                            "register",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="listings",
                                to="clubs.ratingregister",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-month", "register", "kind"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("member", "register", "kind", "month"), name="member_listed_once_a_month"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["standard", "rapid", "blitz"])),
                                name="member_listing_kind_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SignInTries",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.CharField(max_length=64, unique=True)),
                        ("failures", models.PositiveIntegerField(default=0)),
                        ("last_at", models.DateTimeField()),
                    ],
                    options={
                        "verbose_name_plural": "sign-in tries",
                    },
                ),
                migrations.CreateModel(
                    name="ClubRequest",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=120, verbose_name="name of the club")),
                        ("city", models.CharField(blank=True, max_length=80, verbose_name="city")),
                        ("asked_by", models.CharField(max_length=160, verbose_name="your name")),
                        ("email", models.EmailField(max_length=254, verbose_name="e-mail")),
                        ("words", models.TextField(blank=True, max_length=1000, verbose_name="anything else")),
                        ("language", models.CharField(blank=True, max_length=8)),
                        (
                            "state",
                            models.CharField(
                                choices=[("open", "open"), ("made", "made"), ("refused", "refused")],
                                default="open",
                                max_length=7,
                            ),
                        ),
                        ("asked_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "club",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="clubs.club",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["asked_at", "pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["open", "made", "refused"])),
                                name="club_request_state_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Invitation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("secretary", "secretary"),
                                    ("arbiter", "arbiter"),
                                    ("treasurer", "treasurer"),
                                    ("member", "member"),
                                ],
                                max_length=12,
                                verbose_name="role",
                            ),
                        ),
                        ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail")),
                        ("is_for_many", models.BooleanField(default=False, verbose_name="for several people")),
                        ("secret", models.CharField(editable=False, max_length=32)),
                        ("made_at", models.DateTimeField(auto_now_add=True)),
                        ("expires_at", models.DateTimeField()),
                        ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                        ("times_used", models.PositiveIntegerField(default=0)),
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
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="clubs.club"
                            ),
                        ),
                        (
                            "member",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to="clubs.member",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-made_at", "-pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("role__in", ["secretary", "arbiter", "treasurer", "member"])),
                                name="invitation_role_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("is_for_many", False),
                                    models.Q(("member", None), ("role", "member")),
                                    _connector="OR",
                                ),
                                name="invitation_for_many_members_only",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ChoreRun",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=40, unique=True)),
                        ("due_at", models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name="CollectedDue",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("mandate_reference", models.CharField(max_length=35)),
                        ("signed_on", models.DateField()),
                        ("holder", models.CharField(max_length=70)),
                        ("iban", models.CharField(max_length=34)),
                        ("amount", models.PositiveIntegerField(verbose_name="amount")),
                        (
                            "entry",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="collected_by",
                                to="clubs.ledgerentry",
                            ),
                        ),
                        (
                            "member",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="collected", to="clubs.member"
                            ),
                        ),
                        (
                            "collection",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="lines", to="clubs.collection"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="collected_something")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Collection",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("collected_on", models.DateField(verbose_name="collected on")),
                        ("made_at", models.DateTimeField(auto_now_add=True)),
                        ("form_key", models.UUIDField(editable=False, unique=True)),
                        ("taken_back_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="collections", to="clubs.club"
                            ),
                        ),
                        (
                            "made_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                    },
                ),
                migrations.CreateModel(
                    name="Mandate",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "reference",
                            models.CharField(
                                max_length=35,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "^[A-Za-z0-9+?/:().,'-]+\\Z", "Letters, figures and + ? / : ( ) . , ' - only."
                                    )
                                ],
                                verbose_name="reference of the mandate",
                            ),
                        ),
                        ("holder", models.CharField(max_length=70, verbose_name="holder of the account")),
                        ("iban", models.CharField(max_length=34, verbose_name="account (IBAN)")),
                        ("signed_on", models.DateField(verbose_name="signed on")),
                        ("ended_on", models.DateField(blank=True, null=True, verbose_name="ended on")),
                        (
                            "member",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="mandates", to="clubs.member"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-signed_on", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_on", None)), fields=("member",), name="one_mandate_holds"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("ended_on", None), ("ended_on__gte", models.F("signed_on")), _connector="OR"
                                ),
                                name="mandate_ends_after_it_was_signed",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReminderWords",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("level", models.PositiveSmallIntegerField(verbose_name="level")),
                        ("subject", models.CharField(max_length=120, verbose_name="subject")),
                        ("text", models.TextField(max_length=3000, verbose_name="text")),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reminder_words",
                                to="clubs.club",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["level"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "level"), name="reminder_words_once_a_level")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WorkingFile",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("shelf", models.CharField(max_length=20)),
                        ("name", models.CharField(max_length=100)),
                        ("size", models.PositiveBigIntegerField()),
                        ("used_at", models.DateTimeField()),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("shelf", "name"), name="working_file_once")],
                    },
                ),
                migrations.CreateModel(
                    name="WorkingPiece",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("data", models.BinaryField()),
                        (
                            "file",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pieces",
                                to="clubs.workingfile",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("file", "number"), name="working_piece_once")],
                    },
                ),
                migrations.CreateModel(
                    name="RatingsDue",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("since", models.DateField(null=True)),
                        ("mark", models.UUIDField()),
                        ("sent_at", models.DateTimeField()),
                        (
                            "club",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="ratings_due", to="clubs.club"
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="BankBalance",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("own_account", models.CharField(max_length=34)),
                        ("on", models.DateField(verbose_name="date")),
                        ("amount", models.IntegerField(verbose_name="amount")),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="bank_balances",
                                to="clubs.club",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-on", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("club", "own_account", "on"), name="bank_balance_once_a_day"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MemberSpell",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("joined_on", models.DateField(blank=True, null=True, verbose_name="joined on")),
                        ("left_on", models.DateField(verbose_name="left on")),
                        ("came_from", models.CharField(blank=True, max_length=120, verbose_name="came from the club")),
                        ("went_to", models.CharField(blank=True, max_length=120, verbose_name="went to the club")),
                        (
                            "member",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="spells", to="clubs.member"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["left_on"],
                        "constraints": [
                            models.UniqueConstraint(fields=("member", "left_on"), name="member_spell_ends_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("joined_on__isnull", True),
                                    ("joined_on__lte", models.F("left_on")),
                                    _connector="OR",
                                ),
                                name="member_spell_in_order",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
