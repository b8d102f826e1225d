"""Small readable events, and the two assertions of pairing tests: it pairs as expected, it does not pair."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pairing.engine.paired_round import PairedRound, PairingImpossible
from pairing.engine.snapshot import Colour, PairingCard, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from tests.pairing.engine.literal import notation


def event(text: str | TournamentSnapshot) -> TournamentSnapshot:
    """An event in the notation of `tests.pairing.engine.literal.notation`; a snapshot is returned as it is."""
    return text if isinstance(text, TournamentSnapshot) else notation.read(text)


def first_round(
    players: int, *barred: tuple[int, int], system: str = "fide-1989", colour: Colour = Colour.WHITE
) -> TournamentSnapshot:
    """Round 1 of so many players, all rated alike; the `barred` pairs must not meet."""
    return TournamentSnapshot(
        cards=tuple(PairingCard(tpn=tpn, rating=1500) for tpn in range(1, players + 1)),
        rounds_paired=0,
        system=system,
        first_colour=colour,
        forbidden_pairs=frozenset(map(frozenset, barred)),
    )


def paired(text: str | TournamentSnapshot) -> PairedRound:
    """The next round by the event's own system."""
    snapshot = event(text)
    return PAIRING_SYSTEMS[snapshot.system](snapshot)


def pairs_as(text: str | TournamentSnapshot, expected: str) -> None:
    """Its boards are these, in this order, White first: `1-4 5-2 bye 3`."""
    made = paired(text)
    assert _spelled(((game.white, game.black) for game in made.games), made) == expected


def meet_as(text: str | TournamentSnapshot, expected: str) -> None:
    """Its pairs are these, whatever the colours and boards, each and all in ascending order: `1-4 2-5 bye 3`."""
    made = paired(text)
    pairs = sorted((min(game.white, game.black), max(game.white, game.black)) for game in made.games)
    assert _spelled(pairs, made) == expected


def does_not_pair(text: str | TournamentSnapshot, *blocking: int) -> None:
    """There is no legal round, and these players are named as those who stand in the way."""
    with pytest.raises(PairingImpossible) as refusal:
        paired(text)
    assert set(refusal.value.players) == set(blocking)
    assert refusal.value.causes


def _spelled(pairs: Iterable[tuple[int, int]], made: PairedRound) -> str:
    words = [f"{one}-{other}" for one, other in pairs]
    return " ".join(words + ([f"bye {made.bye.player}"] if made.bye else []))
