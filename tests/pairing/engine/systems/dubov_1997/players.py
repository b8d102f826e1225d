"""Players as the Dubov system sees them: rating, ARO, colours and score, without the games that led there.

Everyone's games were draws against strangers who stay away from the round to be paired; the strangers' ratings make
the AROs. Fictitious points given by hand bring everyone to the score he is to have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairing.engine.snapshot import (
    STANDARD_POINTS,
    Colour,
    HalfPoints,
    PairingCard,
    Result,
    RoundRecord,
    TournamentSnapshot,
)

AWAY = RoundRecord(result=Result.ZERO_POINT_BYE)
FIRST_STRANGER = 101


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player: the `colours` of the games, one per round up to the latest; `upfloats` are the indices of upfloats.

    A dot in `colours` stands for a forfeit against someone of a higher score: an upfloat that leaves no colour.
    `met` holds the ratings of his opponents, `without_play` the results of rounds before all games.
    """

    rating: int
    colours: str
    met: tuple[int, ...]
    score: HalfPoints
    upfloats: frozenset[int]
    without_play: str


def player(
    rating: int,
    colours: str = "",
    aro: int | Sequence[int] = 1500,
    *,
    score: HalfPoints = 0,
    upfloats: Sequence[int] = (),
    without_play: str = "",
) -> Player:
    """A player; `aro` is the rating of every opponent, or a list of ratings."""
    met = (aro,) * len(colours) if isinstance(aro, int) else tuple(aro)
    dots = {number for number, colour in enumerate(colours) if colour == "."}
    return Player(
        rating=rating,
        colours=colours,
        met=met,
        score=score,
        upfloats=frozenset({*upfloats, *dots}),
        without_play=without_play,
    )


def field(*players: Player, forbidden: Sequence[tuple[int, int]] = (), rounds: int | None = None) -> TournamentSnapshot:
    """The event before a round of these players, numbered from 1 in the given order."""
    paired = max(1, *(len(each.without_play) + len(each.colours) for each in players))
    cards: list[PairingCard] = []
    strangers: list[PairingCard] = []
    for tpn, each in enumerate(players, start=1):
        records = [RoundRecord(result=Result(letter)) for letter in each.without_play]
        records += [AWAY] * (paired - len(records) - len(each.colours))
        for number, (colour, rating) in enumerate(zip(each.colours, each.met, strict=True)):
            stranger = FIRST_STRANGER + len(strangers)
            records.append(_game(colour, stranger, lost=colour == "."))
            ahead = 40 if number in each.upfloats else 0
            strangers.append(_stranger(stranger, rating, tpn, colour, len(records) - 1, paired, ahead))
        points = sum(STANDARD_POINTS.points_for_result(record.result) for record in records)
        fictitious = (0,) * paired + (20 + each.score - points,)
        cards.append(PairingCard(tpn=tpn, rating=each.rating, records=tuple(records), fictitious=fictitious))
    snapshot = TournamentSnapshot(
        cards=(*cards, *strangers),
        rounds_paired=paired,
        system="dubov-1997",
        rounds_announced=rounds,
        forbidden_pairs=frozenset(map(frozenset, forbidden)),
    )
    snapshot.check_consistency()
    return snapshot


def _game(colour: str, opponent: int, *, lost: bool) -> RoundRecord:
    if lost:
        return RoundRecord(result=Result.FORFEIT_LOSS, opponent=opponent)
    return RoundRecord(result=Result.DRAW, opponent=opponent, colour=Colour(colour))


def _stranger(
    tpn: int, rating: int, opponent: int, colour: str, number: int, paired: int, ahead: HalfPoints
) -> PairingCard:
    """A player's earlier opponent in one round, then `ahead` half points ahead, now withdrawn."""
    if colour == ".":
        game = RoundRecord(result=Result.FORFEIT_WIN, opponent=opponent)
    else:
        game = RoundRecord(result=Result.DRAW, opponent=opponent, colour=Colour(colour).opposite)
    records = (*(AWAY,) * number, game, *(AWAY,) * (paired - number - 1))
    fictitious = (*(0,) * number, ahead, *(0,) * (paired - number))
    return PairingCard(tpn=tpn, rating=rating, records=records, unavailable=AWAY, fictitious=fictitious)
