"""A club's dashboard: tonight's event and missing players, overdue dues, unfinished rounds, birthdays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from clubs.finance.bank.matching import bank_lines_to_review
from clubs.finance.dues.balances import member_balances
from clubs.models import Club, Member, MembershipApplication, Role
from clubs.privacy import DataCategory, visible_data_categories
from clubs.roles import EVENT_ROLES
from common.text.amounts import Cents
from tournaments.check_in.presence import CheckInStatus, check_in_rows
from tournaments.events.event_progress import EventProgress, ListedEvent, NextStep, find_next_step
from tournaments.models import Entry, Game, Round, Tournament

NAMES_SHOWN = 8
BIRTHDAY_DAYS = 7
OLD_ROUND_AGE = timedelta(hours=20)
"""A round published longer ago than this belongs to an evening that is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningEventSummary:
    """The event being played, and its next step. `missing` has players in its round who are late or not yet seen."""

    event: Tournament
    step: NextStep
    is_today: bool
    missing: tuple[Entry, ...] = ()
    away: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedRound:
    """A round from an earlier evening that isn't finished: some boards are open, or all have results."""

    round: Round
    open_boards: int
    adjourned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OverduePlayer:
    """A player in tonight's event whose dues are overdue."""

    member: Member
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcomingBirthday:
    """A member's next birthday, without their age."""

    member: Member
    on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubDashboard:
    """The club's dashboard, limited to what the viewer's roles allow."""

    tonight: RunningEventSummary | None
    undone: tuple[UnfinishedRound, ...] = ()
    owed: tuple[OverduePlayer, ...] = ()
    birthdays: tuple[UpcomingBirthday, ...] = ()
    lines_to_book: int = 0
    """Bank statement lines for the treasurer to review."""
    applications: int = 0
    """Applications for membership for the secretary to decide."""


def build_club_dashboard(
    club: Club, events: Sequence[ListedEvent], roles: Collection[Role], *, now: datetime
) -> ClubDashboard:
    """Build the dashboard. The number of queries doesn't grow with events or members."""
    sees = visible_data_categories(roles)
    today = timezone.localdate(now)
    tonight = _tonight(events, today) if roles else None
    runs = bool(EVENT_ROLES.intersection(roles))
    return ClubDashboard(
        tonight=tonight,
        undone=_undone(club, tonight, now) if runs else (),
        owed=_owed(tonight, today) if tonight and DataCategory.MONEY in sees else (),
        lines_to_book=bank_lines_to_review(club).count() if Role.TREASURER in roles else 0,
        applications=club.applications.filter(state=MembershipApplication.State.OPEN).count()
        if Role.SECRETARY in roles
        else 0,
        birthdays=_birthdays(club, today) if club.shows_birthdays and DataCategory.CONTACT in sees else (),
    )


def _tonight(events: Sequence[ListedEvent], today: date) -> RunningEventSummary | None:
    """Return the event with a round today, else the one being played. Of several, the nearest in time."""
    going = [each.tournament for each in events if each.progress is not EventProgress.FINISHED]
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
    step = find_next_step(event, of_event)
    current = step.round
    missing: list[Entry] = []
    away: list[Entry] = []
    if current is not None:
        lines = check_in_rows(current)
        has_begun = any(line.status in (CheckInStatus.HERE, CheckInStatus.LATE) for line in lines)
        # A published round waits for nobody: its boards show who plays.
        if not current.is_public:
            missing = [
                line.entry
                for line in lines
                if line.status is CheckInStatus.LATE or (has_begun and line.status is CheckInStatus.NOT_YET)
            ]
        away = [line.entry for line in lines if line.is_away]
    is_today = bool(current and current.starts_at and timezone.localdate(current.starts_at) == today)
    return RunningEventSummary(event=event, step=step, is_today=is_today, missing=tuple(missing), away=tuple(away))


def _open(rounds: Sequence[Round]) -> list[Round]:
    return [each for each in rounds if each.state != Round.State.FINISHED]


def _undone(club: Club, tonight: RunningEventSummary | None, now: datetime) -> tuple[UnfinishedRound, ...]:
    """Return rounds of earlier evenings that are not closed, and those with adjourned games."""
    found = (
        Round.objects.filter(tournament__in=club.tournaments.all())
        .filter(
            Q(state=Round.State.PUBLISHED, published_at__lt=now - OLD_ROUND_AGE)
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
        UnfinishedRound(round=each, open_boards=each.open_boards, adjourned=each.adjourned)
        for each in found[:NAMES_SHOWN]
    )


def _owed(tonight: RunningEventSummary, today: date) -> tuple[OverduePlayer, ...]:
    """Return the players of the event with overdue dues, the highest amount first."""
    playing = Member.objects.filter(entries__tournament=tonight.event, entries__withdrawn_from_round=None).distinct()
    members = {member.pk: member for member in playing}
    if not members:
        return ()
    standing = member_balances(tonight.event.club, today=today, members=members.values())
    owed = [OverduePlayer(member=members[key], amount=each.overdue) for key, each in standing.items() if each.overdue]
    return tuple(sorted(owed, key=lambda one: (-one.amount, one.member.pk)))


def _birthdays(club: Club, today: date) -> tuple[UpcomingBirthday, ...]:
    """Return the members' birthdays of the next days, in order."""
    days = [today + timedelta(days=after) for after in range(BIRTHDAY_DAYS)]
    wanted = Q()
    for day in days:
        wanted |= Q(birth_date__month=day.month, birth_date__day=day.day)
    born = Member.objects.exclude_former().filter(wanted, club=club, erased_at=None)
    on = {(day.month, day.day): day for day in days}
    found = [
        UpcomingBirthday(member=each, on=on[each.birth_date.month, each.birth_date.day])
        for each in born
        if each.birth_date
    ]
    return tuple(sorted(found, key=lambda each: (each.on, each.member.pk)))
