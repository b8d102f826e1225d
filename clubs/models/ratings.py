"""Ratings: lists published by federations, and the club's own, month by month."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs_and_members import Club, Member, User
from clubs.models.trigram_index import TrigramIndex
from common.models.jobs import Job


class TimeControlKind(models.TextChoices):
    """What a rating is for; each has a list of its own."""

    STANDARD = "standard", _("standard")
    RAPID = "rapid", _("rapid")
    BLITZ = "blitz", _("blitz")


class RatingMethod(models.TextChoices):
    """How a club counts its own ratings."""

    FIDE = "fide", _("FIDE's rules of 2024")
    GLICKO_2 = "glicko-2", _("Glicko-2")
    NONE = "none", _("no ratings of its own")


class RatingScheme(models.Model):
    """How this club counts. Without a row: by FIDE's rules."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="rating_scheme")
    method = models.CharField(_("method"), max_length=8, choices=RatingMethod, default=RatingMethod.FIDE)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(method__in=RatingMethod.values), name="rating_method_known"),
        ]

    def __str__(self) -> str:
        return f"{self.club}: {self.get_method_display()}"


class PendingRatingUpdate(models.Model):
    """The club's ratings are to be counted from the month `since` on (none: from the first game), and are not yet.

    `mark` is another with every change: who counts knows by it whether anything has changed since he began. The job
    that counts was sent at `sent_at`.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="ratings_due")
    since = models.DateField(null=True)
    mark = models.UUIDField()
    sent_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.club}: {self.since or ''}"


class MemberRating(models.Model):
    """A member's rating after a month in which he played rated games, and everything it came from.

    `before` and `after` are empty for an unrated player. `games` are the month's games as `GameCalculation`
    (`clubs.rating.calculation.rating_periods`) tells them, opponents named by the row of the game alone; `state` is
    what the next month goes on from.
    """

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="club_ratings")
    kind = models.CharField(_("kind"), max_length=8, choices=TimeControlKind)
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
    """A body that publishes rating lists: FIDE, for every club (no club), or a federation, as one club reads it.

    `columns` says which column of its files is what, counted from 0 (see `rating_lists.csv_lists`).
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
    """The month of the latest list of each kind, as 2026-11-01."""
    fetched_from = models.CharField(max_length=300, blank=True)
    """Whence the list is fetched by itself; empty: it is not."""
    fetched_at = models.DateTimeField(null=True, blank=True, editable=False)
    fetch_error = models.CharField(max_length=300, blank=True, editable=False)
    """Why the last time brought nothing; empty where it did, or where there was nothing new."""
    fetch_validator = models.CharField(max_length=200, blank=True, editable=False)
    """By which the other server knows the state of the file that was fetched last."""

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
    """One file on its way into the register. `line` is the last one whose player is written.

    Line and players are written in the same transaction, so that an import that was killed goes on where it was.
    """

    register = models.ForeignKey(RatingRegister, on_delete=models.CASCADE, related_name="imports")
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="rating_list")
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    filename = models.CharField(_("file"), max_length=160)
    path = models.CharField(max_length=400)
    kind = models.CharField(_("kind"), max_length=8, choices=TimeControlKind, blank=True)
    month = models.DateField(_("list of"), null=True, blank=True)
    """The first day of the month whose list it is; empty for those brought in before lists had dates."""
    replaces_newer = models.BooleanField(default=False)
    history_only = models.BooleanField(default=False)
    """The players of the register stay as they are; what the list says of members is kept beside the other months'."""
    line = models.PositiveIntegerField(default=0)
    players = models.PositiveIntegerField(default=0)
    problems = models.JSONField(default=list)
    """What was wrong in which line: [line, kind of problem, text]."""
    skipped = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.filename


class RatingListPlayer(models.Model):
    """A player as his register last published him; 0 is no rating. `*_seen` name the import that said so.

    `searched` are the words of the name in plain letters, a space before and behind each, then as `phonetic_form` has
    them where that is another word. Factors are FIDE's K, 0 where the list has none.
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
    """What a list of a month said of a member: kept for ever, whatever lists follow."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="listings")
    register = models.ForeignKey(RatingRegister, on_delete=models.CASCADE, related_name="listings")
    kind = models.CharField(_("kind"), max_length=8, choices=TimeControlKind)
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
