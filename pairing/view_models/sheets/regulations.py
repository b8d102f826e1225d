"""The regulations of an event, for display: settings, schedule and rule interpretations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.formats import date_format, localize
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from pairing.engine.rule_interpretations import RULE_INTERPRETATIONS
from pairing.engine.systems.keizer import parse_keizer_options
from pairing.explanations.keizer_sentences import describe_keizer_options
from pairing.view_models.sheets.tie_break_texts import tie_break_heading, tie_break_meaning
from pairing.view_models.standings.event_standings import tie_breaks_of_event
from tournaments.events.interpretation_texts import INTERPRETATION_TEXTS
from tournaments.models import Acceleration, PairingSystem, Round, Tournament
from tournaments.models.point_systems import describe_point_system


@dataclass(frozen=True, slots=True, kw_only=True)
class RegulationsSheet:
    """The regulations as pairs of subject and text, in the language active when it was made.

    `schedule` has the starting time of each round, if known. `interpretations` are those of ambiguous articles.
    """

    club: str
    event: str
    lines: tuple[tuple[str, str], ...]
    schedule: tuple[tuple[str, str], ...] = ()
    readings: tuple[tuple[str, str], ...] = ()


def regulations_sheet(tournament: Tournament) -> RegulationsSheet:
    """Return an event's regulations, with the interpretation of every ambiguous article that applies."""
    return RegulationsSheet(
        club=tournament.club.name,
        event=tournament.name,
        lines=tuple(line for line in _announced(tournament) if line[1]),
        readings=tuple(_readings(tournament)),
        schedule=tuple(_begins(each) for each in tournament.rounds.exclude(starts_at=None).order_by("number")),
    )


def _begins(this_round: Round) -> tuple[str, str]:
    """Return a round and its starting time with the day of the week."""
    at = localtime(this_round.starts_at)
    words = f"{date_format(at, 'l')}, {date_format(at, 'SHORT_DATETIME_FORMAT')}"
    return _("Round %(number)s") % {"number": this_round.number}, words


def _announced(tournament: Tournament) -> Iterator[tuple[str, str]]:
    def label(name: str) -> str:
        return capfirst(str(Tournament._meta.get_field(name).verbose_name))  # type: ignore[union-attr]

    yield (
        label("system"),
        "; ".join(dict.fromkeys(tournament.pairing_method_of_round(n).label for n in _rounds(tournament))),
    )
    yield label("rounds_announced"), str(tournament.rounds_announced)
    is_keizer = tournament.system == PairingSystem.KEIZER
    if is_keizer:
        yield from describe_keizer_options(parse_keizer_options(tournament.keizer_options))
    if tournament.acceleration != Acceleration.NONE:
        limits = (tournament.group_limit_a, tournament.group_limit_c)
        groups = " ({} / {})".format(*limits) if all(limits) else ""
        yield label("acceleration"), f"{Acceleration(tournament.acceleration).label}{groups}"
    if not is_keizer:
        yield label("point_system"), describe_point_system(tournament.point_system)
        yield label("tie_breaks"), "; ".join(map(_tie_break, tie_breaks_of_event(tournament)))
        worth = Tournament.ByePoints(tournament.requested_bye_worth).label
        yield label("requested_byes_allowed"), f"{tournament.requested_byes_allowed}, {worth}"
        yield label("bye_in_last_round"), _("yes") if tournament.bye_in_last_round else _("no")
        yield label("late_entry_worth"), str(Tournament.ByePoints(tournament.late_entry_worth).label)
    days = [day for day in (tournament.starts_on, tournament.ends_on) if day]
    yield _("When"), " – ".join(str(localize(day)) for day in dict.fromkeys(days))
    for name in ("time_control", "city", "chief_arbiter"):
        yield label(name), getattr(tournament, name)


def _rounds(tournament: Tournament) -> range:
    return range(1, tournament.rounds_announced + 1)


def _readings(tournament: Tournament) -> Iterator[tuple[str, str]]:
    systems = {tournament.pairing_method_of_round(number) for number in _rounds(tournament)}
    for reading in RULE_INTERPRETATIONS.values():
        if any(reading.applies_to_system(each.system, each.procedure or None) for each in systems):
            value = tournament.readings.get(reading.id, reading.default_value)
            yield (
                f"{PairingSystem(reading.system).label}, {reading.article}",
                str(INTERPRETATION_TEXTS[reading.id, value]),
            )


def _tie_break(code: str) -> str:
    meaning = tie_break_meaning(code)
    return f"{tie_break_heading(code)}: {meaning}" if meaning else str(tie_break_heading(code))
