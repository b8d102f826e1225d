"""Players' answers to "Are you coming?", and what each means. They are stored as byes and sign-ups (see `byes`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.time_zones import time_zone_of_club
from tournaments.check_in.byes import (
    bye_deadline,
    is_before_bye_deadline,
    offered_bye_kinds,
    rounds_of_byes,
)
from tournaments.check_in.personal_links import event_link_token
from tournaments.events.next_evening import evening_of_round
from tournaments.import_export.snapshots import is_entered_in_round
from tournaments.models import Bye, Entry, PairingSystem, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAnswer:
    """A player's answer for a round that isn't paired: `bye`, `is_coming`, or neither if they haven't answered.

    `offered` is the bye they would get. `byes_used` counts their byes with points, including this one.
    """

    entry: Entry
    round: Round
    bye: Bye | None
    is_coming: bool
    offered: Bye.Kind
    byes_used: int
    deadline: datetime | None
    is_in_time: bool

    @property
    def token(self) -> str:
        return event_link_token(self.entry)

    @property
    def when(self) -> str:
        """The date of the round, or its number if it has no date."""
        if self.round.starts_at is None:
            return _("Round %(number)s") % {"number": self.round.number}
        return evening_of_round(self.round).sentence

    @property
    def deadline_text(self) -> str:
        """The deadline for players' answers, with its date if that isn't today."""
        if self.deadline is None:
            return ""
        zone = time_zone_of_club(self.entry.tournament.club)
        until = timezone.localtime(self.deadline, zone)
        is_today = until.date() == timezone.localdate(timezone=zone)
        return date_format(until, "TIME_FORMAT" if is_today else "SHORT_DATETIME_FORMAT")

    @property
    def can_answer(self) -> bool:
        """True until the deadline, unless the arbiter marked the player as absent."""
        return self.is_in_time and (self.bye is None or self.bye.kind != Bye.Kind.ABSENT)

    @property
    def consequence(self) -> str:
        """What the answer means or, if there is none yet, what "I can't" would mean."""
        tournament = self.entry.tournament
        if tournament.system == PairingSystem.KEIZER:
            if self.bye is not None:
                return f"{capfirst(Bye.Kind(self.bye.kind).label_in(tournament.system))}."
            if self.is_coming:
                return ""
            return _("Tell us in time if you can't come. You'll then be marked as absent with notice.")
        allowed = tournament.requested_byes_allowed
        kind = self.bye.kind if self.bye else self.offered
        words = {"n": self.byes_used if self.bye else self.byes_used + 1, "all": allowed}
        if self.bye is not None:
            if kind != Bye.Kind.HALF_POINT:
                return _("You get 0 points.")
            sentences = {
                1: _("You get ½ point (your first bye of %(all)s)."),
                2: _("You get ½ point (your second bye of %(all)s)."),
            }
            return sentences.get(words["n"], _("You get ½ point (bye %(n)s of %(all)s).")) % words
        if self.is_coming:
            return ""
        if kind != Bye.Kind.HALF_POINT:
            return _("If you can't come, you get 0 points.")
        sentences = {
            1: _("If you can't come, you get ½ point (your first bye of %(all)s)."),
            2: _("If you can't come, you get ½ point (your second bye of %(all)s)."),
        }
        return sentences.get(words["n"], _("If you can't come, you get ½ point (bye %(n)s of %(all)s).")) % words


def player_answers(entry: Entry, rounds: Collection[Round]) -> list[PlayerAnswer]:
    """Return a player's answers for these waiting rounds of their event."""
    byes = {bye.round_id: bye for bye in entry.byes.filter(round__in=rounds)}
    coming = set(entry.check_ins.filter(round__in=rounds, is_coming=True).values_list("round", flat=True))
    used = rounds_of_byes(entry)
    offered = offered_bye_kinds(entry, rounds, used)
    return [
        PlayerAnswer(
            entry=entry,
            round=each,
            bye=byes.get(each.pk),
            is_coming=each.pk in coming,
            offered=offered[each.pk],
            byes_used=len([key for key in used if key <= each.pk]) if each.pk in used else len(used),
            deadline=bye_deadline(each),
            is_in_time=is_before_bye_deadline(each),
        )
        for each in rounds
    ]


def next_answers(entries: Iterable[Entry]) -> list[PlayerAnswer]:
    """Return these players' answers for the next round of their event that isn't paired.

    The entries must have their event, its club and their member loaded.
    """
    players = list(entries)
    rounds: dict[int, list[Round]] = {}
    waiting = Round.objects.filter(tournament__in={each.tournament_id for each in players}, state=Round.State.WAITING)
    for each in waiting.defer("scores").order_by("number") if players else ():
        rounds.setdefault(each.tournament_id, []).append(each)
    return list(_next(players, rounds))


def _next(players: Iterable[Entry], rounds: dict[int, list[Round]]) -> Iterator[PlayerAnswer]:
    for entry in players:
        of_event = rounds.get(entry.tournament_id, [])
        found = next((each for each in of_event if is_entered_in_round(entry, each.number)), None)
        if found is not None:
            found.tournament = entry.tournament
            yield from player_answers(entry, [found])


def answers_for_coming_days(entries: Iterable[Entry]) -> list[PlayerAnswer]:
    """Return these players' answers for rounds with a known time in the future, the nearest first."""
    now = timezone.now()
    found = [each for each in next_answers(entries) if each.round.starts_at is not None and each.round.starts_at > now]
    return sorted(found, key=lambda each: (each.round.starts_at, each.entry.pk))
