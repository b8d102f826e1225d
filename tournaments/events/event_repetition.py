"""Repeating an event some weeks later: its settings, evenings, prizes and, on request, its players."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from clubs.models import Club, Member, User
from clubs.privacy import ERASED_MEMBER_NAME
from common.locking import lock_row
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.entries.enrolment import enter_players_of_event
from tournaments.events.event_progress import EventProgress, ListedEvent
from tournaments.events.event_setup import create_tournament
from tournaments.models import (
    Entry,
    EntryFee,
    ForbiddenPair,
    LogEntry,
    OnlineEntrySettings,
    Prize,
    PrizeFund,
    Round,
    Tournament,
)
from tournaments.privacy.personal_data import hide_refused_names

COPIED_FIELDS = (
    "system",
    "procedure",
    "acceleration",
    "group_limit_a",
    "group_limit_c",
    "rounds_announced",
    "first_colour",
    "city",
    "chief_arbiter",
    "chief_arbiter_fide_id",
    "deputy_arbiters",
    "time_control",
    "rated_as",
    "fide_rated",
    "series",
    "requested_bye_worth",
    "requested_byes_allowed",
    "bye_in_last_round",
    "bye_deadline_hours",
    "only_sign_ups",
    "late_entry_worth",
    "tie_breaks",
    "point_system",
    "readings",
    "keizer_options",
    "is_public",
    "players_check_in",
    "players_report_results",
)
"""The fields copied from the event that is repeated."""
_LAST_NUMBER = re.compile(r"(\d+)(?=\D*$)")
_YEARS = range(1900, 2200)


def next_event_date(tournament: Tournament, *, today: date) -> date | None:
    """Return the start of the repeated event: whole weeks later, after the original event ends and not in the past."""
    if tournament.starts_on is None:
        return None
    return tournament.starts_on + timedelta(days=_days_on(tournament, today=today))


def next_event_name(name: str, *, years: int = 0, taken: Container[str] = ()) -> str:
    """Return a name for the next event that isn't taken.

    A number at the end is raised by 1, and a year by `years`. Other names get a number.
    """
    found = _LAST_NUMBER.search(name)
    is_count = found is not None and int(found[1]) not in _YEARS and len(found[1]) <= 4
    if found is not None and (is_count or (years and int(found[1]) in _YEARS)):
        number = int(found[1]) + (1 if is_count else years)
        after = name[: found.start()] + str(number).zfill(len(found[1])) + name[found.end() :]
    else:
        after = f"{name} (2)"
    return next_event_name(after, taken=taken) if after in taken else after


def latest_repeatable_event(events: Iterable[ListedEvent]) -> Tournament | None:
    """Return the latest of these events that has begun, so that the page can offer to repeat it."""
    begun = [
        each.tournament for each in events if each.progress is not EventProgress.TO_COME and each.tournament.starts_on
    ]
    return max(begun, key=lambda event: (str(event.starts_on), event.pk), default=None)


@transaction.atomic
def repeat_event(
    tournament: Tournament, *, by: User | None, with_players: bool, today: date, with_entry_form: bool = False
) -> tuple[Tournament, bool]:
    """Repeat an event some weeks later. Return the repeated event, and True if this call created it.

    A second click returns the event made by the first. Members come with today's ratings, guests as they were entered.
    Players who withdrew or left the club, and guests who entered online, are left out. The entry form is copied closed.
    Raises ArbiterProblem if an event or entry can't be created.
    """
    lock_row(Club, tournament.club_id)
    there = _made_already(tournament, today=today)
    if there is not None:
        return there, False
    days = _days_on(tournament, today=today)
    starts_on = next_event_date(tournament, today=today)
    years = starts_on.year - tournament.starts_on.year if starts_on and tournament.starts_on else 0
    taken = set(tournament.club.tournaments.values_list("name", flat=True))
    made = create_tournament(
        tournament.club,
        by=by,
        name=next_event_name(tournament.name, years=years, taken=taken),
        starts_on=starts_on,
        ends_on=_later(tournament.ends_on, days) if tournament.starts_on else None,
        **{name: getattr(tournament, name) for name in COPIED_FIELDS},
    )
    _give_evenings(tournament, made, days)
    _give_prizes(tournament, made)
    if with_entry_form:
        _give_entry_form(tournament, made, days)
    record_action(made, EventAction.EVENT_COPIED, by=by, name=tournament.name, event=tournament.pk)
    if with_players:
        _enter_players(tournament, made, by=by)
    return made, True


def _made_already(tournament: Tournament, *, today: date) -> Tournament | None:
    """Return the event an earlier click made, as long as nothing is paired in it."""
    lines = LogEntry.objects.filter(
        tournament__in=tournament.club.tournaments.filter(starts_on=next_event_date(tournament, today=today)),
        action=EventAction.EVENT_COPIED,
        details__event=tournament.pk,
    ).select_related("tournament__club")
    for line in lines:
        if not line.tournament.rounds.exclude(state=Round.State.WAITING).exists():
            return line.tournament
    return None


def _days_on(tournament: Tournament, *, today: date) -> int:
    first, last = tournament.starts_on, tournament.ends_on or tournament.starts_on
    if first is None or last is None:
        return 7
    weeks = 1
    while first + timedelta(weeks=weeks) <= last or first + timedelta(weeks=weeks) < today:
        weeks += 1
    return 7 * weeks


def _later(day: date | None, days: int) -> date | None:
    return None if day is None else day + timedelta(days=days)


def _give_evenings(old: Tournament, made: Tournament, days: int) -> None:
    """Give each round the same local time, in summer and in winter."""
    begins: Mapping[int, datetime | None] = dict(old.rounds.values_list("number", "starts_at"))
    for this_round in made.rounds.all():
        before = begins.get(this_round.number)
        if before is not None:
            wall = timezone.localtime(before).replace(tzinfo=None) + timedelta(days=days)
            this_round.starts_at = timezone.make_aware(wall)
            this_round.save(update_fields=["starts_at"])


def _give_prizes(old: Tournament, made: Tournament) -> None:
    fund = PrizeFund.objects.filter(tournament=old).first()
    if fund is None:
        return
    copy = PrizeFund.objects.create(tournament=made, sharing=fund.sharing, one_prize_each=fund.one_prize_each)
    fields = [field.attname for field in Prize._meta.concrete_fields if field.attname not in ("id", "fund_id")]
    Prize.objects.bulk_create(Prize(fund=copy, **values) for values in fund.prizes.values(*fields))


def _give_entry_form(old: Tournament, made: Tournament, days: int) -> None:
    """Copy the entry form with its settings and fees, closed and with its dates shifted."""
    form = OnlineEntrySettings.objects.filter(tournament=old).first()
    if form is None:
        return
    fees = list(form.fees.all())
    form.pk, form.tournament, form.is_open, form.is_waiting_list_paused = None, made, False, False
    form.closes_at = None
    form.early_until = _later(form.early_until, days)
    form._state.adding = True
    form.save()
    for fee in fees:
        fee.pk, fee.settings = None, form
    EntryFee.objects.bulk_create(fees)


def _enter_players(old: Tournament, made: Tournament, *, by: User | None) -> None:
    entries = old.entries.filter(withdrawn_from_round=None).exclude(name=ERASED_MEMBER_NAME).select_related("member")
    # Guests who entered online agreed to the use of their data for that event only.
    entries = entries.exclude(member=None, online_entry__isnull=False)
    enter_players_of_event(
        made,
        [entry for entry in entries if entry.member is None or entry.member.status != Member.Status.FORMER],
        by=by,
    )
    if made.is_public:
        hide_refused_names(made)
    _keep_apart(old, made)


def _keep_apart(old: Tournament, made: Tournament) -> None:
    """Copy forbidden pairs that hold in all rounds."""
    there = {_person(entry): entry for entry in made.entries.all()}
    pairs = []
    for rule in old.forbidden_pairs.filter(from_round=1, to_round=None).select_related("first", "second"):
        both = sorted(
            (there[who] for who in map(_person, (rule.first, rule.second)) if who in there), key=lambda one: one.pk
        )
        if len(both) == 2:
            pairs.append(ForbiddenPair(tournament=made, first=both[0], second=both[1], remark=rule.remark))
    ForbiddenPair.objects.bulk_create(pairs)


def _person(entry: Entry) -> int | str:
    return entry.member_id if entry.member_id is not None else entry.name
