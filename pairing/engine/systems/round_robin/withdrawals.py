"""Withdrawn players, and whether their results count: the rule of half the games."""

from __future__ import annotations

from dataclasses import replace

from pairing.engine.snapshot import ABSENT_RECORD, PairingCard, PairingNumber, Result, TournamentSnapshot
from pairing.engine.systems.round_robin.berger_tables import berger_table_size

_STAYED_AWAY = frozenset({Result.ABSENT, Result.ZERO_POINT_BYE, Result.FORFEIT_LOSS})


def withdrawn_players(snapshot: TournamentSnapshot) -> frozenset[PairingNumber]:
    """Return the players out of the event from the next round on; after the last round, those absent from it."""
    is_over = snapshot.rounds_announced is not None and snapshot.rounds_paired >= snapshot.rounds_announced
    return frozenset(card.tpn for card in snapshot.cards if _has_left(card, is_over=is_over))


def annulled_players(snapshot: TournamentSnapshot) -> frozenset[PairingNumber]:
    """Return the players who withdrew before half of their games were played: their results do not count."""
    in_all = _games_in_all(snapshot)
    gone = withdrawn_players(snapshot)
    return frozenset(card.tpn for card in snapshot.cards if card.tpn in gone and 2 * _games_played(card) < in_all)


def without_annulled_games(snapshot: TournamentSnapshot) -> TournamentSnapshot:
    """Return the event as its table counts it: games against players who withdrew early are removed."""
    gone = annulled_players(snapshot)
    if not gone:
        return snapshot
    return replace(snapshot, cards=tuple(_without(card, gone) for card in snapshot.cards))


def _without(card: PairingCard, gone: frozenset[PairingNumber]) -> PairingCard:
    return replace(
        card,
        records=tuple(
            ABSENT_RECORD if card.tpn in gone or record.opponent in gone else record for record in card.records
        ),
    )


def _has_left(card: PairingCard, *, is_over: bool) -> bool:
    if card.unavailable is not None and card.unavailable.result is Result.ABSENT:
        return True
    return is_over and bool(card.records) and card.records[-1].result in _STAYED_AWAY


def _games_played(card: PairingCard) -> int:
    return sum(record.is_played for record in card.records)


def _games_in_all(snapshot: TournamentSnapshot) -> int:
    """Return how many games each player has: one a round, minus the byes of an odd table."""
    players = len(snapshot.cards)
    rounds = snapshot.rounds_announced or berger_table_size(players) - 1
    cycles = -(-rounds // (berger_table_size(players) - 1))
    return rounds - cycles * (players % 2)
