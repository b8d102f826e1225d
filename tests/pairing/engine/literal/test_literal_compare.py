"""The comparison notices a wrong engine, and prints what is needed to reproduce the difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.paired_round import PairingImpossible
from pairing.engine.systems import PAIRING_SYSTEMS
from tests.pairing.engine.literal import compare

TEXT = "fide-1989 rounds=3\n1 2000 3w1\n2 1900 4b1\n3 1800 1b0\n4 1700 2w0\n"


def colours_swapped(snapshot):
    paired = PAIRING_SYSTEMS["fide-1989"](snapshot)
    last = paired.games[-1]
    return replace(paired, games=(*paired.games[:-1], replace(last, white=last.black, black=last.white)))


def boards_misnumbered(snapshot):
    paired = PAIRING_SYSTEMS["fide-1989"](snapshot)
    return replace(paired, games=tuple(replace(game, board=1) for game in paired.games))


def gives_up(snapshot):
    raise PairingImpossible("no legal round")


def crashes(snapshot):
    raise ZeroDivisionError("oh")


@pytest.mark.parametrize("engine", [colours_swapped, boards_misnumbered, gives_up, crashes])
def test_a_wrong_engine_disagrees(engine, monkeypatch):
    assert compare.replayed(TEXT).agrees
    monkeypatch.setattr(compare, "PAIRING_SYSTEMS", {"fide-1989": engine})
    assert not compare.replayed(TEXT).agrees


def test_a_disagreement_can_be_paired_again_from_what_it_prints(monkeypatch, capsys):
    monkeypatch.setattr(compare, "PAIRING_SYSTEMS", {"fide-1989": colours_swapped})
    assert compare.main(["--system", "fide-1989", "--events", "1", "--seed", "3"]) == 1
    head, *lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert head.startswith("fide-1989, round 1, seed 3:")
    monkeypatch.undo()
    assert compare.replayed("\n".join(lines)).agrees
    assert compare.main(["--system", "fide-1989", "--events", "1", "--seed", "3"]) == 0
