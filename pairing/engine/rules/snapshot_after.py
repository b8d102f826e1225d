"""An event after a round: the pairings with their results become records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pairing.engine.paired_round import PairedRound
from pairing.engine.snapshot import Colour, InvalidSnapshot, PairingCard, Result, RoundRecord, TournamentSnapshot


def snapshot_after_round(
    event: TournamentSnapshot, paired: PairedRound, results: Mapping[int, tuple[Result, Result]]
) -> TournamentSnapshot:
    """Return the event before its next round. `results` are White's and Black's, by board.

    Players who were not to be paired keep the record that they had. Raises InvalidSnapshot if a board has no result, or
    if a player is neither paired nor away.
    """
    records = {card.tpn: card.unavailable for card in event.cards}
    for game in paired.games:
        if game.board not in results:
            raise InvalidSnapshot(f"board {game.board} has no result")
        white, black = results[game.board]
        records[game.white] = RoundRecord(result=white, opponent=game.black, colour=Colour.WHITE)
        records[game.black] = RoundRecord(result=black, opponent=game.white, colour=Colour.BLACK)
    if paired.bye:
        records[paired.bye.player] = RoundRecord(result=Result.PAIRING_ALLOCATED_BYE)
    return replace(
        event,
        cards=tuple(_with_record(card, records[card.tpn]) for card in event.cards),
        rounds_paired=event.rounds_paired + 1,
    )


def _with_record(card: PairingCard, record: RoundRecord | None) -> PairingCard:
    if record is None:
        raise InvalidSnapshot(f"player {card.tpn} is neither paired nor away")
    return replace(card, records=(*card.records, record), unavailable=None)
