"""Games of withdrawn players: a round robin keeps them and scores them as forfeits automatically."""

from __future__ import annotations

from collections.abc import Iterator

from clubs.models import User
from tournaments.models import Entry, Game, PairingSystem, Round
from tournaments.results.recording import enter_result


def enter_withdrawal_forfeits(round: Round, *, by: User | None) -> None:
    """Enter the forfeits of all withdrawn players in a round that was just published."""
    for game, result in _forfeited(round):
        if game.result == Game.Result.PENDING:
            enter_result(game, result, revision=game.revision, by=by)


def undo_withdrawal_forfeits(round: Round, *, by: User | None) -> None:
    """Clear the forfeits of withdrawn players, so that the round can be unpublished. Other results are kept."""
    for game, result in _forfeited(round):
        if game.result == result:
            enter_result(game, Game.Result.PENDING, revision=game.revision, by=by)


def _forfeited(round: Round) -> Iterator[tuple[Game, Game.Result]]:
    if round.tournament.system != PairingSystem.ROUND_ROBIN:
        return
    for game in round.games.select_related("white", "black"):
        gone = (_has_withdrawn(game.white, round), _has_withdrawn(game.black, round))
        if any(gone):
            yield game, _RESULTS[gone]


def _has_withdrawn(entry: Entry, round: Round) -> bool:
    return entry.withdrawn_from_round is not None and entry.withdrawn_from_round <= round.number


_RESULTS = {
    (True, False): Game.Result.BLACK_WINS_FORFEIT,
    (False, True): Game.Result.WHITE_WINS_FORFEIT,
    (True, True): Game.Result.DOUBLE_FORFEIT,
}
