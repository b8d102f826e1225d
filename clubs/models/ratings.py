"""Ratings: federations' published lists and the club's own monthly ratings."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs_and_members import Club, Member, User
from clubs.models.custom_constraints import TrigramIndex
from common.models.jobs import Job


class TimeControlKind(models.TextChoices):
    """Time controls. Each has its own ratings."""

    STANDARD = "standard", _("standard")
    RAPID = "rapid", _("rapid")
    BLITZ = "blitz", _("blitz")


class RatingMethod(models.TextChoices):
    """The method for a club's own ratings."""

    FIDE = "fide", _("FIDE rules (2024)")
    GLICKO_2 = "glicko-2", _("Glicko-2")
    NONE = "none", _("no club ratings")


class RatingScheme(models.Model):
    """The club's rating method. Without a row, FIDE's rules apply."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="rating_scheme")
    method = models.CharField(_("method"), max_length=8, choices=RatingMethod, default=RatingMethod.FIDE)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(method__in=RatingMethod.values), name="rating_method_known"),
        ]

    def __str__(self) -> str:
        return f"{self.club}: {self.get_method_display()}"


class PendingRatingUpdate(models.Model):
    """A pending recalculation of a club's ratings from the month `since`, or from the first game if empty.

    `mark` changes with every new change, so a running calculation notices it. `sent_at` is when the job was queued.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="ratings_due")
    since = models.DateField(null=True)
    mark = models.UUIDField()
    sent_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.club}: {self.since or ''}"


class MemberRating(models.Model):
    """A member's rating after a month with rated games, and how it was calculated.

    `before` and `after` are empty for an unrated player. `games` are the month's games as `GameCalculation`
    (`clubs.rating.calculation.rating_periods`), with opponents named only by the game's row. `state` is the starting
    point for the next month.
    """

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="club_ratings")
    kind = models.CharField(_("type"), max_length=8, choices=TimeControlKind)
    month = models.DateField(_("month"))
    before = models.PositiveSmallIntegerField(_("before"), null=True, blank=True)
    after = models.PositiveSmallIntegerField(_("after"), null=True, blank=True)
    factor = models.PositiveSmallIntegerField(_("K"), null=True, blank=True)
    games = models.JSONField(default=list)
    state = models.JSONField(default=dict)

    class Meta:
        ordering = ["kind", "month", "member"]
        constraints = [
            models.UniqueConstraint(fields=["member", "kind", "month"], name="member_rating_once_a_month"),
            models.CheckConstraint(condition=Q(kind__in=TimeControlKind.values), name="member_rating_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.member} {self.month:%Y-%m} {self.kind}: {self.after}"


class RatingRegister(models.Model):
    """A publisher of rating lists: FIDE for all clubs (`club` is empty), or a federation that one club added.

    `columns` gives the meaning of the columns of its files, from 0 (see `clubs.rating.lists.national_lists`).
    """

    class Scale(models.TextChoices):
        ELO = "elo", _("Elo")
        INGO = "ingo", _("INGO: 2840 − 8 × INGO")
        BCF = "bcf", _("BCF: 600 + 8 × BCF")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="registers")
    name = models.CharField(_("name"), max_length=60)
    scale = models.CharField(_("scale"), max_length=4, choices=Scale, default=Scale.ELO)
    columns = models.JSONField(default=dict, blank=True)
    months = models.JSONField(default=dict, blank=True, editable=False)
    """The month of the latest list of each kind, such as 2026-11-01."""
    fetched_from = models.CharField(max_length=300, blank=True)
    """The URL for automatic downloads. Empty for none."""
    fetched_at = models.DateTimeField(null=True, blank=True, editable=False)
    fetch_error = models.CharField(max_length=300, blank=True, editable=False)
    """The error of the latest download. Empty if it succeeded or found nothing new."""
    fetch_validator = models.CharField(max_length=200, blank=True, editable=False)
    """The validator (ETag or date) that the other server sent with the latest file."""

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="register_name_once_a_club"),
            models.UniqueConstraint(fields=["name"], condition=Q(club=None), name="register_for_all_name_once"),
            models.CheckConstraint(condition=Q(scale__in=["elo", "ingo", "bcf"]), name="register_scale_known"),
        ]

    def __str__(self) -> str:
        return self.name


class RatingListImport(models.Model):
    """An import of one file into a register. `line` is the last line saved.

    The line number is saved in the same transaction as the players, so a stopped import can continue.
    """

    register = models.ForeignKey(RatingRegister, on_delete=models.CASCADE, related_name="imports")
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="rating_list")
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    filename = models.CharField(_("file"), max_length=160)
    path = models.CharField(max_length=400)
    kind = models.CharField(_("type"), max_length=8, choices=TimeControlKind, blank=True)
    month = models.DateField(_("month of the list"), null=True, blank=True)
    """The first day of the list's month. Empty for imports from before lists had dates."""
    replaces_newer = models.BooleanField(default=False)
    history_only = models.BooleanField(default=False)
    """Only save the list's data about members for this month, and leave the register's players unchanged."""
    line = models.PositiveIntegerField(default=0)
    players = models.PositiveIntegerField(default=0)
    problems = models.JSONField(default=list)
    """Errors as [line, kind of problem, text]."""
    skipped = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.filename


class RatingListPlayer(models.Model):
    """A player as last published by the register. Rating 0 means none.

    `*_seen` are the keys of the imports that last listed each rating. `searched` has the words of the name in plain
    letters, with a space before and after each. Their `phonetic_form` follows where it differs. Factors are FIDE's K,
    or 0 if the list has none.
    """

    register = models.ForeignKey(RatingRegister, on_delete=models.CASCADE, related_name="players", db_index=False)
    number = models.CharField(_("ID"), max_length=20)
    name = models.CharField(_("name"), max_length=120)
    searched = models.CharField(max_length=240, default="", editable=False)
    federation = models.CharField(_("federation"), max_length=3, blank=True)
    sex = models.CharField(_("sex"), max_length=1, blank=True)
    title = models.CharField(_("title"), max_length=3, blank=True)
    birth_year = models.PositiveSmallIntegerField(_("birth year"), null=True, blank=True)
    standard = models.PositiveSmallIntegerField(_("standard"), default=0)
    rapid = models.PositiveSmallIntegerField(_("rapid"), default=0)
    blitz = models.PositiveSmallIntegerField(_("blitz"), default=0)
    standard_k = models.PositiveSmallIntegerField(default=0)
    rapid_k = models.PositiveSmallIntegerField(default=0)
    blitz_k = models.PositiveSmallIntegerField(default=0)
    is_inactive = models.BooleanField(_("inactive"), default=False)
    standard_seen = models.PositiveIntegerField(default=0)
    rapid_seen = models.PositiveIntegerField(default=0)
    blitz_seen = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["register", "number"], name="listed_player_number_once"),
            TrigramIndex(name="listed_player_parts", column="searched"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.number})"


class MemberRatingListing(models.Model):
    """A member's entry in a month's list, kept permanently."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="listings")
    register = models.ForeignKey(RatingRegister, on_delete=models.CASCADE, related_name="listings")
    kind = models.CharField(_("type"), max_length=8, choices=TimeControlKind)
    month = models.DateField(_("month"))
    rating = models.PositiveSmallIntegerField(_("rating"), default=0)
    factor = models.PositiveSmallIntegerField(_("K"), default=0)
    is_inactive = models.BooleanField(_("inactive"), default=False)

    class Meta:
        ordering = ["-month", "register", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["member", "register", "kind", "month"], name="member_listed_once_a_month"),
            models.CheckConstraint(condition=Q(kind__in=TimeControlKind.values), name="member_listing_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.member} {self.register} {self.month:%Y-%m} {self.kind}: {self.rating}"
