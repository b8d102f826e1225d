"""Events: tournaments, who plays in them, rounds, games and byes."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Member, TimeKind, Title, User
from pairing.engine.trf.columns import MOST_ROUNDS
from tournaments.models.deleted import StandingEvents
from tournaments.models.points import USUAL, check_counting, check_point_system
from tournaments.models.readings import check_readings
from tournaments.models.systems import Acceleration, PairedBy, System, SystemsOfRounds


class Tournament(models.Model):
    """One event of a club."""

    class FirstColour(models.TextChoices):
        WHITE = "w", _("White")
        BLACK = "b", _("Black")

    class ByeWorth(models.TextChoices):
        """What a requested bye, or a round missed by a late entrant, is worth."""

        ZERO = "Z", _("0 points")
        HALF = "H", _("½ point")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"))
    system = models.CharField(_("pairing system"), max_length=12, choices=System, default=System.JAHR)
    procedure = models.CharField(
        _("pairing procedure under Jahr's order"),
        max_length=12,
        choices=[(System.FIDE_1989.value, System.FIDE_1989.label), (System.DUTCH_1992.value, System.DUTCH_1992.label)],
        blank=True,
    )
    acceleration = models.CharField(_("acceleration"), max_length=12, choices=Acceleration, default=Acceleration.NONE)
    group_limit_a = models.PositiveSmallIntegerField(_("group A from"), null=True, blank=True)
    group_limit_c = models.PositiveSmallIntegerField(_("group C below"), null=True, blank=True)
    accelerated_players = models.PositiveIntegerField(null=True, blank=True, editable=False)
    """Baku acceleration: the size of its upper group as counted when round 1 was paired, whoever comes later."""
    rounds_announced = models.PositiveSmallIntegerField(
        _("rounds"), validators=[MinValueValidator(1), MaxValueValidator(MOST_ROUNDS)]
    )
    first_colour = models.CharField(
        _("colour of number 1 in round 1"), max_length=1, choices=FirstColour, default=FirstColour.WHITE
    )
    starts_on = models.DateField(_("begins on"), null=True, blank=True)
    ends_on = models.DateField(_("ends on"), null=True, blank=True)
    city = models.CharField(_("city"), max_length=80, blank=True)
    chief_arbiter = models.CharField(_("chief arbiter"), max_length=120, blank=True)
    chief_arbiter_fide_id = models.CharField(_("chief arbiter's FIDE ID"), max_length=11, blank=True)
    deputy_arbiters = models.TextField(_("deputy arbiters"), max_length=2000, blank=True)
    """One a line, a FIDE ID in brackets behind the name."""
    time_control = models.CharField(_("time control"), max_length=80, blank=True)
    rated_as = models.CharField(
        _("counts for the club's rating"), max_length=8, choices=TimeKind, blank=True, default=TimeKind.STANDARD
    )
    fide_rated = models.BooleanField(_("is sent to FIDE for rating"), default=False)
    series = models.ForeignKey(
        "Series", on_delete=models.SET_NULL, null=True, blank=True, related_name="events", verbose_name=_("series")
    )
    requested_bye_worth = models.CharField(
        _("a requested bye is worth"), max_length=1, choices=ByeWorth, default=ByeWorth.HALF
    )
    requested_byes_allowed = models.PositiveSmallIntegerField(_("requested byes a player"), default=2)
    bye_in_last_round = models.BooleanField(_("requested byes in the last round"), default=False)
    bye_deadline_hours = models.PositiveSmallIntegerField(_("byes are asked for up to (hours before)"), default=0)
    late_entry_worth = models.CharField(
        _("a round missed before a late entry is worth"), max_length=1, choices=ByeWorth, default=ByeWorth.ZERO
    )
    point_system = models.CharField(
        _("points for a win, a draw and a loss"), max_length=24, default=USUAL, validators=[check_point_system]
    )
    """As `pairing.engine.points.points_written` has it."""
    tie_breaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    readings = models.JSONField(default=dict, blank=True, editable=False, validators=[check_readings])
    """Open places of the documents read otherwise than by default: id and value (`pairing.engine.readings`)."""
    report_lines = models.JSONField(default=list, blank=True, editable=False)
    """An imported report file's lines but those of players, for the export; "001" stands where the players stood."""
    keeps_numbers = models.BooleanField(default=False, editable=False)
    """The numbers came with an imported list and are never given anew by rating."""
    is_public = models.BooleanField(_("published rounds are open to everyone"), default=True)
    players_check_in = models.BooleanField(_("players check themselves in"), default=False)
    players_report_results = models.BooleanField(_("players report results by phone"), default=False)
    earlier_systems = models.JSONField(default=list, blank=True, editable=False)
    """Systems that paired rounds before the present one did: {"to_round", "system", "procedure", "had_bye"}, by round.
    `had_bye` says that somebody had the bye in them: then it stays worth what it was, for everybody alike."""
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    """From then on the event is gone for everybody; its officers may restore it until it is erased."""
    deleted_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )

    objects = StandingEvents()
    with_deleted = models.Manager["Tournament"]()

    class Meta:
        ordering = ["-starts_on", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="tournament_address_once_a_club"),
            models.CheckConstraint(condition=Q(system__in=System.values), name="tournament_system_known"),
            models.CheckConstraint(
                condition=Q(acceleration__in=Acceleration.values), name="tournament_acceleration_known"
            ),
            models.CheckConstraint(
                condition=Q(rounds_announced__range=(1, MOST_ROUNDS)), name="tournament_rounds_in_range"
            ),
            models.CheckConstraint(
                condition=Q(starts_on__isnull=True) | Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")),
                name="tournament_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(group_limit_a__isnull=True, group_limit_c__isnull=True)
                | Q(group_limit_a__gt=F("group_limit_c")),
                name="tournament_group_limits_in_order",
            ),
            models.CheckConstraint(
                condition=Q(rated_as__in=["", "standard", "rapid", "blitz"]), name="tournament_rated_as_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        check_counting(
            self.point_system, system=self.system, acceleration=self.acceleration, tie_breaks=self.tie_breaks
        )

    def paired_by(self, number: int) -> PairedBy:
        """What pairs round `number`, or paired it."""
        return next(
            (
                PairedBy(each["system"], each["procedure"])
                for each in self.earlier_systems
                if number <= each["to_round"]
            ),
            PairedBy(self.system, self.procedure),
        )

    @property
    def systems_by_round(self) -> list[SystemsOfRounds]:
        """Which rounds are paired by what, where that has changed; nothing for an event of one system."""
        rows, first = [], 1
        for each in self.earlier_systems:
            rows.append(SystemsOfRounds(first, each["to_round"], self.paired_by(first)))
            first = each["to_round"] + 1
        return [*rows, SystemsOfRounds(first, None, PairedBy(self.system, self.procedure))] if rows else []

    @property
    def system_of_byes(self) -> str:
        """By what system the bye is worth what it is in this event."""
        return next((each["system"] for each in self.earlier_systems if each["had_bye"]), self.system)

    @property
    def ever_by_jahr(self) -> bool:
        """Jahr's totals count in some round, or did."""
        return System.JAHR in (self.system, *(each["system"] for each in self.earlier_systems))


class Entry(models.Model):
    """A player in an event: what stood on the starting list when he entered.

    Name, title and rating are the event's own copies, so that a later change in the club's book changes no event.
    `tpn` is empty until round 1 is paired.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, null=True, blank=True, related_name="entries")
    tpn = models.PositiveIntegerField(_("number"), null=True, blank=True)
    name = models.CharField(_("name"), max_length=160)
    title = models.CharField(_("title"), max_length=3, choices=Title, blank=True)
    sex = models.CharField(_("sex"), max_length=1, choices=Member.Sex, blank=True)
    rating = models.PositiveSmallIntegerField(_("rating"), default=0)
    rating_is_estimate = models.BooleanField(_("rating is an estimate"), default=False)
    federation = models.CharField(_("federation"), max_length=3, blank=True)
    club_name = models.CharField(_("club"), max_length=120, blank=True)
    fide_id = models.CharField(_("FIDE ID"), max_length=11, blank=True)
    birth = models.CharField(_("birth date or year"), max_length=10, blank=True)
    report_name = models.CharField(_("name in the report"), max_length=33, blank=True)  # empty: see `names_sent`
    entered_in_round = models.PositiveSmallIntegerField(_("plays from round"), default=1)
    withdrawn_from_round = models.PositiveSmallIntegerField(_("withdrawn from round"), null=True, blank=True)
    remark = models.CharField(_("remark"), max_length=160, blank=True)
    link_version = models.PositiveIntegerField(default=0, editable=False)
    """Grows when the player's personal link is renewed, which ends the one before (see `personal_links`)."""
    fictitious = models.JSONField(default=list, blank=True, editable=False)
    """Fictitious half points given by hand in an imported file, for rounds 1, 2, ...; empty: the acceleration's."""
    lot = models.PositiveIntegerField(_("lot"), null=True, blank=True, editable=False)
    """The number drawn, once and kept, for places that nothing else tells apart: the smaller stands first."""

    class Meta:
        ordering = ["tpn", "-rating", "name", "pk"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "member"], name="entry_once_a_member"),
            models.UniqueConstraint(fields=["tournament", "tpn"], name="entry_number_once"),
            models.UniqueConstraint(fields=["tournament", "lot"], name="entry_lot_once"),
            models.CheckConstraint(condition=Q(tpn__isnull=True) | Q(tpn__gte=1), name="entry_number_from_1"),
            models.CheckConstraint(condition=Q(rating__lte=3500), name="entry_rating_in_range"),
            models.CheckConstraint(condition=~Q(name=""), name="entry_has_a_name"),
            models.CheckConstraint(condition=Q(entered_in_round__gte=1), name="entry_plays_from_a_round"),
            models.CheckConstraint(
                condition=Q(withdrawn_from_round__isnull=True) | Q(withdrawn_from_round__gte=1),
                name="entry_withdrawn_from_a_round",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ForbiddenPair(models.Model):
    """Two entries who must not meet (siblings, club mates), in all rounds or in some."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="forbidden_pairs")
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    from_round = models.PositiveSmallIntegerField(_("from round"), default=1)
    to_round = models.PositiveSmallIntegerField(_("to round"), null=True, blank=True)
    remark = models.CharField(_("remark"), max_length=120, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "first", "second"], name="forbidden_pair_once"),
            # Smaller key first, so that the same two cannot be entered a second time the other way round.
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="forbidden_pair_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"


class RoundQuerySet(models.QuerySet["Round"]):
    def waiting(self) -> RoundQuerySet:
        """Rounds that have no pairing yet."""
        return self.filter(state=Round.State.WAITING)

    def published(self) -> RoundQuerySet:
        """Rounds that everyone may see."""
        return self.filter(state__in=[Round.State.PUBLISHED, Round.State.FINISHED])


class Round(models.Model):
    """One round; its row is there from the start, so that byes can be asked for ahead.

    `version` grows with every change of its pairing and tells pages apart; `publications` counts how often a pairing
    of it was shown to everyone, which is the version that players and papers name. `scores` are the pairing scores, in
    half points, with which the draft was made, by entry key.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("not paired yet")
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        FINISHED = "finished", _("finished")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("round"))
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.WAITING)
    starts_at = models.DateTimeField(_("begins at"), null=True, blank=True)
    check_in_closed_at = models.DateTimeField(null=True, blank=True)
    paired_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    provisional_until = models.DateTimeField(_("provisional until"), null=True, blank=True)
    """Until then the arbiter may still change the published pairing; afterwards, or empty, it is final."""
    version = models.PositiveIntegerField(default=0)
    publications = models.PositiveIntegerField(default=0, editable=False)
    scores = models.JSONField(default=dict, blank=True)
    decision = models.ForeignKey(
        "LogEntry", on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    """The line of the log by which the arbiter decided how to pair it, where no legal round existed."""

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
    def paired_by(self) -> PairedBy:
        """What pairs it, or paired it."""
        return self.tournament.paired_by(self.number)

    @property
    def is_public(self) -> bool:
        """Everyone may see its pairing."""
        return self.state in (Round.State.PUBLISHED, Round.State.FINISHED)

    @property
    def is_provisional(self) -> bool:
        """It is published, and its pairing may still be changed."""
        until = self.provisional_until
        return self.state == Round.State.PUBLISHED and until is not None and timezone.now() < until


class Game(models.Model):
    """A board of a round. `revision` grows with every change of its result."""

    class Result(models.TextChoices):
        """White's result first; the empty one is still open."""

        PENDING = "", _("open")
        WHITE_WINS = "1-0", _("1-0")
        DRAW = "1/2", _("½-½")
        BLACK_WINS = "0-1", _("0-1")
        WHITE_WINS_FORFEIT = "+/-", _("White wins by forfeit")
        BLACK_WINS_FORFEIT = "-/+", _("Black wins by forfeit")
        DOUBLE_FORFEIT = "-/-", _("both forfeit")
        WHITE_WINS_UNRATED = "W/L", _("1-0, not rated")
        DRAW_UNRATED = "D/D", _("½-½, not rated")
        BLACK_WINS_UNRATED = "L/W", _("0-1, not rated")
        BOTH_LOSE = "0-0", _("0-0, both lose")
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
    """The line of the log by which the result was corrected last, after the round was finished (see `guards`)."""
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


class Bye(models.Model):
    """A player who is not paired in a round, and what he gets for it."""

    class Kind(models.TextChoices):
        """The letters are those of a report file, where an absence is a lost forfeit without an opponent."""

        PAIRING_ALLOCATED = "U", _("bye")
        FULL_POINT = "F", _("full-point bye")
        HALF_POINT = "H", _("half-point bye")
        ZERO_POINT = "Z", _("zero-point bye")
        ABSENT = "-", _("absent")
        FORFEIT_WIN = "+", _("won without play")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="byes")
    kind = models.CharField(_("kind"), max_length=1, choices=Kind)
    beside_another = models.BooleanField(default=False, editable=False)
    """A second pairing-allocated bye of a round, which only imported files have."""
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
