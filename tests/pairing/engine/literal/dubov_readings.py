"""What the other interpretations of Dubov's document need: alphabetical order, and earlier moves up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol
from unicodedata import category, normalize

from pairing.engine.snapshot import PairingCard, Result, TournamentSnapshot
from tests.pairing.engine.literal.facts import Facts, NoLegalRound, Pairing


class Round(Protocol):
    """One round of the procedure."""

    facts: Facts
    moved_up_in: dict[int, set[int]]
    moved_up_now: frozenset[int]

    def paired_round(self) -> Pairing:
        """Pair it, and record who moved up."""


def places_by_name(facts: Facts) -> dict[int, int]:
    """Every player's place by name, ignoring accents and capitals."""

    def letters(tpn: int) -> str:
        name = normalize("NFKD", facts.cards[tpn].name)
        return "".join(letter for letter in name if category(letter)[0] != "M").casefold()

    ranked = sorted(facts.cards, key=lambda tpn: (letters(tpn), facts.cards[tpn].name, tpn))
    return {tpn: place for place, tpn in enumerate(ranked, start=1)}


def moved_up_in(
    snapshot: TournamentSnapshot, procedure_of: Callable[[TournamentSnapshot], Round]
) -> dict[int, set[int]]:
    """2.5, other interpretation: the rounds in which each moved up by 7.1 or 7.2, found by pairing them again.

    Where the arbiter made another board than theirs, the scores of the two tell.
    """
    rounds: dict[int, set[int]] = {card.tpn: set() for card in snapshot.cards}
    for number in range(1, snapshot.rounds_paired + 1):
        once_more = procedure_of(before(snapshot, number))
        once_more.moved_up_in = {tpn: set(earlier) for tpn, earlier in rounds.items()}
        try:
            games, _ = once_more.paired_round()
        except NoLegalRound:
            games = ()
        opponent = {a: b for game in games for a, b in (game, game[::-1])}
        for card in snapshot.cards:
            met = card.records[number - 1].opponent
            if met is None:
                continue
            if opponent.get(card.tpn) == met:
                moved = card.tpn in once_more.moved_up_now
            else:
                moved = once_more.facts.pairing_score[card.tpn] < once_more.facts.pairing_score[met]
            if moved:
                rounds[card.tpn].add(number)
    return rounds


def before(snapshot: TournamentSnapshot, number: int) -> TournamentSnapshot:
    """The event as it stood before a round."""

    def card_before(card: PairingCard) -> PairingCard:
        record = card.records[number - 1]
        paired = record.opponent is not None or record.result is Result.PAIRING_ALLOCATED_BYE
        return replace(
            card,
            records=card.records[: number - 1],
            unavailable=None if paired else record,
            fictitious=card.fictitious[:number],
        )

    return replace(snapshot, cards=tuple(map(card_before, snapshot.cards)), rounds_paired=number - 1)
