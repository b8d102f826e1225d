"""Real events, paired round by round by every system, and checked by the pairing checker."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairing.engine.paired_round import PairedRound
from pairing.engine.pairing_checker import check_event_pairings
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS, SWISS_SYSTEMS
from pairing.engine.trf import TrfError, read_trf, snapshot_from_trf

pytestmark = pytest.mark.slow


def events_in(folder: Path, system: str) -> list[tuple[str, TournamentSnapshot]]:
    """The readable events of a folder, by file name; those of nine rounds in their final state."""
    found = []
    for path in sorted([*folder.glob("*.trf"), *folder.glob("*.trfx"), *folder.glob("*.txt")]):
        if path.stem.endswith(("_r02", "_r05")):
            continue
        try:
            found.append((path.name, snapshot_from_trf(read_trf(path.read_bytes(), name=path.name), system=system)))
        except TrfError:
            continue
    return found


@pytest.mark.parametrize("system", SWISS_SYSTEMS)
def test_every_round_is_paired_legally_and_checked(event_files: Path, system: str):
    events = events_in(event_files, system)
    assert events, "no readable event among the files"
    for name, event in events:

        def paired(before: TournamentSnapshot, name: str = name) -> PairedRound:
            made = PAIRING_SYSTEMS[system](before)
            assert_legal(before, made, f"{name}, round {before.round_number}")
            return made

        checks = list(check_event_pairings(event, paired))
        assert [check.round_number for check in checks] == list(range(1, event.rounds_paired + 1)), name


def assert_legal(before: TournamentSnapshot, made: PairedRound, where: str) -> None:
    """Everyone has one place, and nobody meets an earlier opponent."""
    cards = {card.tpn: card for card in before.cards}
    seated = [tpn for game in made.games for tpn in (game.white, game.black)]
    seated += [made.bye.player] if made.bye else []
    assert sorted(seated) == sorted(tpn for tpn, card in cards.items() if card.unavailable is None), where
    for game in made.games:
        met = {record.opponent for record in cards[game.white].records if record.is_played}
        assert game.black not in met, f"{where}: {game.white}-{game.black}"
