"""Tables agree with the literal twin's on many random small events with byes, forfeits and withdrawals.

`CLUBNIGHT_TIE_BREAK_EVENTS` sets the number of events (40 unless told; 2,000 for the full count).
"""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest

from pairing.engine.snapshot import PairingCard, TournamentSnapshot
from pairing.engine.standings import Edition, rank_players
from tests.pairing.engine.literal.events import RandomEvent
from tests.pairing.engine.literal.tie_breaks import ranking

EVENTS = int(os.environ.get("CLUBNIGHT_TIE_BREAK_EVENTS", "40"))
CHUNK = 100
SYSTEMS = ("fide-1989", "dutch-1992", "jahr")

ALONE: tuple[str, ...] = (
    "PTS",
    "WIN",
    "WON",
    "BPG",
    "BWG",
    "REP",
    "STD",
    "PS",
    "PS/C1",
    "PS/C2",
    "TPN",
    "TPN/R",
    "KS",
    "KS/L+1",
)
ALONE += ("KS/L-2", "BH", "BH/C1", "BH/C2", "BH/C9", "BH/M1", "BH/M2", "BH/P", "BH/C1/P", "BH/F", "BH/V1", "BH/C1/V1")
ALONE += ("FB", "FB/C1", "FB/M1", "FB/P", "FB/V1", "AOB", "AOB/F", "AOB/P", "SOB", "SB", "SB/C1", "SB/C2", "SB/P")
ALONE += ("SB/M1", "SB/C1/P", "SB/C1/V1", "ARO", "ARO/U1200", "ARO/C1/U1200", "ARO/M1/U1200", "TPR/U1200", "PTP/U1200")
ALONE += ("APRO/U1200", "APPO/U1200", "RTNG", "RTNG/R/U1200", "TPR", "AR")
LISTS = (("DE",), ("DE/P",), ("WIN", "DE", "BH/C1", "DE/P"), ("DE1", "AR", "LOT"), ("BH", "DE1", "LOT"))


def random_event(seed: int) -> RandomEvent:
    """An event some rounds on, paired by chance, so that some have met twice and some tie-breaks are half done."""
    event = RandomEvent(SYSTEMS[seed % len(SYSTEMS)], seed)
    for _ in range(event.dice.randint(1, event.rounds_to_play)):
        snapshot = event.snapshot()
        present = [card.tpn for card in snapshot.cards if card.unavailable is None]
        event.dice.shuffle(present)
        bye = present.pop() if len(present) % 2 else None
        event.enter_round(tuple(zip(present[::2], present[1::2], strict=True)), bye)
    return event


def with_every_rating(snapshot: TournamentSnapshot) -> TournamentSnapshot:
    return replace(snapshot, cards=tuple(_rated(card) for card in snapshot.cards))


def _rated(card: PairingCard) -> PairingCard:
    return replace(card, rating=card.rating or 1400 + card.tpn)


@pytest.mark.parametrize("first_seed", range(0, EVENTS, CHUNK))
def test_tables_agree_with_the_literal_twin(first_seed: int) -> None:
    for seed in range(first_seed, min(first_seed + CHUNK, EVENTS)):
        event = random_event(seed)
        snapshot = replace(event.snapshot(), system="fide-1989")
        snapshot = with_every_rating(snapshot) if seed % 2 else snapshot
        dice = Random(seed)
        drawn = dice.sample(event.tpns, dice.randint(0, len(event.tpns)))
        lots = {tpn: place for place, tpn in enumerate(drawn, start=1)}
        edition = dice.choice(list(Edition))
        some = [tuple(dice.sample((*ALONE, "DE", "DE/P"), 3)) for _ in range(3)]
        for codes in (ALONE, *some, *LISTS):
            ours = rank_players(snapshot, codes, edition=edition, lots=lots)
            theirs = ranking(snapshot, codes, edition=int(edition.value[:4]), lots=lots)
            of_ours = {row.tpn: (row.rank, [value.text for value in row.values]) for row in ours}
            assert of_ours == theirs, f"seed {seed}, {codes}, {edition}"
