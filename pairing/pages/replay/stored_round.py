"""Load a stored round as the engine's `PairedRound`."""

from __future__ import annotations

from collections.abc import Iterable

from pairing.engine.paired_round import PairedBye, PairedGame, PairedRound, PairingReason, PlayerScore, ReasonKind
from pairing.explanations.reason_json import reasons_from_json
from tournaments.models import Bye, Round


def load_paired_round(this_round: Round) -> PairedRound | None:
    """Load the pairing of a round with its reasons, in three queries. None if it has no reasons, as after an import."""
    games = [
        PairedGame(board=board, white=white, black=black, reasons=why, formation_number=_formed(why))
        for board, white, black, stored in this_round.games.order_by("board").values_list(
            "board", "white__tpn", "black__tpn", "reasons"
        )
        for why in [reasons_from_json(stored)]
        if white is not None and black is not None
    ]
    byes = [
        PairedBye(player=player, reasons=reasons_from_json(stored))
        for player, stored in this_round.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED)
        .order_by("entry__tpn")
        .values_list("entry__tpn", "reasons")
        if player is not None
    ]
    if not any(game.reasons for game in games):
        return None
    numbers = dict(this_round.tournament.entries.values_list("pk", "tpn"))
    return PairedRound(
        system=this_round.pairing_method.system,
        round_number=this_round.number,
        games=tuple(games),
        bye=byes[0] if byes else None,
        scores=tuple(
            PlayerScore(tpn=tpn, score=score)
            for entry, score in this_round.scores.items()
            if (tpn := numbers.get(int(entry))) is not None
        ),
    )


def _formed(reasons: Iterable[PairingReason]) -> int:
    """Return the position in which the pair was formed. 0 if its reasons do not say, as in old rounds."""
    formed = next((why.get_fact("formed") for why in reasons if why.kind is ReasonKind.SCORE_GROUP), None)
    return formed if isinstance(formed, int) else 0
