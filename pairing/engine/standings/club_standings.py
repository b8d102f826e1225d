"""Club standings by the sum of the points of their best players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pairing.engine.snapshot import HalfPoints, PairingNumber
from pairing.engine.standings.ranking import PlayerStanding


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubStanding:
    """A club's place; `players` are those counted, the best first, `points` and `rank_sum` their sums."""

    place: int
    club: str
    points: HalfPoints
    rank_sum: int
    players: tuple[PairingNumber, ...]


def rank_clubs(
    standings: Sequence[PlayerStanding], clubs: Mapping[PairingNumber, str], *, counted: int
) -> tuple[ClubStanding, ...]:
    """Rank clubs with at least `counted` players, by the points of that many of their best.

    With equal points the smaller sum of ranks decides, then the better first player; clubs still equal share the place.
    Players without a club (an empty name) count for none.
    """
    players: dict[str, list[PlayerStanding]] = defaultdict(list)
    for standing in standings:
        if club := clubs.get(standing.tpn, ""):
            players[club].append(standing)
    teams = {club: of_club[:counted] for club, of_club in players.items() if len(of_club) >= counted}
    keys = {
        club: (-sum(each.points for each in team), sum(each.rank for each in team), team[0].rank)
        for club, team in teams.items()
    }
    order = sorted(teams, key=lambda club: (keys[club], club))
    sums: list[ClubStanding] = []
    for key, tied in groupby(order, key=keys.__getitem__):
        place = len(sums) + 1
        for club in tied:
            numbers = tuple(each.tpn for each in teams[club])
            sums.append(ClubStanding(place=place, club=club, points=-key[0], rank_sum=key[1], players=numbers))
    return tuple(sums)
