"""Rounds of an event, their games and byes."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import User
from tournaments.models.events import Entry, Tournament
from tournaments.models.pairing_systems import PairingMethod, PairingSystem


class RoundQuerySet(models.QuerySet["Round"]):
    def only_published(self) -> RoundQuerySet:
        """Return rounds that everyone may see."""
        return self.filter(state__in=[Round.State.PUBLISHED, Round.State.FINISHED])


class Round(models.Model):
    """A round. Its row exists from the start, so that byes can be requested in advance.

    `version` grows with every change of the pairing, so that outdated pages are noticed. `publications` counts the
    published pairings. It is the version number on pages and printouts. `scores` are the scores used for pairing, in
    half points, by entry key.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("not paired yet")
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        FINISHED = "finished", pgettext_lazy("round", "finished")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("round"))
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.WAITING)
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True)
    check_in_closed_at = models.DateTimeField(null=True, blank=True)
    paired_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    provisional_until = models.DateTimeField(_("provisional until"), null=True, blank=True)
    """Until then the arbiter may still change the published pairing. Then, or if empty, it is final."""
    version = models.PositiveIntegerField(default=0)
    publications = models.PositiveIntegerField(default=0, editable=False)
    scores = models.JSONField(default=dict, blank=True)
    decision = models.ForeignKey(
        "LogEntry", on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    """The log entry with the arbiter's decision, if the round had no legal pairing."""

    objects = RoundQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_from_1"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "draft", "published", "finished"]), name="round_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, {self.number}"

    @property
    def pairing_method(self) -> PairingMethod:
        """The round's pairing method."""
        return self.tournament.pairing_method_of_round(self.number)

    @property
    def is_public(self) -> bool:
        """Return True if everyone may see the pairing."""
        return self.state in (Round.State.PUBLISHED, Round.State.FINISHED)

    @property
    def is_provisional(self) -> bool:
        """Return True if the round is published but its pairing may still change."""
        until = self.provisional_until
        return self.state == Round.State.PUBLISHED and until is not None and timezone.now() < until


class Game(models.Model):
    """A board in a round. `revision` increases with every change to its result."""

    class Result(models.TextChoices):
        """The result of a game, White's first. Empty if there is no result yet."""

        PENDING = "", _("no result yet")
        WHITE_WINS = "1-0", _("1–0")
        DRAW = "1/2", _("½–½")
        BLACK_WINS = "0-1", _("0–1")
        WHITE_WINS_FORFEIT = "+/-", _("White wins by forfeit")
        BLACK_WINS_FORFEIT = "-/+", _("Black wins by forfeit")
        DOUBLE_FORFEIT = "-/-", _("double forfeit")
        WHITE_WINS_UNRATED = "W/L", _("1–0, not rated")
        DRAW_UNRATED = "D/D", _("½–½, not rated")
        BLACK_WINS_UNRATED = "L/W", _("0–1, not rated")
        BOTH_LOSE = "0-0", _("0–0, both lose")
        ADJOURNED = "*", _("adjourned")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="games")
    board = models.PositiveIntegerField(_("board"))
    white = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="games_as_white")
    black = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="games_as_black")
    result = models.CharField(_("result"), max_length=3, choices=Result, default=Result.PENDING, blank=True)
    revision = models.PositiveIntegerField(default=0)
    colours_drawn = models.BooleanField(default=True, editable=False)
    """False for a forfeit imported without colours: then neither player had White."""
    entered_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    entered_at = models.DateTimeField(null=True, blank=True)
    correction = models.OneToOneField(
        "LogEntry", on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )
    """The log entry of the latest correction after the round was finished (see `triggers`)."""
    reasons = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["board"]
        constraints = [
            models.UniqueConstraint(fields=["round", "board"], name="game_board_once"),
            models.UniqueConstraint(fields=["round", "white"], name="game_white_once"),
            models.UniqueConstraint(fields=["round", "black"], name="game_black_once"),
            models.CheckConstraint(condition=~Q(white=F("black")), name="game_needs_two"),
            models.CheckConstraint(condition=Q(board__gte=1), name="game_board_from_1"),
            models.CheckConstraint(
                condition=Q(result__in=["", "1-0", "1/2", "0-1", "+/-", "-/+", "-/-", "W/L", "D/D", "L/W", "0-0", "*"]),
                name="game_result_known",
            ),
            models.CheckConstraint(
                condition=Q(colours_drawn=True) | Q(result__in=["", "+/-", "-/+", "-/-"]),
                name="game_played_has_colours",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.board}: {self.white} – {self.black}"


_KEIZER_LABELS = {
    "F": _("playing for the club"),
    "H": _("absent with notice"),
    "Z": _("absent without notice"),
}


class Bye(models.Model):
    """A player who isn't paired in a round, and the kind of bye."""

    class Kind(models.TextChoices):
        """The kinds of bye, by the letters of report files. There, an absence is a forfeit loss without an opponent."""

        PAIRING_ALLOCATED = "U", _("bye")
        FULL_POINT = "F", _("full-point bye")
        HALF_POINT = "H", _("half-point bye")
        ZERO_POINT = "Z", _("zero-point bye")
        ABSENT = "-", _("absent")
        FORFEIT_WIN = "+", _("win by forfeit")

        def label_in(self, system: str) -> str:
            """Return the bye's name under this system. In a Keizer season, it says why the player is away."""
            return str(_KEIZER_LABELS.get(self.value, self.label) if system == PairingSystem.KEIZER else self.label)

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="byes")
    kind = models.CharField(_("type"), max_length=1, choices=Kind)
    beside_another = models.BooleanField(default=False, editable=False)
    """A second pairing-allocated bye in a round, which only imported files have."""
    reasons = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["round", "entry"]
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="bye_once_a_round"),
            models.UniqueConstraint(
                fields=["round"], condition=Q(kind="U", beside_another=False), name="pairing_allocated_bye_once_a_round"
            ),
            models.CheckConstraint(condition=Q(kind__in=["U", "F", "H", "Z", "-", "+"]), name="bye_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.get_kind_display()}"
