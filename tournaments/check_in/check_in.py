"""The door of a round: who is here, who is on the way, who has not been seen.

Until check-in is closed, nobody is left out for not having been seen. Closing it makes everyone absent whom the
arbiter, shown their names, leaves so. Who is here is paired; who is late is paired too, unless the arbiter says
otherwise; who is absent is not (see `byes`).
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
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.lines import record
from tournaments.check_in.byes import Attendance, attendance, hold_waiting, taking_part
from tournaments.entries.entering import withdraw
from tournaments.locking import hold_round
from tournaments.models import Bye, CheckIn, Entry, Game, LogEntry, Round
from tournaments.problems import ArbiterProblem

NAMES_IN_A_LINE = 50
"""So many names a line of the log holds at most."""


class Seen(StrEnum):
    """Where a player stands at the door of a round."""

    NOT_YET = ""
    HERE = "here"
    LATE = "late"
    ABSENT = "absent"
    BYE = "bye"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorLine:
    """A player at the door: his bye or absence, and what was tapped; None where there is neither."""

    entry: Entry
    bye: Bye | None
    check_in: CheckIn | None

    @property
    def seen(self) -> Seen:
        return _seen(self.bye.kind if self.bye else None, self.check_in.state if self.check_in else None)

    @property
    def says_here(self) -> bool:
        """He has tapped that he is here, against what the arbiter has of him: somebody has to look."""
        return self.check_in is not None and self.check_in.says_here_at is not None

    @property
    def by_himself(self) -> bool:
        """He tapped it himself."""
        return self.check_in is not None and self.check_in.by_player and self.seen in (Seen.HERE, Seen.LATE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Everyone who takes part in a round, by key of the entry: name, and where he stands; who has to be looked at."""

    round: Round
    names: dict[int, str]
    byes: dict[int, Bye]
    seen: dict[int, Seen]
    says_here: frozenset[int]

    @property
    def not_yet(self) -> list[int]:
        """Whom nobody has seen."""
        return [key for key, state in self.seen.items() if state is Seen.NOT_YET]

    def lines(self, keys: Sequence[int]) -> list[DoorLine]:
        """These players' lines, in this order; two queries."""
        entries = Entry.objects.in_bulk(keys)
        check_ins = {row.entry_id: row for row in self.round.check_ins.filter(entry__in=keys)}
        return [
            DoorLine(entry=entries[key], bye=self.byes.get(key), check_in=check_ins.get(key))
            for key in keys
            if key in entries
        ]


class TapResult(StrEnum):
    """What became of a player's own tap."""

    HERE = "here"
    LATE = "late"
    ARBITER_TOLD = "arbiter told"


def door_lines(round: Round, *, only: Collection[int] | None = None) -> list[DoorLine]:
    """Everyone who takes part in the round, by name, or `only` these entries; three queries."""
    rows = round.check_ins.select_related("by")
    check_ins = {row.entry_id: row for row in (rows if only is None else rows.filter(entry__in=only))}
    return [
        DoorLine(entry=each.entry, bye=each.bye, check_in=check_ins.get(each.entry.pk))
        for each in attendance(round, only=only)
    ]


def whole_door(round: Round) -> Door:
    """Everyone's name and state, as `door_lines` has them but without the rows, in no order; three queries."""
    names = dict(taking_part(round).values_list("pk", "name"))
    byes = {bye.entry_id: bye for bye in round.byes.all()}
    taps = {
        entry: (state, since) for entry, state, since in round.check_ins.values_list("entry", "state", "says_here_at")
    }
    return Door(
        round=round,
        names=names,
        byes=byes,
        seen={
            key: _seen(byes[key].kind if key in byes else None, taps[key][0] if key in taps else None) for key in names
        },
        says_here=frozenset(key for key, (_state, since) in taps.items() if since is not None and key in names),
    )


def _seen(bye: str | None, tap: str | None) -> Seen:
    """A bye says more than a tap: it may have been noted after it, on another page."""
    if bye is not None and bye != Bye.Kind.PAIRING_ALLOCATED:
        return Seen.ABSENT if bye == Bye.Kind.ABSENT else Seen.BYE
    return Seen.NOT_YET if tap is None or tap == CheckIn.State.ABSENT else Seen(tap)


def is_open(round: Round) -> bool:
    """Players can be checked in by themselves: the round is not paired and check-in not closed."""
    return round.state == Round.State.WAITING and round.check_in_closed_at is None


def states_at_the_door(round: Round) -> dict[int, str]:
    """What is known of whom, by the entries' keys: a `CheckIn.State`, or empty of one who only says that he is here."""
    return dict(round.check_ins.values_list("entry", "state"))


def not_seen(round: Round, players: Iterable[Attendance], states: Mapping[int, str]) -> list[Entry]:
    """Those of `players` to be paired whom nobody has seen at an open door; nobody where check-in was not begun.

    Whoever only says that he is here has not been seen. `states` are those at the round's door.
    """
    if not states or not is_open(round):
        return []
    return [each.entry for each in players if each.is_to_be_paired and not states.get(each.entry.pk)]


def on_the_way(players: Iterable[Attendance], states: Mapping[int, str]) -> list[Entry]:
    """Those of `players` to be paired who are late: paired like those who are here, unless the arbiter decides else."""
    return [each.entry for each in players if each.is_to_be_paired and states.get(each.entry.pk) == CheckIn.State.LATE]


def latest_line(round: Round) -> LogEntry | None:
    """The round's latest line of the log."""
    return LogEntry.objects.filter(round=round).first()


def latest_change(round: Round) -> int:
    """The key of that line: what a page of the door is as new as."""
    return LogEntry.objects.filter(round=round).values_list("pk", flat=True).first() or 0


def changed_since(round: Round, since: int) -> set[int]:
    """The entries of whom something was written in the round's log after that line: their rows may look otherwise.

    As long as a round is not paired, whoever writes of it holds the event, so that no line appears before one seen.
    """
    return entries_named(LogEntry.objects.filter(round=round, pk__gt=since))


def entries_named(lines: QuerySet[LogEntry]) -> set[int]:
    """The keys of the entries that lines of the log are of."""
    named: set[int] = set()
    for details in lines.values_list("details", flat=True):
        named.update(key for key in [details.get("entry"), *details.get("entries", [])] if isinstance(key, int))
    return named


@transaction.atomic
def mark(entry: Entry, round: Round, state: str, *, by: User | None) -> None:
    """Somebody at the door says where a player is: a `CheckIn.State`, or empty to take it back.

    Here and late end an absence and a requested bye; absent stands in place of both. The same twice changes nothing.
    Raises ArbiterProblem once the round is paired.
    """
    current = hold_waiting(entry, round)
    before = _line_of(entry, current)
    wanted = CheckIn.State(state) if state else None
    if before.seen == Seen(state) and not before.says_here and not before.by_himself:
        return
    if wanted is CheckIn.State.ABSENT:
        Bye.objects.update_or_create(round=current, entry=entry, defaults={"kind": Bye.Kind.ABSENT, "reasons": []})
    else:
        Bye.objects.filter(round=current, entry=entry).delete()
    if wanted is None:
        CheckIn.objects.filter(round=current, entry=entry).delete()
    else:
        _write(entry, current, wanted, by=by)
    record(
        current.tournament, EventAction.CHECKED_IN, by=by, round=current, name=entry.name, entry=entry.pk, state=state
    )


@transaction.atomic
def check_in_by_player(entry: Entry, round: Round, *, late: bool = False, to_be_confirmed: bool = False) -> TapResult:
    """The player himself taps that he is here, or on the way.

    What the arbiter has of him, or a bye he has asked for, is not undone by that: the arbiter is told. So he is where
    the tap is `to_be_confirmed`, because nothing says that the player stands in the room. Raises
    ArbiterProblem when check-in is closed, the round is paired, or players do not check themselves in.
    """
    current = hold_waiting(entry, round)
    _check_players_may(current)
    line = _line_of(entry, current)
    wanted = CheckIn.State.LATE if late else CheckIn.State.HERE
    if line.seen in (Seen.ABSENT, Seen.BYE) or (to_be_confirmed and line.seen is not Seen.HERE):
        if not line.says_here:
            state = line.check_in.state if line.check_in else ""
            by = line.check_in.by if line.check_in else None
            _write(entry, current, state, by=by, says_here=True)
            record(
                current.tournament, EventAction.SAYS_HE_IS_HERE, by=None, round=current, name=entry.name, entry=entry.pk
            )
        return TapResult.ARBITER_TOLD
    if line.seen not in (Seen.HERE, wanted.value):
        _write(entry, current, wanted, by=None, by_player=True)
        record(
            current.tournament,
            EventAction.PLAYER_CHECKED_IN,
            by=None,
            round=current,
            name=entry.name,
            entry=entry.pk,
            state=wanted.value,
        )
    return TapResult(wanted.value)


@transaction.atomic
def undo_by_player(entry: Entry, round: Round) -> None:
    """It was the wrong name: what was tapped by a player goes again; what the arbiter has said stays."""
    current = hold_waiting(entry, round)
    _check_players_may(current)
    line = _line_of(entry, current)
    if line.by_himself:
        CheckIn.objects.filter(round=current, entry=entry).delete()
    elif line.says_here and line.check_in is not None and line.check_in.state:
        CheckIn.objects.filter(pk=line.check_in.pk).update(says_here_at=None)
    elif line.says_here:
        CheckIn.objects.filter(round=current, entry=entry).delete()
    else:
        return
    record(
        current.tournament, EventAction.CHECKED_IN, by=None, round=current, name=entry.name, entry=entry.pk, state=""
    )


@transaction.atomic
def close_check_in(
    round: Round, *, not_seen: Collection[int], left_out: Collection[int] = (), by: User | None
) -> list[Entry]:
    """Close the door: those not seen, whose names the arbiter was shown, are absent. Returns them.

    `not_seen` are the keys of the names he was shown, `left_out` of those late whom he will not wait for. Whoever was
    seen meanwhile is not made absent. Raises ArbiterProblem, and changes nothing, when somebody else is not seen.
    """
    current = hold_round(round)
    if current.state != Round.State.WAITING:
        raise ArbiterProblem(_("Round %(round)s is paired already.") % {"round": current.number})
    lines = door_lines(current)
    missing = [line.entry for line in lines if line.seen is Seen.NOT_YET]
    if unnamed := [entry.name for entry in missing if entry.pk not in not_seen]:
        raise ArbiterProblem(
            _("Not seen either, and not on your list: %(names)s. Look once more.") % {"names": "; ".join(unnamed)}
        )
    absent = missing + [line.entry for line in lines if line.seen is Seen.LATE and line.entry.pk in left_out]
    _make_absent(current, absent, by=by)
    current.check_in_closed_at = timezone.now()
    current.save(update_fields=["check_in_closed_at"])
    record(
        current.tournament,
        EventAction.CHECK_IN_CLOSED,
        by=by,
        round=current,
        count=len(absent),
        names=[entry.name for entry in absent[:NAMES_IN_A_LINE]],
        entries=[entry.pk for entry in absent],
    )
    return absent


@transaction.atomic
def reopen_check_in(round: Round, *, by: User | None) -> None:
    """Players can check themselves in again; whoever was made absent stays so until somebody sees him."""
    current = hold_round(round)
    if current.state != Round.State.WAITING:
        raise ArbiterProblem(_("Round %(round)s is paired already.") % {"round": current.number})
    if current.check_in_closed_at is not None:
        current.check_in_closed_at = None
        current.save(update_fields=["check_in_closed_at"])
        record(current.tournament, EventAction.CHECK_IN_OPENED, by=by, round=current)


def absent_without_notice(round: Round, states: Mapping[int, str] | None = None) -> list[Entry]:
    """Who did not come to a finished round and still stands on the list for the next (Dutch 1992, F8), by name.

    Whoever was absent, or lost by forfeit; a bye asked for is notice, and so is having been seen at the door of the
    next round, of which `states` are, where they are known already. Empty once the next round is paired.
    """
    following = round.tournament.rounds.filter(number=round.number + 1, state=Round.State.WAITING).first()
    if round.state != Round.State.FINISHED or following is None:
        return []
    states = states_at_the_door(following) if states is None else states
    keys = set(round.byes.filter(kind=Bye.Kind.ABSENT).values_list("entry", flat=True))
    for result, white, black in round.games.filter(result__in=_FORFEITS).values_list("result", "white", "black"):
        keys.update({white, black} if result == Game.Result.DOUBLE_FORFEIT else {_FORFEITED_BY[result](white, black)})
    keys.difference_update(key for key, state in states.items() if state in (CheckIn.State.HERE, CheckIn.State.LATE))
    return list(Entry.objects.filter(pk__in=keys, withdrawn_from_round=None).order_by("name", "pk"))


def stayed_away(round: Round, missing: Iterable[Entry]) -> set[int]:
    """The keys of those of `missing` who stayed away without a word, as far as can be known.

    Whoever lost by forfeit, or was not seen when check-in was closed. Whom the arbiter has marked absent by himself is
    not among them: somebody must have told him.
    """
    closings = LogEntry.objects.filter(round=round, action=EventAction.CHECK_IN_CLOSED)
    unseen = {key for details in closings.values_list("details", flat=True) for key in details.get("entries", [])}
    absent = set(round.byes.filter(kind=Bye.Kind.ABSENT).values_list("entry", flat=True))
    return {entry.pk for entry in missing if entry.pk in unseen or entry.pk not in absent}


@transaction.atomic
def withdraw_absent(round: Round, keys: Collection[int], *, by: User | None) -> list[Entry]:
    """Take those absent without notice, as far as `keys` name them, out of the rounds to come. Returns them."""
    withdrawn = [entry for entry in absent_without_notice(hold_round(round)) if entry.pk in keys]
    return [withdraw(entry, round.number + 1, by=by) for entry in withdrawn]


_FORFEITED_BY = {
    Game.Result.WHITE_WINS_FORFEIT.value: lambda white, black: black,
    Game.Result.BLACK_WINS_FORFEIT.value: lambda white, black: white,
}
_FORFEITS = [*_FORFEITED_BY, Game.Result.DOUBLE_FORFEIT.value]


def _check_players_may(round: Round) -> None:
    if not round.tournament.players_check_in:
        raise ArbiterProblem(_("In this event the arbiter notes who is here."))
    if round.check_in_closed_at is not None:
        raise ArbiterProblem(_("Check-in is closed. Go to the arbiter: you may still be paired."))


def _line_of(entry: Entry, round: Round) -> DoorLine:
    return DoorLine(
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
