"""Requested byes, absences of later rounds, and the players to be paired."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import User
from common.text.name_order import name_sort_key
from tournaments.access import lock_round
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.events.next_evening import is_same_evening
from tournaments.models import Bye, CheckIn, Entry, PairingSystem, Round, Tournament
from tournaments.problems import ArbiterProblem

REQUESTED_BYE_KINDS = (Bye.Kind.FULL_POINT, Bye.Kind.HALF_POINT, Bye.Kind.ZERO_POINT)
"""Byes that a player has asked for."""
_HALF_POINTS = {Bye.Kind.FULL_POINT: 2, Bye.Kind.HALF_POINT: 1, Bye.Kind.ZERO_POINT: 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAttendance:
    """A player in a round. `bye` is their bye or absence for the round, or None."""

    entry: Entry
    bye: Bye | None

    @property
    def is_to_be_paired(self) -> bool:
        """Return True if the player has no absence and no requested bye. A pairing-allocated bye does not count."""
        return self.bye is None or self.bye.kind == Bye.Kind.PAIRING_ALLOCATED


def entries_in_round(round: Round) -> QuerySet[Entry]:
    """Return everyone who entered by this round and did not withdraw before it."""
    return Entry.objects.filter(
        Q(withdrawn_from_round=None) | Q(withdrawn_from_round__gt=round.number),
        tournament_id=round.tournament_id,
        entered_in_round__lte=round.number,
    )


def round_attendance(round: Round, *, only: Collection[int] | None = None) -> list[RoundAttendance]:
    """Return everyone in the round, or only the entries in `only`, sorted by name. Two queries."""
    byes, taking = round.byes.all(), entries_in_round(round)
    if only is not None:
        byes, taking = byes.filter(entry__in=only), taking.filter(pk__in=only)
    byes_of = {bye.entry_id: bye for bye in byes}
    entries = sorted(taking, key=lambda entry: (name_sort_key(entry.name), entry.pk))
    return [RoundAttendance(entry=entry, bye=byes_of.get(entry.pk)) for entry in entries]


@transaction.atomic
def grant_requested_bye(entry: Entry, round: Round, kind: str, *, by: User | None, beyond_quota: bool = False) -> Bye:
    """Grant a requested bye (`Bye.Kind` full, half or zero points) for a waiting round. It replaces an earlier one.

    A zero-point bye is always granted and does not count towards the quota. `beyond_quota` is the arbiter's decision to
    ignore the event's limits, and is logged.

    Raises ArbiterProblem if the round is already paired. Without `beyond_quota`, also raises it in these cases:
    - the quota is used up
    - the deadline has passed
    - it is the last round and the event grants no byes there
    - the bye gives more points than the event grants
    """
    if kind not in REQUESTED_BYE_KINDS:
        raise ValueError(f"not a requested bye: {kind!r}")
    current = lock_waiting_round(entry, round)
    if not beyond_quota:
        _check_granted(entry, current, Bye.Kind(kind), used=rounds_of_byes(entry))
    bye = _set_requested(entry, current, kind)
    record_action(
        current.tournament,
        EventAction.BYE_REQUESTED,
        by=by,
        round=current,
        name=entry.name,
        entry=entry.pk,
        kind=str(kind),
        beyond_quota=beyond_quota,
    )
    return bye


@transaction.atomic
def mark_absent(entry: Entry, round: Round, *, by: User | None) -> Bye:
    """Mark the player absent, so that they are not paired in this waiting round. A requested bye is kept."""
    current = lock_waiting_round(entry, round)
    bye, is_new = Bye.objects.get_or_create(round=current, entry=entry, defaults={"kind": Bye.Kind.ABSENT})
    if is_new:
        record_action(
            current.tournament, EventAction.MARKED_ABSENT, by=by, round=current, name=entry.name, entry=entry.pk
        )
    return bye


def bye_deadline(round: Round) -> datetime | None:
    """Return the deadline for requesting byes for a round. None means that byes can be requested until pairing."""
    hours = round.tournament.bye_deadline_hours
    return round.starts_at - timedelta(hours=hours) if hours and round.starts_at else None


def lock_waiting_round(entry: Entry, round: Round) -> Round:
    """Return the round with its event locked. Raises ArbiterProblem if it is paired or the player is not in it."""
    current = lock_round(round)
    if current.state != Round.State.WAITING:
        raise ArbiterProblem(
            _("Round %(round)s is already paired. Discard the draft first, or wait until the round is finished.")
            % {"round": current.number},
            entries=[entry],
        )
    if not entries_in_round(current).filter(pk=entry.pk).exists():
        raise ArbiterProblem(
            _("%(name)s is not in round %(round)s.") % {"name": entry.name, "round": current.number},
            entries=[entry],
        )
    return current


@transaction.atomic
def request_bye_as_player(entry: Entry, round: Round) -> Bye:
    """Record that a player can't come. They get the bye that the event grants, or a zero-point bye if it grants none.

    In a Keizer season, this includes later games of the same evening. Raises ArbiterProblem if the round is already
    paired or the deadline has passed: then the arbiter decides.
    """
    current = lock_waiting_round(entry, round)
    _check_in_time(entry, current)
    bye, *_later = [_request_bye(entry, each) for each in _games_of_evening(entry, current)]
    return bye


def _request_bye(entry: Entry, round: Round) -> Bye:
    kind = offered_bye_kinds(entry, [round])[round.pk]
    bye = _set_requested(entry, round, kind)
    record_action(
        round.tournament,
        EventAction.BYE_REQUESTED_BY_PLAYER,
        by=None,
        round=round,
        name=entry.name,
        entry=entry.pk,
        kind=str(kind),
    )
    return bye


@transaction.atomic
def sign_up_as_player(entry: Entry, round: Round) -> None:
    """Record that a player is coming, and cancel their bye. The deadline is the same as for requesting byes.

    In a Keizer season, this includes later games of the same evening. Raises ArbiterProblem if the arbiter marked them
    as absent.
    """
    current = lock_waiting_round(entry, round)
    _check_in_time(entry, current)
    games = _games_of_evening(entry, current)
    absences = Bye.objects.filter(round__in=games, entry=entry, kind=Bye.Kind.ABSENT)
    if absences.exists():
        raise ArbiterProblem(_("You're marked as absent. If you want to play, tell the arbiter."), entries=[entry])
    for each in games:
        _sign_up(entry, each)


def _sign_up(entry: Entry, round: Round) -> None:
    deleted, _kinds = Bye.objects.filter(round=round, entry=entry, kind__in=REQUESTED_BYE_KINDS).delete()
    if CheckIn.objects.filter(round=round, entry=entry, is_coming=True).exists():
        return
    CheckIn.objects.update_or_create(
        round=round,
        entry=entry,
        defaults={"is_coming": True},
        create_defaults={"is_coming": True, "at": timezone.now()},
    )
    record_action(
        round.tournament,
        EventAction.BYE_REQUEST_WITHDRAWN if deleted else EventAction.PLAYER_SIGNED_UP,
        by=None,
        round=round,
        name=entry.name,
        entry=entry.pk,
    )


def _games_of_evening(entry: Entry, round: Round) -> list[Round]:
    """Return the round and, in a Keizer season, the later rounds of the same evening that the player is in."""
    if round.tournament.system != PairingSystem.KEIZER:
        return [round]
    following = round.tournament.rounds.filter(number__gt=round.number, state=Round.State.WAITING)
    return [
        round,
        *(
            each
            for each in following
            if is_same_evening(round, each) and entries_in_round(each).filter(pk=entry.pk).exists()
        ),
    ]


def offered_bye_kinds(entry: Entry, rounds: Iterable[Round], used: set[int] | None = None) -> dict[int, Bye.Kind]:
    """Return the bye a player would get on request, by round key: the kind the event grants, else a zero-point bye.

    `used` are the rounds of their byes (`rounds_of_byes`), if already loaded.
    """
    used = rounds_of_byes(entry) if used is None else used
    granted = granted_bye_kind(entry.tournament)
    return {
        each.pk: granted if _is_granted(entry, each, granted, used=used) else Bye.Kind.ZERO_POINT for each in rounds
    }


def rounds_of_byes(entry: Entry) -> set[int]:
    """Return the rounds in which the player has a bye with points, without rounds missed before a late entry."""
    asked = Bye.objects.filter(entry=entry, kind__in=(Bye.Kind.FULL_POINT, Bye.Kind.HALF_POINT))
    return set(asked.filter(round__number__gte=entry.entered_in_round).values_list("round", flat=True))


def granted_bye_kind(tournament: Tournament) -> Bye.Kind:
    """Return the kind of bye that the event grants on request: in a Keizer season, an absence with notice."""
    if tournament.system == PairingSystem.KEIZER:
        return Bye.Kind.HALF_POINT
    return Bye.Kind(tournament.requested_bye_worth)


def remaining_byes(entry: Entry) -> int:
    """Return the number of byes with points that the event still grants the player."""
    return max(0, entry.tournament.requested_byes_allowed - len(rounds_of_byes(entry)))


def is_before_bye_deadline(round: Round) -> bool:
    """Return True if players can still request byes for the round or withdraw their requests."""
    deadline = bye_deadline(round)
    return deadline is None or timezone.now() <= deadline


def _check_in_time(entry: Entry, round: Round) -> None:
    """Raise ArbiterProblem if the player's deadline has passed."""
    if not is_before_bye_deadline(round):
        raise ArbiterProblem(
            _("The deadline to request or cancel a bye for round %(round)s was %(time)s. Ask the arbiter.")
            % {"round": round.number, "time": _deadline_text(round)},
            entries=[entry],
        )


def _deadline_text(round: Round) -> str:
    deadline = bye_deadline(round)
    return date_format(timezone.localtime(deadline), "SHORT_DATETIME_FORMAT") if deadline else ""


def _set_requested(entry: Entry, round: Round, kind: str) -> Bye:
    """Save the bye and delete the player's check-in, which no longer applies."""
    bye, _is_new = Bye.objects.update_or_create(round=round, entry=entry, defaults={"kind": kind})
    CheckIn.objects.filter(round=round, entry=entry).delete()
    return bye


def _is_granted(entry: Entry, round: Round, kind: Bye.Kind, *, used: set[int]) -> bool:
    try:
        _check_granted(entry, round, kind, used=used)
    except ArbiterProblem:
        return False
    return True


def _check_granted(entry: Entry, round: Round, kind: Bye.Kind, *, used: set[int]) -> None:
    """Raise ArbiterProblem unless the event's rules grant this bye. `used` are the rounds of the player's byes."""
    tournament = round.tournament
    if kind is Bye.Kind.ZERO_POINT:
        return
    if not is_before_bye_deadline(round):
        raise ArbiterProblem(
            _("The deadline to request a bye for round %(round)s was %(time)s.")
            % {"round": round.number, "time": _deadline_text(round)},
            entries=[entry],
        )
    if tournament.system == PairingSystem.KEIZER:
        # The system itself counts how many absences give something.
        return
    if _HALF_POINTS[kind] > _HALF_POINTS[Bye.Kind(tournament.requested_bye_worth)]:
        raise ArbiterProblem(_("This event doesn't allow this kind of bye."), entries=[entry])
    if round.number == tournament.rounds_announced and not tournament.bye_in_last_round:
        raise ArbiterProblem(_("This event doesn't allow byes in the last round."), entries=[entry])
    if len(used - {round.pk}) >= tournament.requested_byes_allowed:
        raise ArbiterProblem(
            _("%(name)s has used all byes allowed in this event (%(allowed)s).")
            % {"name": entry.name, "allowed": tournament.requested_byes_allowed},
            entries=[entry],
        )
