"""A club's day at a glance: tonight's event and who is missing, dues at the door, what was left undone, birthdays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from clubs.access import RUNNING_ROLES
from clubs.finance.bank.matching import open_lines
from clubs.finance.dues.balances import balances
from clubs.models import Club, Member, Role
from clubs.privacy import Part, parts_seen_by
from common.text.amounts import Cents
from tournaments.check_in.check_in import Seen, door_lines
from tournaments.events.progress import ListedEvent, NextStep, Progress, next_step
from tournaments.models import Entry, Game, Round, Tournament

NAMES_SHOWN = 8
DAYS_OF_BIRTHDAYS = 7
OLD = timedelta(hours=20)
"""A round that was published longer ago than this belongs to an evening that is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tonight:
    """The event being played, and its next step. `missing` are those of its round not seen yet, or late."""

    event: Tournament
    step: NextStep
    is_today: bool
    missing: tuple[Entry, ...] = ()
    away: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """A round of an evening that is over: boards without a result, or all results in and nobody has closed it."""

    round: Round
    open_boards: int
    adjourned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """A player of tonight's event who should have paid by now."""

    member: Member
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Birthday:
    """A member's next birthday, without his age."""

    member: Member
    on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """What whoever works for the club sees first, as far as his roles let him."""

    tonight: Tonight | None
    undone: tuple[Undone, ...] = ()
    owed: tuple[Owed, ...] = ()
    birthdays: tuple[Birthday, ...] = ()
    lines_to_book: int = 0
    """Lines of the bank's statements that wait for the treasurer."""


def glance_at(club: Club, events: Sequence[ListedEvent], roles: Collection[Role], *, now: datetime) -> Glance:
    """The club's day, in a number of queries that does not grow with its events or members."""
    sees = parts_seen_by(roles)
    today = timezone.localdate(now)
    tonight = _tonight(events, today) if roles else None
    runs = bool(RUNNING_ROLES.intersection(roles))
    return Glance(
        tonight=tonight,
        undone=_undone(club, tonight, now) if runs else (),
        owed=_owed(tonight, today) if tonight and Part.MONEY in sees else (),
        lines_to_book=open_lines(club).count() if Role.TREASURER in roles else 0,
        birthdays=_birthdays(club, today) if club.shows_birthdays and Part.CONTACT in sees else (),
    )


def _tonight(events: Sequence[ListedEvent], today: date) -> Tonight | None:
    """The event with a round today, else the one that is being played; the nearest in time of several."""
    going = [each.tournament for each in events if each.progress is not Progress.FINISHED]
    if not going:
        return None
    rounds: dict[int, list[Round]] = {}
    for each in Round.objects.filter(tournament__in=going).defer("scores"):
        rounds.setdefault(each.tournament_id, []).append(each)

    def closeness_key(event: Tournament) -> tuple[bool, int]:
        days = [timezone.localdate(each.starts_at) for each in _open(rounds.get(event.pk, [])) if each.starts_at]
        nearest = min((abs((day - today).days) for day in days), default=365)
        return not any(each.is_public for each in rounds.get(event.pk, [])) and nearest > 0, nearest

    event = min(going, key=closeness_key)
    of_event = rounds.get(event.pk, [])
    for each in of_event:
        each.tournament = event
    step = next_step(event, of_event)
    current = step.round
    missing: list[Entry] = []
    away: list[Entry] = []
    if current is not None:
        lines = door_lines(current)
        has_begun = any(line.seen in (Seen.HERE, Seen.LATE) for line in lines)
        # A round that is published waits for nobody: its boards say who plays.
        if not current.is_public:
            missing = [
                line.entry for line in lines if line.seen is Seen.LATE or (has_begun and line.seen is Seen.NOT_YET)
            ]
        away = [line.entry for line in lines if line.seen is Seen.ABSENT]
    is_today = bool(current and current.starts_at and timezone.localdate(current.starts_at) == today)
    return Tonight(event=event, step=step, is_today=is_today, missing=tuple(missing), away=tuple(away))


def _open(rounds: Sequence[Round]) -> list[Round]:
    return [each for each in rounds if each.state != Round.State.FINISHED]


def _undone(club: Club, tonight: Tonight | None, now: datetime) -> tuple[Undone, ...]:
    """Rounds published on an evening before this one and not closed, and adjourned games not finished."""
    found = (
        Round.objects.filter(tournament__in=club.tournaments.all())
        .filter(
            Q(state=Round.State.PUBLISHED, published_at__lt=now - OLD)
            | Q(state=Round.State.FINISHED, games__result=Game.Result.ADJOURNED)
        )
        .select_related("tournament")
        .defer("scores")
        .annotate(
            open_boards=Count("games", filter=Q(games__result=Game.Result.PENDING), distinct=True),
            adjourned=Count("games", filter=Q(games__result=Game.Result.ADJOURNED), distinct=True),
        )
        .order_by("published_at")
    )
    return tuple(
        Undone(round=each, open_boards=each.open_boards, adjourned=each.adjourned) for each in found[:NAMES_SHOWN]
    )


def _owed(tonight: Tonight, today: date) -> tuple[Owed, ...]:
    """Those of the event who owe something that is due, the most first."""
    playing = Member.objects.filter(entries__tournament=tonight.event, entries__withdrawn_from_round=None).distinct()
    members = {member.pk: member for member in playing}
    if not members:
        return ()
    standing = balances(tonight.event.club, today=today, members=members.values())
    owed = [Owed(member=members[key], amount=each.overdue) for key, each in standing.items() if each.overdue]
    return tuple(sorted(owed, key=lambda one: (-one.amount, one.member.pk)))


def _birthdays(club: Club, today: date) -> tuple[Birthday, ...]:
    """Of members, from today on, in the order in which they come."""
    days = [today + timedelta(days=after) for after in range(DAYS_OF_BIRTHDAYS)]
    wanted = Q()
    for day in days:
        wanted |= Q(birth_date__month=day.month, birth_date__day=day.day)
    born = Member.objects.present().filter(wanted, club=club, erased_at=None)
    on = {(day.month, day.day): day for day in days}
    found = [
        Birthday(member=each, on=on[each.birth_date.month, each.birth_date.day]) for each in born if each.birth_date
    ]
    return tuple(sorted(found, key=lambda each: (each.on, each.member.pk)))
