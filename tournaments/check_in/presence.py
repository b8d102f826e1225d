"""Check-in of a round: who is here, who is late, who has not been seen.

While check-in is open, nobody is left out for not having been seen. Closing it marks those not seen as absent, after
the arbiter was shown their names. Players who are here are paired. Late players are paired unless the arbiter decides
otherwise; absent players are not (see `byes`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.access import lock_round, lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.check_in.byes import entries_in_round, lock_waiting_round, round_attendance
from tournaments.entries.enrolment import withdraw_player
from tournaments.events.next_evening import is_same_evening
from tournaments.models import Bye, CheckIn, Entry, Game, LogEntry, PairingSystem, Round
from tournaments.problems import ArbiterProblem

MAX_NAMES_IN_LOG = 50
"""The maximum number of names in a line of the log."""


class CheckInStatus(StrEnum):
    """A player's status at check-in."""

    NOT_YET = ""
    HERE = "here"
    LATE = "late"
    ABSENT = "absent"
    BYE = "bye"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInRow:
    """A player's line on the check-in page. `bye` (or absence) and `check_in` are None if not recorded."""

    entry: Entry
    bye: Bye | None
    check_in: CheckIn | None

    @property
    def status(self) -> CheckInStatus:
        return _seen(self.bye.kind if self.bye else None, self.check_in.state if self.check_in else None)

    @property
    def has_claimed_presence(self) -> bool:
        """Return True if the player reported being here, but the arbiter has to confirm it."""
        return self.check_in is not None and self.check_in.says_here_at is not None

    @property
    def is_away(self) -> bool:
        """Return True if the player is absent or has a bye."""
        return self.status in (CheckInStatus.ABSENT, CheckInStatus.BYE)

    @property
    def is_here(self) -> bool:
        """Return True if the player is here or on the way."""
        return self.status in (CheckInStatus.HERE, CheckInStatus.LATE)

    @property
    def is_self_checked_in(self) -> bool:
        """Return True if the player checked themselves in."""
        return self.check_in is not None and self.check_in.by_player and self.is_here


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCheckIn:
    """The names and statuses of everyone in a round by entry key, and the players whose claims need confirming."""

    round: Round
    names: dict[int, str]
    byes: dict[int, Bye]
    statuses: dict[int, CheckInStatus]
    presence_claims: frozenset[int]
    coming: frozenset[int]
    """The players who said beforehand that they are coming."""
    has_begun: bool
    """True if anybody has been marked, or has reported being here."""

    @property
    def silent(self) -> list[int]:
        """The keys of the players who have neither answered nor been seen."""
        return [key for key in self.unseen_entry_ids if key not in self.coming and key not in self.presence_claims]

    @property
    def unseen_entry_ids(self) -> list[int]:
        """The keys of the players who have not been seen."""
        return [key for key, state in self.statuses.items() if state is CheckInStatus.NOT_YET]

    def rows_of_players(self, keys: Sequence[int]) -> list[CheckInRow]:
        """Return the rows of these players, in this order. Two queries."""
        entries = Entry.objects.in_bulk(keys)
        check_ins = {row.entry_id: row for row in self.round.check_ins.filter(entry__in=keys)}
        return [
            CheckInRow(entry=entries[key], bye=self.byes.get(key), check_in=check_ins.get(key))
            for key in keys
            if key in entries
        ]


class SelfCheckInResult(StrEnum):
    """The outcome of a player's own check-in."""

    HERE = "here"
    LATE = "late"
    ARBITER_TOLD = "arbiter told"


def check_in_rows(round: Round, *, only: Collection[int] | None = None) -> list[CheckInRow]:
    """Return the rows of everyone in the round, or only of the entries in `only`, sorted by name. Three queries."""
    rows = round.check_ins.select_related("by")
    check_ins = {row.entry_id: row for row in (rows if only is None else rows.filter(entry__in=only))}
    return [
        CheckInRow(entry=each.entry, bye=each.bye, check_in=check_ins.get(each.entry.pk))
        for each in round_attendance(round, only=only)
    ]


def load_round_check_in(round: Round) -> RoundCheckIn:
    """Return everyone's name and status in no particular order, without the rows of `check_in_rows`. Three queries."""
    names = dict(entries_in_round(round).values_list("pk", "name"))
    byes = {bye.entry_id: bye for bye in round.byes.all()}
    check_ins = list(round.check_ins.values_list("entry", "state", "says_here_at", "is_coming"))
    taps = {entry: (state, since) for entry, state, since, _coming in check_ins if state or since}
    return RoundCheckIn(
        round=round,
        names=names,
        byes=byes,
        statuses={
            key: _seen(byes[key].kind if key in byes else None, taps[key][0] if key in taps else None) for key in names
        },
        presence_claims=frozenset(key for key, (_state, since) in taps.items() if since is not None and key in names),
        coming=frozenset(entry for entry, _state, _since, is_coming in check_ins if is_coming and entry in names),
        has_begun=bool(taps),
    )


def _seen(bye: str | None, tap: str | None) -> CheckInStatus:
    """Return a player's status. A bye overrides a check-in: it may have been noted later on another page."""
    if bye is not None and bye != Bye.Kind.PAIRING_ALLOCATED:
        return CheckInStatus.ABSENT if bye == Bye.Kind.ABSENT else CheckInStatus.BYE
    return CheckInStatus.NOT_YET if tap is None or tap == CheckIn.State.ABSENT else CheckInStatus(tap)


def silent_players(round: Round) -> list[int]:
    """Return the keys of the players who won't be paired because they haven't signed up. Empty in most events."""
    if not round.tournament.only_sign_ups or round.pairing_method.has_fixed_schedule:
        return []
    return load_round_check_in(round).silent


def clear_check_ins(rows: QuerySet[CheckIn]) -> None:
    """Clear what was recorded at check-in. What players said beforehand is kept."""
    rows.filter(is_coming=False).delete()
    rows.update(state="", by=None, by_player=False, says_here_at=None)


def is_check_in_open(round: Round) -> bool:
    """Return True if players can check in: the round is not paired and check-in is not closed."""
    return round.state == Round.State.WAITING and round.check_in_closed_at is None


def check_in_states(round: Round) -> dict[int, str]:
    """Return the recorded state by entry key: a `CheckIn.State`, or empty if only the player has reported something."""
    return dict(round.check_ins.values_list("entry", "state"))


def latest_log_line(round: Round) -> LogEntry | None:
    """Return the round's latest log line."""
    return LogEntry.objects.filter(round=round).first()


def latest_log_id(round: Round) -> int:
    """Return the key of the round's latest log line, which serves as the version of a check-in page."""
    return LogEntry.objects.filter(round=round).values_list("pk", flat=True).first() or 0


def entries_changed_since(round: Round, since: int) -> set[int]:
    """Return the entries with a line in the round's log after `since`, whose rows may have changed.

    Until a round is paired, writers lock the event. So no line appears before one already seen.
    """
    return entries_in_log_lines(LogEntry.objects.filter(round=round, pk__gt=since))


def entries_in_log_lines(lines: QuerySet[LogEntry]) -> set[int]:
    """Return the keys of the entries named in log lines."""
    named: set[int] = set()
    for details in lines.values_list("details", flat=True):
        named.update(key for key in [details.get("entry"), *details.get("entries", [])] if isinstance(key, int))
    return named


@transaction.atomic
def set_check_in_state(entry: Entry, round: Round, state: str, *, by: User | None) -> None:
    """Set a player's state on an officer's behalf: a `CheckIn.State`, or empty to clear it.

    Here and late remove an absence or requested bye; absent replaces both. Setting the same state again changes
    nothing. Raises ArbiterProblem if the round is paired.
    """
    current = lock_waiting_round(entry, round)
    before = _line_of(entry, current)
    wanted = CheckIn.State(state) if state else None
    if before.status == CheckInStatus(state) and not before.has_claimed_presence and not before.is_self_checked_in:
        return
    if wanted is CheckIn.State.ABSENT:
        Bye.objects.update_or_create(round=current, entry=entry, defaults={"kind": Bye.Kind.ABSENT, "reasons": []})
    else:
        Bye.objects.filter(round=current, entry=entry).delete()
    if wanted is None:
        clear_check_ins(current.check_ins.filter(entry=entry))
    else:
        _write(entry, current, wanted, by=by)
    record_action(
        current.tournament, EventAction.CHECKED_IN, by=by, round=current, name=entry.name, entry=entry.pk, state=state
    )


@transaction.atomic
def check_in_by_player(
    entry: Entry, round: Round, *, late: bool = False, to_be_confirmed: bool = False
) -> SelfCheckInResult:
    """Check in a player who reports that they are here or late.

    This does not undo an absence or a bye: the claim is noted for the arbiter instead. It is also only noted with
    `to_be_confirmed`, where nothing proves that the player is on site. Raises ArbiterProblem if check-in is closed, the
    round is paired, or players do not check themselves in.
    """
    current = lock_waiting_round(entry, round)
    _check_players_may(current)
    line = _line_of(entry, current)
    wanted = CheckIn.State.LATE if late else CheckIn.State.HERE
    if line.is_away or (to_be_confirmed and line.status is not CheckInStatus.HERE):
        if not line.has_claimed_presence:
            state = line.check_in.state if line.check_in else ""
            by = line.check_in.by if line.check_in else None
            _write(entry, current, state, by=by, says_here=True)
            record_action(
                current.tournament,
                EventAction.PRESENCE_CLAIMED,
                by=None,
                round=current,
                name=entry.name,
                entry=entry.pk,
            )
        return SelfCheckInResult.ARBITER_TOLD
    if line.status not in (CheckInStatus.HERE, wanted.value):
        _write(entry, current, wanted, by=None, by_player=True)
        record_action(
            current.tournament,
            EventAction.PLAYER_CHECKED_IN,
            by=None,
            round=current,
            name=entry.name,
            entry=entry.pk,
            state=wanted.value,
        )
    return SelfCheckInResult(wanted.value)


@transaction.atomic
def undo_check_in_by_player(entry: Entry, round: Round) -> None:
    """Undo a player's own check-in, for example if they tapped the wrong name. The arbiter's entries are kept."""
    current = lock_waiting_round(entry, round)
    _check_players_may(current)
    line = _line_of(entry, current)
    if line.is_self_checked_in:
        clear_check_ins(current.check_ins.filter(entry=entry))
    elif line.has_claimed_presence and line.check_in is not None and line.check_in.state:
        CheckIn.objects.filter(pk=line.check_in.pk).update(says_here_at=None)
    elif line.has_claimed_presence:
        clear_check_ins(current.check_ins.filter(entry=entry))
    else:
        return
    record_action(
        current.tournament, EventAction.CHECKED_IN, by=None, round=current, name=entry.name, entry=entry.pk, state=""
    )


@transaction.atomic
def close_check_in(
    round: Round, *, not_seen: Collection[int], left_out: Collection[int] = (), by: User | None
) -> list[Entry]:
    """Close check-in and mark players who have not been seen as absent. Returns these players.

    `not_seen` are the keys of the names shown to the arbiter, `left_out` the late players they will not wait for.
    Players seen in the meantime are not marked absent. Raises ArbiterProblem, and changes nothing, if another player is
    not seen.
    """
    current = lock_round(round)
    if current.state != Round.State.WAITING:
        raise ArbiterProblem(_("Round %(round)s is already paired.") % {"round": current.number})
    lines = check_in_rows(current)
    missing = [line.entry for line in lines if line.status is CheckInStatus.NOT_YET]
    if unnamed := [entry.name for entry in missing if entry.pk not in not_seen]:
        raise ArbiterProblem(
            _("These players weren't on the list and haven't checked in either: %(names)s. Check again.")
            % {"names": "; ".join(unnamed)}
        )
    absent = missing + [line.entry for line in lines if line.status is CheckInStatus.LATE and line.entry.pk in left_out]
    _make_absent(current, absent, by=by)
    current.check_in_closed_at = timezone.now()
    current.save(update_fields=["check_in_closed_at"])
    record_action(
        current.tournament,
        EventAction.CHECK_IN_CLOSED,
        by=by,
        round=current,
        count=len(absent),
        names=[entry.name for entry in absent[:MAX_NAMES_IN_LOG]],
        entries=[entry.pk for entry in absent],
    )
    return absent


@transaction.atomic
def reopen_check_in(round: Round, *, by: User | None) -> None:
    """Reopen check-in for players. Players marked absent stay absent until somebody sees them."""
    current = lock_round(round)
    if current.state != Round.State.WAITING:
        raise ArbiterProblem(_("Round %(round)s is already paired.") % {"round": current.number})
    if current.check_in_closed_at is not None:
        current.check_in_closed_at = None
        current.save(update_fields=["check_in_closed_at"])
        record_action(current.tournament, EventAction.CHECK_IN_REOPENED, by=by, round=current)


def absent_without_notice(round: Round, states: Mapping[int, str] | None = None) -> list[Entry]:
    """Return players who missed a finished round without notice but are still in the next (Dutch 1992, F8), by name.

    They were absent or lost by forfeit. A requested bye counts as notice, and so does being checked in for the next
    round. `states` are the next round's check-in states, if already loaded. Empty if the next round is paired.
    """
    following = round.tournament.rounds.filter(number=round.number + 1, state=Round.State.WAITING).first()
    if round.state != Round.State.FINISHED or following is None:
        return []
    states = check_in_states(following) if states is None else states
    keys = set(round.byes.filter(kind=Bye.Kind.ABSENT).values_list("entry", flat=True))
    for result, white, black in round.games.filter(result__in=_FORFEITS).values_list("result", "white", "black"):
        keys.update({white, black} if result == Game.Result.DOUBLE_FORFEIT else {_FORFEITED_BY[result](white, black)})
    keys.difference_update(key for key, state in states.items() if state in (CheckIn.State.HERE, CheckIn.State.LATE))
    return list(Entry.objects.filter(pk__in=keys, withdrawn_from_round=None).order_by("name", "pk"))


def absent_without_message(round: Round, missing: Iterable[Entry]) -> set[int]:
    """Return the keys of the players in `missing` who gave no notice that we know of.

    They lost by forfeit, or were not seen when check-in was closed. A player the arbiter marked absent is left out:
    somebody must have notified the arbiter.
    """
    closings = LogEntry.objects.filter(round=round, action=EventAction.CHECK_IN_CLOSED)
    unseen = {key for details in closings.values_list("details", flat=True) for key in details.get("entries", [])}
    absent = set(round.byes.filter(kind=Bye.Kind.ABSENT).values_list("entry", flat=True))
    return {entry.pk for entry in missing if entry.pk in unseen or entry.pk not in absent}


@transaction.atomic
def withdraw_absent_players(round: Round, keys: Collection[int], *, by: User | None) -> list[Entry]:
    """Withdraw the players in `keys` who were absent without notice, from the next round onwards. Returns them."""
    withdrawn = [entry for entry in absent_without_notice(lock_round(round)) if entry.pk in keys]
    return [withdraw_player(entry, round.number + 1, by=by) for entry in withdrawn]


@transaction.atomic
def withdraw_at_check_in(entry: Entry, round: Round, *, by: User | None) -> Entry:
    """Withdraw a player who has gone home, starting with this round. Raises ArbiterProblem if it is already paired."""
    current = lock_waiting_round(entry, round)
    CheckIn.objects.filter(round=current, entry=entry).delete()
    return withdraw_player(entry, current.number, by=by)


def players_of_earlier_game(round: Round) -> set[int] | None:
    """Return the keys of the players paired or given the bye in the evening's previous game, in a Keizer season.

    None if the previous round was on another day.
    """
    if round.tournament.system != PairingSystem.KEIZER:
        return None
    before = round.tournament.rounds.filter(number=round.number - 1).first()
    if before is None or not is_same_evening(round, before):
        return None
    played = {key for pair in before.games.values_list("white", "black") for key in pair}
    return played | set(before.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).values_list("entry", flat=True))


@transaction.atomic
def enter_as_guest(entry: Entry, round: Round, *, by: User | None) -> Entry:
    """Let a player take part in this evening only: they are withdrawn from the next one onwards.

    Raises ArbiterProblem if the round is already paired.
    """
    current = lock_waiting_round(entry, round)
    rounds = current.tournament.rounds.filter(number__gt=current.number).order_by("number")
    following = next((each.number for each in rounds if not is_same_evening(current, each)), None)
    if following is None:
        raise ArbiterProblem(_("This is the last evening of the event."), entries=[entry])
    return withdraw_player(entry, following, by=by)


@transaction.atomic
def leave_event_as_player(entry: Entry) -> Entry:
    """Withdraw a player at their own request from the first unpaired round. Raises ArbiterProblem if there is none."""
    rounds = lock_tournament(entry.tournament_id).rounds
    paired = rounds.exclude(state=Round.State.WAITING).order_by("number").last()
    first = rounds.filter(number=paired.number + 1 if paired else 1).first()
    if first is None:
        raise ArbiterProblem(_("The last round is already paired. Ask the arbiter."), entries=[entry])
    CheckIn.objects.filter(round__in=rounds.filter(number__gte=first.number), entry=entry).delete()
    return withdraw_player(entry, first.number, by=None)


_FORFEITED_BY = {
    Game.Result.WHITE_WINS_FORFEIT.value: lambda white, black: black,
    Game.Result.BLACK_WINS_FORFEIT.value: lambda white, black: white,
}
_FORFEITS = [*_FORFEITED_BY, Game.Result.DOUBLE_FORFEIT.value]


def _check_players_may(round: Round) -> None:
    if not round.tournament.players_check_in:
        raise ArbiterProblem(_("In this event the arbiter checks players in."))
    if round.check_in_closed_at is not None:
        raise ArbiterProblem(_("Check-in is closed. Go to the arbiter, who may still be able to pair you."))


def _line_of(entry: Entry, round: Round) -> CheckInRow:
    return CheckInRow(
        entry=entry,
        bye=round.byes.filter(entry=entry).first(),
        check_in=round.check_ins.select_related("by").filter(entry=entry).first(),
    )


def _write(
    entry: Entry, round: Round, state: str, *, by: User | None, by_player: bool = False, says_here: bool = False
) -> None:
    now = timezone.now()
    CheckIn.objects.update_or_create(
        round=round,
        entry=entry,
        defaults={
            "state": state,
            "at": now,
            "by": by,
            "by_player": by_player,
            "says_here_at": now if says_here else None,
        },
    )


def _make_absent(round: Round, entries: Iterable[Entry], *, by: User | None) -> None:
    entries = list(entries)
    now = timezone.now()
    round.check_ins.filter(entry__in=entries).delete()
    CheckIn.objects.bulk_create(
        [CheckIn(round=round, entry=entry, state=CheckIn.State.ABSENT, at=now, by=by) for entry in entries],
        batch_size=400,
    )
    Bye.objects.bulk_create([Bye(round=round, entry=entry, kind=Bye.Kind.ABSENT) for entry in entries], batch_size=400)
