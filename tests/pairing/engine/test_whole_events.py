"""Small random events with everything that can happen: paired exactly if possible, written, read and checked.

Whether a legal round exists is found here by trying everything, from the words of the rules alone.
`CLUBNIGHT_WHOLE_EVENTS` sets the number of events a system (30 unless told, by forties).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from pairing.engine.paired_round import PairedRound, PairingImpossible
from pairing.engine.pairing_checker import check_event_pairings
from pairing.engine.snapshot import Colour, PairingCard, PointSystem, Result, RoundRecord, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS, SWISS_SYSTEMS
from pairing.engine.trf import TrfHeader, read_trf, snapshot_from_trf, trf_from_snapshot, write_trf
from tests.pairing.engine.small_matchings import can_all_be_paired

EVENTS = int(os.environ.get("CLUBNIGHT_WHOLE_EVENTS", "30"))

ABSENT = RoundRecord(result=Result.ABSENT)
WITHDRAWN = RoundRecord(result=Result.ZERO_POINT_BYE)
ABSENCES = (None,) * 90 + (
    *(RoundRecord(result=Result.HALF_POINT_BYE),) * 6,
    *(RoundRecord(result=Result.FULL_POINT_BYE),) * 2,
    RoundRecord(result=Result.FORFEIT_WIN),
    WITHDRAWN,
)
ENDINGS = (
    *((Result.WIN, Result.LOSS), (Result.DRAW, Result.DRAW), (Result.LOSS, Result.WIN)) * 5,
    (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
    (Result.FORFEIT_LOSS, Result.FORFEIT_WIN),
    (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),
    (Result.UNRATED_WIN, Result.UNRATED_LOSS),
    (Result.LOSS, Result.LOSS),
)


@pytest.mark.parametrize("first_seed", range(0, EVENTS, 40))
@pytest.mark.parametrize("system", sorted(SWISS_SYSTEMS))
def test_what_can_be_paired_is_paired_and_comes_back_from_its_file(system: str, first_seed: int):
    refused = 0
    for seed in range(first_seed, first_seed + 40):
        chance = Random(f"{system} {seed}")
        event = start(system, chance)
        late = {card.tpn: chance.choice((0, 0, 0, 0, 0, 0, 1, 2)) for card in event.cards}
        for _ in range(chance.randint(1, 6)):
            event = replace(event, cards=tuple(with_absence(card, late, chance) for card in event.cards))
            if sum(card.unavailable is None for card in event.cards) < 2:
                break
            made = paired_where_possible(event, chance)
            if made is None:
                refused += 1
                break
            event = played(event, made, chance)
        check_file(event)
    assert refused, "no event came to an end of its possibilities: nothing was tried"


def start(system: str, chance: Random) -> TournamentSnapshot:
    players = range(1, chance.randint(2, 9) + 1)
    has_thirds = len(players) not in (2, 3, 5)
    acceleration = chance.choice(("none", "none", "baku", "progressive" if has_thirds else "baku"))
    forbidden = [frozenset(chance.sample(players, 2)) for _ in range(chance.choice((0, 0, 1, 3)))]
    return TournamentSnapshot(
        cards=tuple(PairingCard(tpn=tpn, rating=rating(tpn, len(players), chance)) for tpn in players),
        rounds_paired=0,
        rounds_announced=chance.choice((3, 4, 5, 7, *([None] if acceleration == "none" else []))),
        first_colour=chance.choice((Colour.WHITE, Colour.BLACK)),
        forbidden_pairs=frozenset(forbidden),
        system=system,
        procedure=chance.choice(("fide-1989", "dutch-1992")) if system == "jahr" else None,
        acceleration=acceleration,
        points=PointSystem(pairing_allocated_bye=1 if system == "jahr" else 2),
    )


def rating(tpn: int, players: int, chance: Random) -> int:
    """So that each of the three groups of an acceleration has a quarter to a half of the players."""
    outer = -(-players // 4)
    least = 2000 if tpn <= outer else 1400 if tpn > players - outer else 1600
    return least + chance.choice((0, 0, 90, 110))


def with_absence(card: PairingCard, late: dict[int, int], chance: Random) -> PairingCard:
    if len(card.records) < late[card.tpn]:
        return replace(card, unavailable=ABSENT)
    if card.records and card.records[-1] == WITHDRAWN:
        return replace(card, unavailable=WITHDRAWN)
    return replace(card, unavailable=chance.choice(ABSENCES))


def paired_where_possible(event: TournamentSnapshot, chance: Random) -> PairedRound | None:
    pair = PAIRING_SYSTEMS[event.system]
    try:
        made = pair(event)
    except PairingImpossible:
        assert not has_legal_round(event)
        return None
    assert has_legal_round(event)
    seated = [tpn for game in made.games for tpn in (game.white, game.black)] + ([made.bye.player] if made.bye else [])
    assert sorted(seated) == [card.tpn for card in event.cards if card.unavailable is None]
    shuffled = pair(replace(event, cards=tuple(chance.sample(event.cards, len(event.cards)))))
    assert (shuffled.games, shuffled.bye) == (made.games, made.bye)
    return made


def has_legal_round(event: TournamentSnapshot) -> bool:
    cards = {card.tpn: card for card in event.cards if card.unavailable is None}
    players = frozenset(cards)

    def compatible(one: int, other: int) -> bool:
        return frozenset((one, other)) not in event.forbidden_pairs and may_meet(event, cards[one], cards[other])

    if len(players) % 2 == 0:
        return can_all_be_paired(players, compatible)
    return any(may_rest(event, cards[tpn]) and can_all_be_paired(players - {tpn}, compatible) for tpn in players)


def may_meet(event: TournamentSnapshot, one: PairingCard, other: PairingCard) -> bool:
    """No pair twice, and none that must have the same colour, except in the last round: all (1989) or some (1992)."""
    if any(record.is_played and record.opponent == other.tpn for record in one.records):
        return False
    if absolute(one) is None or absolute(one) is not absolute(other):
        return True
    if not event.is_last_round or procedure_of(event) == "dubov-1997":
        return False
    return procedure_of(event) == "fide-1989" or any(points(card, event) > event.rounds_paired for card in (one, other))


def may_rest(event: TournamentSnapshot, card: PairingCard) -> bool:
    barring = {Result.PAIRING_ALLOCATED_BYE, Result.FORFEIT_WIN}
    if procedure_of(event) != "fide-1989":
        barring.add(Result.FULL_POINT_BYE)
    return not any(record.result in barring for record in card.records)


def procedure_of(event: TournamentSnapshot) -> str:
    return event.procedure or event.system


def absolute(card: PairingCard) -> Colour | None:
    colours = [record.colour for record in card.records if record.is_played]
    difference = colours.count(Colour.WHITE) - colours.count(Colour.BLACK)
    if abs(difference) >= 2:
        return Colour.BLACK if difference > 0 else Colour.WHITE
    if len(colours) >= 2 and colours[-1] is colours[-2] and colours[-1]:
        return colours[-1].opposite
    return None


def points(card: PairingCard, event: TournamentSnapshot) -> int:
    return sum(event.points.points_for_result(record.result) for record in card.records)


def played(event: TournamentSnapshot, made: PairedRound, chance: Random) -> TournamentSnapshot:
    records = {card.tpn: card.unavailable for card in event.cards}
    for game in made.games:
        white, black = chance.choice(ENDINGS)
        records[game.white] = RoundRecord(result=white, opponent=game.black, colour=Colour.WHITE)
        records[game.black] = RoundRecord(result=black, opponent=game.white, colour=Colour.BLACK)
    if made.bye:
        records[made.bye.player] = RoundRecord(result=Result.PAIRING_ALLOCATED_BYE)
    return replace(
        event, cards=tuple(with_record(card, records) for card in event.cards), rounds_paired=event.rounds_paired + 1
    )


def with_record(card: PairingCard, records: dict[int, RoundRecord | None]) -> PairingCard:
    record = records[card.tpn]
    assert record is not None
    return replace(card, records=(*card.records, record), unavailable=None)


def check_file(event: TournamentSnapshot) -> None:
    """Written and read again the event is the same, text and records, and is consistent."""
    event = replace(event, cards=tuple(replace(card, unavailable=None) for card in event.cards))
    if not event.rounds_paired:
        return
    ranks = {card.tpn: card.tpn for card in event.cards}
    data = write_trf(trf_from_snapshot(event, header=TrfHeader(tournament="Trial"), ranks=ranks))
    file = read_trf(data, name="trial.trf")
    assert file.warnings == ()
    assert write_trf(file) == data
    again = snapshot_from_trf(
        file,
        system=event.system,
        procedure=event.procedure,
        acceleration=event.acceleration,
        rounds=event.rounds_announced,
    )
    assert records_of(again.cards) == records_of(event.cards)
    checks = list(check_event_pairings(again, PAIRING_SYSTEMS[event.system]))
    assert len(checks) == event.rounds_paired
    assert all(check.is_identical for check in checks), checks


def records_of(cards: Iterable[PairingCard]) -> dict[int, tuple[RoundRecord, ...]]:
    return {card.tpn: card.records for card in cards}
