"""Users, clubs, roles and members."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import date
from urllib.parse import urlencode
from zoneinfo import available_timezones

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.derived_fields import BirthYearField, SearchNameField, SortNameField
from common.text.colours import check_colour_contrast
from common.text.reserved_slugs import check_club_slug


def language_choices() -> list[tuple[str, str]]:
    """Return the languages with a folder in `locale/`, as pairs of code and native name."""
    return list(settings.LANGUAGES)


class FideTitle(models.TextChoices):
    """FIDE titles, highest first (the order of the starting list: GM, IM, WGM, FM, WIM, CM, WFM, WCM)."""

    GM = "GM", _("Grandmaster")
    IM = "IM", _("International Master")
    WGM = "WGM", _("Woman Grandmaster")
    FM = "FM", _("FIDE Master")
    WIM = "WIM", _("Woman International Master")
    CM = "CM", _("Candidate Master")
    WFM = "WFM", _("Woman FIDE Master")
    WCM = "WCM", _("Woman Candidate Master")


class User(AbstractUser):
    """A person who can sign in."""


class ResultKeyLayout(models.TextChoices):
    """The keys for entering a White win, a draw and a Black win."""

    SCORE = "score", _("1, 5, 0 (White's score)")
    ORDER = "order", _("1, 2, 3 (in the order on the page)")
    LETTERS = "letters", _("W, D, B (White wins, draw, Black wins)")


def time_zone_choices() -> list[tuple[str, str]]:
    """Return the names of the world's time zones, such as `Europe/Warsaw`."""
    return [(name, name) for name in sorted(available_timezones()) if "/" in name and not name.startswith("Etc/")]


class Club(models.Model):
    """A chess club."""

    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), unique=True)
    city = models.CharField(_("city"), max_length=80, blank=True)
    federation = models.CharField(_("federation"), max_length=3, blank=True, help_text=_("3 letters, such as POL."))
    language = models.CharField(_("language"), max_length=10, choices=language_choices, default="en")
    email = models.EmailField(
        _("email"), blank=True, help_text=_("On the club's page. Replies to the club's emails go here too.")
    )
    currency = models.CharField(
        _("currency"),
        max_length=3,
        default="EUR",
        validators=[RegexValidator(r"^[A-Z]{3}\Z")],
        help_text=_("3 letters, such as EUR, PLN or CZK."),
    )
    bank_account = models.CharField(_("bank account"), max_length=60, blank=True)
    creditor_id = models.CharField(_("creditor identifier"), max_length=35, blank=True)
    """The creditor ID for SEPA direct debit. Empty if the club does not use it."""
    guest_nights_allowed = models.PositiveSmallIntegerField(_("guest nights allowed before joining"), default=3)
    guest_night_fee = models.PositiveIntegerField(_("guest fee"), default=0)
    """In cents. 0 means that guests pay nothing."""
    calendar_key = models.UUIDField(default=uuid.uuid4, editable=False)
    """Identifies the club's events in calendar apps, even if the server moves."""
    result_keys = models.CharField(
        _("keys for entering results"), max_length=7, choices=ResultKeyLayout, default=ResultKeyLayout.SCORE
    )
    colour = models.CharField(
        _("colour"),
        max_length=7,
        blank=True,
        validators=[RegexValidator(r"^#[0-9a-f]{6}\Z")],
        help_text=_("For the bar at the top of the club's pages."),
    )
    shows_birthdays = models.BooleanField(default=False)
    """Show birthdays on the officers' home page."""
    logo_mark = models.CharField(max_length=12, blank=True, editable=False)
    """The start of the logo's digest, used in its URL. Empty if there is no logo."""
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    """Empty for the server's time zone."""
    officers_need_two_factor = models.BooleanField(_("require two-factor authentication for officers"), default=False)
    frame_origins = models.JSONField(default=list, blank=True, editable=False)
    """Websites that may embed the club's public events, such as `https://www.example.org`. Empty for none."""
    in_search_engines = models.BooleanField(
        _("let search engines list public events"),
        default=False,
        help_text=_("This includes players' names. If it's off, people need a link to find the events."),
    )
    is_demo = models.BooleanField(default=False, editable=False)
    """A demo club with made-up data, kept apart from the others."""
    requested_bye_worth = models.CharField(
        _("points for a requested bye"), max_length=1, choices=[("Z", _("0 points")), ("H", _("½ point"))], default="H"
    )
    requested_byes_allowed = models.PositiveSmallIntegerField(_("requested byes per player"), default=2)
    bye_in_last_round = models.BooleanField(_("allow requested byes in the last round"), default=False)
    bye_deadline_hours = models.PositiveSmallIntegerField(
        _("deadline for answers and byes (hours before the round)"), default=1
    )
    """The bye rules that new events start with."""
    takes_applications = models.BooleanField(_("people can apply for membership online"), default=False)
    membership_rules_url = models.URLField(_("link to the club's rules"), blank=True)
    membership_welcome = models.TextField(_("text for new members"), max_length=2000, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        check_club_slug(self.slug)
        if self.colour:
            try:
                check_colour_contrast(self.colour)
            except ValidationError as error:
                raise ValidationError({"colour": error.messages}) from error


class Role(models.TextChoices):
    """A user's role in a club."""

    SECRETARY = "secretary", _("secretary")
    ARBITER = "arbiter", _("arbiter")
    TREASURER = "treasurer", _("treasurer")
    MEMBER = "member", _("member")


class Membership(models.Model):
    """A user's role in a club. A user with several roles has a row for each."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=12, choices=Role)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "club", "role"], name="membership_once_a_role"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()}, {self.club})"


class MemberGroup(models.Model):
    """A group of members, such as juniors or the first team."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(_("name"), max_length=60)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="group_name_once_a_club")]

    def __str__(self) -> str:
        return self.name


class MemberQuerySet(models.QuerySet["Member"]):
    def exclude_former(self) -> MemberQuerySet:
        """Exclude former members."""
        return self.exclude(status=Member.Status.FORMER)

    def filter_by_name(self, words: Iterable[str]) -> MemberQuerySet:
        """Return members whose names contain every word (see `name_search.split_search_words`)."""
        found = self
        for word in words:
            found = found.filter(search_name__contains=word)
        return found


ADULT_AGE = 18


class Member(models.Model):
    """A person in the club's records, with or without an account.

    docs/secretary/personal-data.md says who may see what.
    """

    class Sex(models.TextChoices):
        FEMALE = "w", _("female")
        MALE = "m", _("male")

    class Status(models.TextChoices):
        APPLICANT = "applicant", _("applicant")
        MEMBER = "member", _("member")
        GUEST = "guest", _("guest")
        HONORARY = "honorary", _("honorary member")
        FORMER = "former", _("former member")

    class Consent(models.TextChoices):
        NOT_ASKED = "", _("not asked")
        GIVEN = "yes", _("given")
        REFUSED = "no", _("refused")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="members")
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="members")
    status = models.CharField(_("status"), max_length=9, choices=Status, default=Status.MEMBER)
    added_on = models.DateField(_("added on"), auto_now_add=True)
    joined_on = models.DateField(_("joined on"), null=True, blank=True)
    left_on = models.DateField(_("left on"), null=True, blank=True)
    came_from = models.CharField(_("previous club"), max_length=120, blank=True)
    went_to = models.CharField(_("new club"), max_length=120, blank=True)
    groups = models.ManyToManyField(MemberGroup, blank=True, related_name="members", verbose_name=_("groups"))
    family_name = models.CharField(_("family name"), max_length=80)
    given_name = models.CharField(_("given name"), max_length=80, blank=True)
    sort_name = SortNameField()
    search_name = SearchNameField()
    title = models.CharField(_("title"), max_length=3, choices=FideTitle, blank=True)
    sex = models.CharField(_("sex"), max_length=1, choices=Sex, blank=True)
    rating = models.PositiveSmallIntegerField(_("rating"), default=0, validators=[MaxValueValidator(3500)])
    rating_is_estimate = models.BooleanField(_("rating is an estimate"), default=False)
    games_before = models.PositiveSmallIntegerField(_("rated games before joining"), null=True, blank=True)
    """Rated games played before, while the K factor is still a new player's. Empty: 30 with a published rating, else
    none.
    """
    federation = models.CharField(_("federation"), max_length=3, blank=True)
    fide_id = models.PositiveIntegerField(_("FIDE ID"), null=True, blank=True)
    national_id = models.CharField(_("national ID"), max_length=20, blank=True)
    birth_date = models.DateField(_("birth date"), null=True, blank=True)
    birth_year = BirthYearField(
        _("birth year"), null=True, blank=True, validators=[MinValueValidator(1900), MaxValueValidator(2100)]
    )
    email = models.EmailField(_("email"), blank=True)
    phone = models.CharField(_("phone"), max_length=40, blank=True)
    language = models.CharField(_("language"), max_length=10, choices=language_choices, blank=True)
    """For emails. Empty for the club's language."""
    address = models.TextField(_("address"), max_length=300, blank=True)
    guardian_name = models.CharField(_("guardian"), max_length=160, blank=True)
    guardian_email = models.EmailField(_("guardian's email"), blank=True)
    guardian_phone = models.CharField(_("guardian's phone"), max_length=40, blank=True)
    photo_consent = models.CharField(_("photos"), max_length=3, choices=Consent, blank=True)
    photo_consent_on = models.DateField(_("date asked about photos"), null=True, blank=True)
    publication_consent = models.CharField(_("publishing name and results"), max_length=3, choices=Consent, blank=True)
    publication_consent_on = models.DateField(_("date asked about publication"), null=True, blank=True)
    emergency_note = models.TextField(_("emergency note"), max_length=500, blank=True)
    no_reminders = models.BooleanField(_("no email reminders"), default=False)
    family_payer = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="family",
        verbose_name=_("dues paid by"),
    )
    """The family member whose account is charged. A payer cannot have a payer."""
    link_version = models.PositiveIntegerField(default=0, editable=False)
    """Increases when the member's personal link is renewed, so that older links stop working (`personal_links`)."""
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    """The time when the personal data was erased."""

    objects = MemberQuerySet.as_manager()

    class Meta:
        ordering = ["sort_name", "pk"]
        indexes = [
            models.Index(fields=["club", "search_name"], name="member_found_by"),
            models.Index(fields=["club", "sort_name"], name="member_sorted_by"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "fide_id"], condition=Q(fide_id__isnull=False), name="member_fide_id_once_a_club"
            ),
            models.UniqueConstraint(
                fields=["club", "national_id"], condition=~Q(national_id=""), name="member_national_id_once_a_club"
            ),
            models.UniqueConstraint(
                fields=["club", "user"], condition=Q(user__isnull=False), name="member_once_a_log_in"
            ),
            models.CheckConstraint(condition=Q(rating__lte=3500), name="member_rating_in_range"),
            models.CheckConstraint(condition=~Q(family_name=""), name="member_has_a_name"),
            models.CheckConstraint(
                condition=Q(status__in=["applicant", "member", "guest", "honorary", "former"]),
                name="member_status_known",
            ),
            models.CheckConstraint(
                condition=Q(photo_consent="") | Q(photo_consent_on__isnull=False), name="member_photo_consent_dated"
            ),
            models.CheckConstraint(
                condition=Q(publication_consent="") | Q(publication_consent_on__isnull=False),
                name="member_publication_consent_dated",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name as in starting lists: family name, given name."""
        return f"{self.family_name}, {self.given_name}" if self.given_name else self.family_name

    @property
    def is_active(self) -> bool:
        """True if the member is offered when players are chosen."""
        return self.status != self.Status.FORMER

    @property
    def birth_date_or_year(self) -> str:
        """The birth date or, if unknown, the year: 2011-03-28 or 2011."""
        return self.birth_date.isoformat() if self.birth_date else str(self.birth_year or "")

    def age_on(self, day: date) -> int | None:
        """Return the age in years. If only the birth year is known, return the age reached within that year."""
        if self.birth_date is not None:
            return (
                day.year - self.birth_date.year - ((day.month, day.day) < (self.birth_date.month, self.birth_date.day))
            )
        return day.year - self.birth_year if self.birth_year else None

    def contact_email_on(self, day: date) -> str:
        """Return the address for emails: for minors, the guardian's if known. Empty if there is none."""
        age = self.age_on(day)
        is_minor = age is not None and age < ADULT_AGE
        return (is_minor and self.guardian_email) or self.email

    def guardian_email_on(self, day: date) -> str:
        """Return the guardian's address, unless the member is an adult. Empty if there is none."""
        age = self.age_on(day)
        return self.guardian_email if age is None or age < ADULT_AGE else ""


class SavedMemberFilter(models.Model):
    """A user's saved filters for the member list."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="saved_views")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="saved_views")
    name = models.CharField(_("name"), max_length=60)
    filters = models.JSONField(default=dict)
    """The values of the page's form."""

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["user", "club", "name"], name="saved_view_name_once")]

    def __str__(self) -> str:
        return self.name

    @property
    def query_string(self) -> str:
        """The filters as a query string."""
        return f"?{urlencode(self.filters)}"


class PersonalDataAccess(models.Model):
    """A log entry: a user viewed, exported or changed personal data. Entries about a whole list have no member."""

    class DataAccessKind(models.TextChoices):
        CONTACT = "contact", _("contact")
        EMERGENCY = "emergency", _("emergency note")
        MONEY = "money", _("account")
        LIST_EXPORT = "list export", _("list exported")
        DATA_EXPORT = "data export", _("data exported")
        CHANGE = "change", _("changed")
        MERGE = "merge", _("merged")
        ERASURE = "erasure", _("erased")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="data_accesses")
    member = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="data_accesses")
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    what = models.CharField(max_length=12, choices=DataAccessKind)
    details = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["club", "-at"], name="viewing_latest")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.what}"
