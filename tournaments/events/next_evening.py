"""The next evening of an event, of a club or of all clubs, and the sentence that every page shows about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.time_zones import time_zone_of_club
from tournaments.models import Round, Tournament

NIGHT_BEGINS = time(hour=17)
"""An evening that starts at this time or later is "tonight", an earlier one "today"."""

MAX_ROUNDS_READ = 200
"""More than the rounds of all clubs that a day leaves unfinished."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextEvening:
    """A round with its time in the club's time zone, or an event whose rounds have no times (`starts_at` is None)."""

    tournament: Tournament
    day: date
    today: date
    number: int | None = None
    starts_at: datetime | None = None

    @property
    def place(self) -> str:
        return self.tournament.city or self.tournament.club.city

    @property
    def sentence(self) -> str:
        """When the evening is: "Next: Tuesday 24 November, 18:30, round 4" or "Tonight, 18:30, round 4"."""
        if self.day > self.today:
            return self.dated_sentence
        if self.starts_at is None:
            return _("Today")
        if self.starts_at.time() >= NIGHT_BEGINS:
            return _("Tonight, %(time)s, round %(number)s") % self._words
        return _("Today, %(time)s, round %(number)s") % self._words

    @property
    def dated_sentence(self) -> str:
        """When the evening is, always with its date, for text that may be read on another day."""
        if self.starts_at is None:
            return _("Next: %(weekday)s %(date)s") % self._words
        return _("Next: %(weekday)s %(date)s, %(time)s, round %(number)s") % self._words

    @property
    def _words(self) -> dict[str, object]:
        return {
            "weekday": date_format(self.day, "l"),
            "date": date_format(self.day, "MONTH_DAY_FORMAT"),
            "time": date_format(self.starts_at, "TIME_FORMAT") if self.starts_at else "",
            "number": self.number,
        }


def next_evening(events: QuerySet[Tournament], coming: list[NextEvening] | None = None) -> NextEvening | None:
    """Return the next evening of these events: the first unfinished round from today onwards. Two queries.

    An event whose rounds have no times counts with its dates. `coming`, the result of `list_coming_evenings` for the
    same events, saves a query.
    """
    coming = list_coming_evenings(events) if coming is None else coming
    timed, undated = next(iter(coming), None), _next_undated(events, _unfinished_rounds())
    return min((each for each in (timed, undated) if each is not None), key=lambda each: each.day, default=None)


def list_coming_evenings(events: QuerySet[Tournament]) -> list[NextEvening]:
    """Return the unfinished rounds with times from today onwards, in order of time. One query."""
    # Clubs in other time zones have another date: their rounds of today began at most a day ago.
    recent = timezone.now() - timedelta(days=1)
    rounds = _unfinished_rounds().filter(tournament__in=events, starts_at__gte=recent)
    in_order = rounds.select_related("tournament__club").defer("scores").order_by("starts_at", "number")
    timed = (evening_of_round(each) for each in in_order[:MAX_ROUNDS_READ])
    return [each for each in timed if each.day >= each.today]


def _unfinished_rounds() -> QuerySet[Round]:
    return Round.objects.exclude(state=Round.State.FINISHED)


def evening_of_round(round: Round) -> NextEvening:
    """Return the evening of a round with a time. Its event must have its club loaded."""
    assert round.starts_at is not None  # noqa: S101
    zone = time_zone_of_club(round.tournament.club)
    starts_at = timezone.localtime(round.starts_at, zone)
    return NextEvening(
        tournament=round.tournament,
        day=starts_at.date(),
        today=timezone.localdate(timezone=zone),
        number=round.number,
        starts_at=starts_at,
    )


def is_same_evening(one: Round, other: Round) -> bool:
    """Return True if two rounds of an event are on one date in the club's time zone."""
    if one.starts_at is None or other.starts_at is None:
        return False
    zone = time_zone_of_club(one.tournament.club)
    return timezone.localdate(one.starts_at, zone) == timezone.localdate(other.starts_at, zone)


def _next_undated(events: QuerySet[Tournament], unfinished: QuerySet[Round]) -> NextEvening | None:
    today = timezone.localdate()
    ahead = events.filter(Q(starts_on__gte=today) | Q(starts_on__lte=today, ends_on__gte=today))
    without_times = ahead.exclude(rounds__starts_at__isnull=False).filter(rounds__in=unfinished)
    event = without_times.select_related("club").order_by("starts_on", "pk").first()
    if event is None or event.starts_on is None:
        return None
    return NextEvening(tournament=event, day=max(event.starts_on, today), today=today)
