"""An event as it was before one of its rounds, for pairing that round again."""

from __future__ import annotations

from dataclasses import replace

from pairing.engine.snapshot import PairingCard, Result, TournamentSnapshot


def snapshot_before_round(event: TournamentSnapshot, round_number: int) -> TournamentSnapshot:
    """Return the event before one of its rounds. Players not paired in it are treated as unavailable."""
    return replace(
        event,
        cards=tuple(_card_before(card, round_number) for card in event.cards),
        rounds_paired=round_number - 1,
    )


def _card_before(card: PairingCard, round_number: int) -> PairingCard:
    record = card.records[round_number - 1]
    was_paired = record.opponent is not None or record.result is Result.PAIRING_ALLOCATED_BYE
    return replace(
        card,
        records=card.records[: round_number - 1],
        unavailable=None if was_paired else record,
        fictitious=card.fictitious[:round_number],
    )
