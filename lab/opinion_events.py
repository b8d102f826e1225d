"""Events for comparison with other programs: `REGIMES` by name, played by the system itself from a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

from pairing.engine.paired_round import PairedRound, PairingImpossible
from pairing.engine.pairing_checker import PairingFunction
from pairing.engine.snapshot import ABSENT_RECORD, Colour, PairingCard, Result, RoundRecord, TournamentSnapshot

BYES = tuple(RoundRecord(result=result) for result in (Result.HALF_POINT_BYE, Result.FULL_POINT_BYE))
AWAY = RoundRecord(result=Result.ZERO_POINT_BYE)
FORFEITS = ((Result.FORFEIT_WIN, Result.FORFEIT_LOSS), (Result.FORFEIT_LOSS, Result.FORFEIT_WIN))
NOBODY_CAME = (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Regime:
    """Percentages: of players each round, of games, of the starting list; `rounds` is for so many players."""

    rounds: Callable[[Random, int], int] = lambda dice, players: min(players - 1, dice.randint(5, 9))
    draws: int = 30
    upsets: int = 15
    half_byes: int = 0
    full_byes: int = 0
    zero_byes: int = 0
    forfeits: int = 0
    retire: int = 0
    late: int = 0
    forbidden: int = 0
    acceleration: str = "none"


def _many(dice: Random, players: int) -> int:
    """So many rounds that hardly anybody has an opponent left."""
    return min(players - (2 if players % 2 else 1), 13)


REGIMES: Mapping[str, Regime] = {
    "plain": Regime(),
    "drawish": Regime(draws=70),
    "decisive": Regime(draws=3, upsets=5),
    "upsets": Regime(upsets=45),
    "half-point byes": Regime(half_byes=8),
    "all byes": Regime(half_byes=5, full_byes=3, zero_byes=6),
    "forfeits": Regime(forfeits=10),
    "retirements": Regime(retire=4),
    "late entrants": Regime(late=20, zero_byes=2),
    "many rounds": Regime(rounds=_many),
    "forbidden pairs": Regime(forbidden=25),
    "baku": Regime(acceleration="baku"),
    "everything": Regime(
        half_byes=4, full_byes=2, zero_byes=4, forfeits=5, retire=2, late=8, draws=40, upsets=30, rounds=_many
    ),
}


def play(name: str, players: int, seed: int, system: str, pair: PairingFunction) -> TournamentSnapshot:
    """The event after its last round, or after the last one that could be paired. Same arguments, same event."""
    regime = REGIMES[name]
    dice = Random(f"{name} {players} {seed}")
    rounds = max(1, regime.rounds(dice, players))
    # Some files do not state the number of rounds: then no round is the last.
    event = TournamentSnapshot(
        cards=tuple(PairingCard(tpn=tpn, rating=max(1200, 2500 - 3 * tpn)) for tpn in range(1, players + 1)),
        rounds_paired=0,
        system=system,
        rounds_announced=rounds,
        first_colour=dice.choice([Colour.WHITE, Colour.BLACK]),
        forbidden_pairs=_forbidden(regime, dice, players),
        acceleration=regime.acceleration,
    )
    arrives = {tpn: dice.randint(2, 3) for tpn in range(1, players + 1) if _happens(regime.late, dice)}
    gone: set[int] = set()
    for number in range(1, rounds + 1):
        gone |= {card.tpn for card in event.cards if number > 1 and _happens(regime.retire, dice)}
        event = _with_absences(event, regime, dice, arrives, gone)
        if sum(card.unavailable is None for card in event.cards) < 2:
            break
        try:
            paired = pair(event)
        except PairingImpossible:
            break
        event = _played(event, paired, regime, dice)
    return replace(event, cards=tuple(replace(card, unavailable=None) for card in event.cards))


def _forbidden(regime: Regime, dice: Random, players: int) -> frozenset[frozenset[int]]:
    count = players * regime.forbidden // 100
    return frozenset(frozenset(dice.sample(range(1, players + 1), 2)) for _ in range(count))


def _with_absences(
    event: TournamentSnapshot, regime: Regime, dice: Random, arrives: Mapping[int, int], gone: set[int]
) -> TournamentSnapshot:
    def absence(card: PairingCard) -> RoundRecord | None:
        if event.round_number < arrives.get(card.tpn, 0):
            return ABSENT_RECORD
        if card.tpn in gone or _happens(regime.zero_byes, dice):
            return AWAY
        if _happens(regime.half_byes, dice):
            return BYES[0]
        return BYES[1] if _happens(regime.full_byes, dice) else None

    return replace(event, cards=tuple(replace(card, unavailable=absence(card)) for card in event.cards))


def _played(event: TournamentSnapshot, paired: PairedRound, regime: Regime, dice: Random) -> TournamentSnapshot:
    records = {card.tpn: card.unavailable for card in event.cards}
    for game in paired.games:
        white, black = _result(game.white < game.black, regime, dice)
        records[game.white] = RoundRecord(result=white, opponent=game.black, colour=Colour.WHITE)
        records[game.black] = RoundRecord(result=black, opponent=game.white, colour=Colour.BLACK)
    if paired.bye:
        records[paired.bye.player] = RoundRecord(result=Result.PAIRING_ALLOCATED_BYE)
    cards = tuple(
        replace(card, records=(*card.records, records[card.tpn] or AWAY), unavailable=None) for card in event.cards
    )
    return replace(event, cards=cards, rounds_paired=event.round_number)


def _result(white_is_higher: bool, regime: Regime, dice: Random) -> tuple[Result, Result]:
    if _happens(regime.forfeits, dice):
        return NOBODY_CAME if _happens(10, dice) else dice.choice(FORFEITS)
    if _happens(regime.draws, dice):
        return Result.DRAW, Result.DRAW
    white_wins = white_is_higher is not _happens(regime.upsets, dice)
    return (Result.WIN, Result.LOSS) if white_wins else (Result.LOSS, Result.WIN)


def _happens(percent: int, dice: Random) -> bool:
    return dice.randrange(100) < percent
