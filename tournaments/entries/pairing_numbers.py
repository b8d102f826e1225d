"""Pairing numbers by round. They are provisional until the list of players is closed.

A late entry is then placed by rating among the others when the next round is paired (FIDE 1987-89, art. 17 b; C.04.2).
Rounds paired before keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from clubs.models import User
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.entries.starting_list import sort_by_starting_order
from tournaments.models import MAX_ROUNDS, Entry, PairingSystem, Round, Tournament

_LAST_ROUND = {PairingSystem.DUTCH_2026: 4, PairingSystem.ROUND_ROBIN: 0, PairingSystem.KEIZER: MAX_ROUNDS}
_LAST_ROUND_OF_OLD_RULES = 3
"""The last round before which numbers may change.

Round 4 today (C.04.2). The rules of 1987-89 admit late entries to round 2 or 3; the other documents say nothing else.
In a Keizer season players enter all year.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingNumbers:
    """An event's pairing numbers by entry key, and the size of Baku's upper group according to these numbers."""

    by_entry: Mapping[int, int]
    accelerated_players: int | None


def numbers_in_round(tournament: Tournament, entries: Iterable[Entry], number: int) -> PairingNumbers:
    """Return the numbers that round `number` was paired with, or else the current ones.

    Players who entered later come last.
    """
    entries = list(entries)
    present = pairing_numbers_by_entry(entries)
    kept = _kept_numbers(tournament, number)
    if kept is None:
        return PairingNumbers(by_entry=present, accelerated_players=tournament.accelerated_players)
    numbers = {entry.pk: kept["numbers"][str(entry.pk)] for entry in entries if str(entry.pk) in kept["numbers"]}
    last = max(numbers.values(), default=0)
    newer = sorted(present.keys() - numbers.keys(), key=present.__getitem__)
    numbers |= {key: place for place, key in enumerate(newer, start=last + 1)}
    return PairingNumbers(by_entry=numbers, accelerated_players=kept["accelerated_players"])


def kept_numbers(tournament: Tournament, number: int) -> Mapping[str, int]:
    """Return the numbers of round `number` by entry key as text, if they have changed since. Otherwise empty."""
    kept = _kept_numbers(tournament, number)
    return kept["numbers"] if kept else {}


def numbers_for_pairing(round: Round, entries: Iterable[Entry]) -> PairingNumbers:
    """Return the numbers that a round was or will be paired with.

    For a round that is not paired yet, late entries are in their places if the list is still open.
    """
    entries = list(entries)
    present = numbers_in_round(round.tournament, entries, round.number)
    late = [entry for entry in entries if entry.entered_in_round > 1]
    if round.state != Round.State.WAITING or not late or not _is_list_open(round.tournament, round.number):
        return present
    strength = {entry.pk: place for place, entry in enumerate(sort_by_starting_order(entries))}
    current = sorted(present.by_entry, key=present.by_entry.__getitem__)
    late_keys = {entry.pk for entry in late}
    order = [key for key in current if key not in late_keys]
    for key in sorted(late_keys, key=strength.__getitem__):
        order.insert(sum(strength[other] < strength[key] for other in order), key)
    if order == current:
        return present
    numbers = {key: place for place, key in enumerate(order, start=1)}
    size = present.accelerated_players
    if size:
        # The groups stay as they were made: the upper one still ends with the same player.
        size = max(numbers[key] for key in current[:size])
    return PairingNumbers(by_entry=numbers, accelerated_players=size)


def place_late_entries(round: Round, *, by: User | None) -> None:
    """Give everyone the numbers from `numbers_for_pairing`. The event is locked. Earlier rounds keep their numbers."""
    tournament = round.tournament
    entries = list(tournament.entries.all())
    before = pairing_numbers_by_entry(entries)
    wanted = numbers_for_pairing(round, entries)
    changed = [entry for entry in entries if before[entry.pk] != wanted.by_entry[entry.pk]]
    if not changed:
        return
    latest = tournament.earlier_numbers[-1]["to_round"] if tournament.earlier_numbers else 0
    if latest < round.number - 1:
        tournament.earlier_numbers = [
            *tournament.earlier_numbers,
            {
                "to_round": round.number - 1,
                "numbers": {str(key): number for key, number in before.items()},
                "accelerated_players": tournament.accelerated_players,
            },
        ]
    tournament.accelerated_players = wanted.accelerated_players
    tournament.save(update_fields=["earlier_numbers", "accelerated_players"])
    # Numbers are unique, so all that change are cleared first.
    tournament.entries.filter(pk__in=[entry.pk for entry in changed]).update(tpn=None)
    for entry in changed:
        entry.tpn = wanted.by_entry[entry.pk]
    Entry.objects.bulk_update(changed, ["tpn"], batch_size=400)
    told = sorted(changed, key=lambda entry: before[entry.pk])
    record_action(
        tournament,
        EventAction.NUMBERS_CHANGED,
        by=by,
        round=round,
        numbers="; ".join(f"{entry.name} {before[entry.pk]} → {entry.tpn}" for entry in told),
    )


def changed_numbers(round: Round) -> list[tuple[Entry, int | None]]:
    """Return the players whose numbers changed when this round was paired, by number, each with their former number.

    That is None for players who entered when the others' numbers had already changed.
    """
    tournament = round.tournament
    kept = next((each for each in tournament.earlier_numbers if each["to_round"] == round.number - 1), None)
    if kept is None or round.state == Round.State.WAITING:
        return []
    entries = list(tournament.entries.all())
    now = numbers_in_round(tournament, entries, round.number).by_entry
    before = kept["numbers"]
    changed = [
        entry
        for entry in entries
        if entry.entered_in_round <= round.number and before.get(str(entry.pk)) != now[entry.pk]
    ]
    return [(entry, before.get(str(entry.pk))) for entry in sorted(changed, key=lambda entry: now[entry.pk])]


def forget_numbers_from_round(tournament: Tournament, number: int) -> None:
    """Delete the kept numbers of a round that is no longer paired, and of later rounds. Saves the event if needed."""
    kept: list[dict[str, Any]] = []
    for each in tournament.earlier_numbers:
        to_round = min(each["to_round"], number - 1)
        if to_round > (kept[-1]["to_round"] if kept else 0):
            kept.append({**each, "to_round": to_round})
    if kept != tournament.earlier_numbers:
        tournament.earlier_numbers = kept
        tournament.save(update_fields=["earlier_numbers"])


def _kept_numbers(tournament: Tournament, number: int) -> dict[str, Any] | None:
    return next((each for each in tournament.earlier_numbers if number <= each["to_round"]), None)


def _is_list_open(tournament: Tournament, number: int) -> bool:
    """Return True if numbers may still change when round `number` is paired."""
    system = tournament.pairing_method_of_round(number).system
    last = _LAST_ROUND.get(PairingSystem(system), _LAST_ROUND_OF_OLD_RULES)
    return 1 < number <= last and not tournament.keeps_numbers
