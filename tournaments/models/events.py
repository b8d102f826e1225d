"""Events, their entries and forbidden pairs."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, FideTitle, Member, TimeControlKind, User
from pairing.engine.trf.model import MAX_ROUNDS
from tournaments.models.keizer_options import check_keizer_options
from tournaments.models.pairing_systems import Acceleration, PairingMethod, PairingMethodRange, PairingSystem
from tournaments.models.point_systems import USUAL_POINTS, check_point_system, check_points_compatible
from tournaments.models.rule_interpretations import check_rule_interpretations


class UndeletedTournaments(models.Manager["Tournament"]):
    """Events that aren't deleted. `Tournament.with_deleted` also includes the deleted events."""

    def get_queryset(self) -> models.QuerySet[Tournament]:
        return super().get_queryset().filter(deleted_at=None)


class Tournament(models.Model):
    """An event of a club."""

    class FirstColour(models.TextChoices):
        WHITE = "w", _("White")
        BLACK = "b", _("Black")

    class ByePoints(models.TextChoices):
        """Points for a requested bye, or for a round missed before a late entry."""

        ZERO = "Z", _("0 points")
        HALF = "H", _("½ point")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"))
    system = models.CharField(_("pairing system"), max_length=12, choices=PairingSystem, default=PairingSystem.JAHR)
    procedure = models.CharField(
        _("pairing procedure for Jahr's method"),
        max_length=12,
        choices=[
            (PairingSystem.FIDE_1989.value, PairingSystem.FIDE_1989.label),
            (PairingSystem.DUTCH_1992.value, PairingSystem.DUTCH_1992.label),
        ],
        blank=True,
    )
    acceleration = models.CharField(_("acceleration"), max_length=12, choices=Acceleration, default=Acceleration.NONE)
    group_limit_a = models.PositiveSmallIntegerField(_("limit for group A"), null=True, blank=True)
    group_limit_c = models.PositiveSmallIntegerField(_("limit for group C"), null=True, blank=True)
    accelerated_players = models.PositiveIntegerField(null=True, blank=True, editable=False)
    """Baku acceleration: the size of its upper group when round 1 was paired. Late entries don't change it."""
    rounds_announced = models.PositiveSmallIntegerField(
        _("rounds"), validators=[MinValueValidator(1), MaxValueValidator(MAX_ROUNDS)]
    )
    first_colour = models.CharField(
        _("colour of number 1 in round 1"), max_length=1, choices=FirstColour, default=FirstColour.WHITE
    )
    starts_on = models.DateField(_("start date"), null=True, blank=True)
    ends_on = models.DateField(_("end date"), null=True, blank=True)
    city = models.CharField(_("city"), max_length=80, blank=True)
    chief_arbiter = models.CharField(_("chief arbiter"), max_length=120, blank=True)
    chief_arbiter_fide_id = models.CharField(_("chief arbiter's FIDE ID"), max_length=11, blank=True)
    deputy_arbiters = models.TextField(_("deputy arbiters"), max_length=2000, blank=True)
    """One per line, with the FIDE ID in brackets after the name."""
    time_control = models.CharField(_("time control"), max_length=80, blank=True)
    rated_as = models.CharField(
        _("rated by the club as"),
        max_length=8,
        choices=TimeControlKind,
        blank=True,
        default=TimeControlKind.STANDARD,
    )
    fide_rated = models.BooleanField(_("FIDE rated"), default=False)
    series = models.ForeignKey(
        "Series", on_delete=models.SET_NULL, null=True, blank=True, related_name="events", verbose_name=_("series")
    )
    requested_bye_worth = models.CharField(
        _("points for a requested bye"), max_length=1, choices=ByePoints, default=ByePoints.HALF
    )
    requested_byes_allowed = models.PositiveSmallIntegerField(_("requested byes per player"), default=2)
    bye_in_last_round = models.BooleanField(_("allow requested byes in the last round"), default=False)
    bye_deadline_hours = models.PositiveSmallIntegerField(
        _("deadline for answers and byes (hours before the round)"), default=1
    )
    only_sign_ups = models.BooleanField(_("only players who say they're coming are paired"), default=False)
    """Otherwise everyone is paired unless they say that they can't come."""
    late_entry_worth = models.CharField(
        _("points for a round missed before a late entry"), max_length=1, choices=ByePoints, default=ByePoints.ZERO
    )
    point_system = models.CharField(
        _("points for win, draw and loss"), max_length=24, default=USUAL_POINTS, validators=[check_point_system]
    )
    """In the format of `pairing.engine.point_systems.format_point_system`."""
    tie_breaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    readings = models.JSONField(default=dict, blank=True, editable=False, validators=[check_rule_interpretations])
    """Rule interpretations other than the default, by id (`pairing.engine.rule_interpretations`)."""
    keizer_options = models.JSONField(
        _("options of the Keizer system"), default=list, blank=True, validators=[check_keizer_options]
    )
    """Options other than the default, such as "gap=6" (`pairing.engine.systems.keizer.options`)."""
    report_lines = models.JSONField(default=list, blank=True, editable=False)
    """An imported report file's lines without players, for the export; "001" marks the place of the players."""
    keeps_numbers = models.BooleanField(default=False, editable=False)
    """The numbers come from an import or were drawn, and aren't assigned again by rating."""
    is_public = models.BooleanField(_("anyone can see published rounds"), default=True)
    players_check_in = models.BooleanField(_("players check themselves in"), default=False)
    players_report_results = models.BooleanField(_("players report results on their phones"), default=False)
    earlier_systems = models.JSONField(default=list, blank=True, editable=False)
    """Pairing systems of earlier rounds, in order: {"to_round", "system", "procedure", "had_bye"}.

    `had_bye` means that a player had the bye in them: then its points stay the same for everyone.
    """
    earlier_numbers = models.JSONField(default=list, blank=True, editable=False)
    """Pairing numbers of earlier rounds, in order, if late entries changed them.

    {"to_round", "numbers" by key of entry, "accelerated_players"}; see `tournaments.entries.pairing_numbers`.
    """
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    """From then on the event is hidden. Its officers can restore it until it is erased."""
    deleted_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )

    objects = UndeletedTournaments()
    with_deleted = models.Manager["Tournament"]()

    class Meta:
        ordering = ["-starts_on", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="tournament_address_once_a_club"),
            models.CheckConstraint(condition=Q(system__in=PairingSystem.values), name="tournament_system_known"),
            models.CheckConstraint(
                condition=Q(acceleration__in=Acceleration.values), name="tournament_acceleration_known"
            ),
            models.CheckConstraint(
                condition=Q(rounds_announced__range=(1, MAX_ROUNDS)), name="tournament_rounds_in_range"
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
        check_points_compatible(
            self.point_system, system=self.system, acceleration=self.acceleration, tie_breaks=self.tie_breaks
        )

    def pairing_method_of_round(self, number: int) -> PairingMethod:
        """Return the pairing method of round `number`."""
        return next(
            (
                PairingMethod(each["system"], each["procedure"])
                for each in self.earlier_systems
                if number <= each["to_round"]
            ),
            PairingMethod(self.system, self.procedure),
        )

    @property
    def pairing_methods_by_round(self) -> list[PairingMethodRange]:
        """The pairing methods by range of rounds. Empty for an event that never changed its system."""
        rows, first = [], 1
        for each in self.earlier_systems:
            rows.append(PairingMethodRange(first, each["to_round"], self.pairing_method_of_round(first)))
            first = each["to_round"] + 1
        return [*rows, PairingMethodRange(first, None, PairingMethod(self.system, self.procedure))] if rows else []

    @property
    def bye_scoring_system(self) -> str:
        """The system that decides the points for the bye in this event."""
        return next((each["system"] for each in self.earlier_systems if each["had_bye"]), self.system)

    @property
    def has_jahr_rounds(self) -> bool:
        """Return True if Jahr's system pairs or paired any round."""
        return PairingSystem.JAHR in (self.system, *(each["system"] for each in self.earlier_systems))


class Entry(models.Model):
    """A player in an event, with their data on the starting list.

    Name, title and rating are the event's own copies, so that a later change of the member changes no event. `tpn` is
    empty until round 1 is paired.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, null=True, blank=True, related_name="entries")
    tpn = models.PositiveIntegerField(_("number"), null=True, blank=True)
    name = models.CharField(_("name"), max_length=160)
    title = models.CharField(_("title"), max_length=3, choices=FideTitle, blank=True)
    sex = models.CharField(_("sex"), max_length=1, choices=Member.Sex, blank=True)
    rating = models.PositiveSmallIntegerField(_("rating"), default=0)
    rating_is_estimate = models.BooleanField(_("rating is an estimate"), default=False)
    federation = models.CharField(_("federation"), max_length=3, blank=True)
    club_name = models.CharField(_("club"), max_length=120, blank=True)
    fide_id = models.CharField(_("FIDE ID"), max_length=11, blank=True)
    birth = models.CharField(_("birth date or year"), max_length=10, blank=True)
    report_name = models.CharField(_("name in the report"), max_length=33, blank=True)  # see `report_names_by_entry`
    entered_in_round = models.PositiveSmallIntegerField(_("plays from round"), default=1)
    withdrawn_from_round = models.PositiveSmallIntegerField(_("withdrawn from round"), null=True, blank=True)
    remark = models.CharField(_("remark"), max_length=160, blank=True)
    link_version = models.PositiveIntegerField(default=0, editable=False)
    """Incremented when the player gets a new personal link, which ends the old one (see `personal_links`)."""
    fictitious = models.JSONField(default=list, blank=True, editable=False)
    """Fictitious half points from an imported file, for rounds 1, 2, ...; empty: those of the acceleration."""
    lot = models.PositiveIntegerField(_("lot"), null=True, blank=True, editable=False)
    """The lot, drawn once, that breaks ties which nothing else breaks: the smaller number comes first."""

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
    """Two entries who must not meet (siblings, club mates), in some rounds or in all."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="forbidden_pairs")
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    from_round = models.PositiveSmallIntegerField(_("from round"), default=1)
    to_round = models.PositiveSmallIntegerField(_("to round"), null=True, blank=True)
    remark = models.CharField(_("remark"), max_length=120, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "first", "second"], name="forbidden_pair_once"),
            # Smaller key first, so that the same pair can't be added in the other order.
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="forbidden_pair_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"
