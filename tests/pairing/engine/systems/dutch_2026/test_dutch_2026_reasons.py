"""The criteria in the reasons of dutch-2026, derived independently with the literal transcription."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest

from pairing.engine.paired_round import DecisionCause, PairedRound, PairingImpossible, PairingReason, ReasonKind
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from tests.pairing.engine.literal import dutch_2026, notation
from tests.pairing.engine.literal.counted import Counted, fictitious_in
from tests.pairing.engine.literal.events import play
from tests.pairing.engine.literal.facts import NoLegalRound

FIELDS = ("C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18", "C19", "C20", "C21")
OBSTACLES = (DecisionCause.MET, DecisionCause.FORBIDDEN, DecisionCause.SAME_ABSOLUTE_COLOUR)
IN_ORDER = ("4.2", "4.3", "4.4")
"""Where all criteria are kept: what comes first."""


class Told(NamedTuple):
    """A bracket of the transcription, its pairs and its downfloaters."""

    bracket: dutch_2026.Bracket
    pairs: list[tuple[int, int]]
    downfloaters: frozenset[int]

    @property
    def members(self) -> frozenset[int]:
        return self.bracket.mdps | self.bracket.residents

    def fails_with(self, made: list[tuple[int, int]], one: int, other: int) -> str | None:
        """The first criterion kept less well with this pair and those made, "C6" for C4 to C9; None: all kept."""
        bracket = self.bracket
        pairs = [*made, bracket.ordered(one, other)]
        left = self.members - {tpn for pair in pairs for tpn in pair}
        found = []
        for leaving in bracket.best_sets_of_downfloaters():
            best = bracket.best(left - leaving) if leaving <= left else None
            if best is not None:
                for pair in pairs:
                    best = dutch_2026.added(best, bracket.of_pair(*pair))
                found.append(dutch_2026.added(best, bracket.of_downfloaters(leaving)))
        return self.worse(min(found)) if found else "C6"

    def fails_without(self, leaver: int) -> str | None:
        """The same if that player floats instead of the one who does; "C6" for C4 to C6."""
        bracket, alone, now = self.bracket, frozenset((leaver,)), self.downfloaters
        best = bracket.best(self.members - alone)
        if best is None or bracket.bye_score(alone) != bracket.bye_score(now):
            return "C6"
        for criterion, worth in (("C7", bracket.scores), ("C8", bracket.next_bracket)):
            if worth(alone) != worth(now):
                return criterion
        if not bracket.bye_is_below(alone) and self.unplayed(alone) != self.unplayed(now):
            return "C9"
        return self.worse(dutch_2026.added(best, bracket.of_downfloaters(alone)))

    def unplayed(self, players: frozenset[int]) -> int:
        return sum(map(self.bracket.procedure.unplayed, players))

    def worse(self, quality: dutch_2026.Quality) -> str | None:
        wanted = zip(FIELDS, quality, self.bracket.target, strict=True)
        return next((name for name, had, best in wanted if had != best), None)


def brackets(snapshot: TournamentSnapshot) -> list[Told]:
    """The brackets of the transcription."""
    worth = snapshot.points.pairing_allocated_bye
    procedure = dutch_2026.Procedure(Counted(snapshot, fictitious_in(snapshot), worth))
    return [Told(*each) for each in procedure.brackets()]


def turns(told: Told, made: PairedRound) -> Iterator[tuple[list[tuple[int, int]], Sequence[PairingReason]]]:
    """The pairs before each turn, and the reasons for it: players moved down first, then S1 in order."""
    chosen = {}
    for game in made.games:
        why = next(why for why in game.reasons if why.kind is ReasonKind.OPPONENT)
        chosen[why.players[0]] = (why.players[1], game.reasons)
    pairs: list[tuple[int, int]] = []
    for chooser in sorted((tpn for tpn in chosen if tpn in told.members), key=told.bracket.numbers.__getitem__):
        opponent, reasons = chosen[chooser]
        if opponent in told.members:
            yield list(pairs), reasons
            pairs.append(told.bracket.ordered(chooser, opponent))


def check(snapshot: TournamentSnapshot, made: PairedRound) -> set[str]:
    """Check all rejected players and all who did not float instead of another; return the criteria."""
    named = set()
    whys = [why for game in made.games for why in game.reasons] + list(made.bye.reasons if made.bye else ())
    for told in brackets(snapshot):
        for before, reasons in turns(told, made):
            paired_before = {tpn for pair in before for tpn in pair}
            for why in reasons:
                if why.kind is ReasonKind.PASSED_OVER and why.players[0] not in paired_before:
                    fails = told.fails_with(before, *why.players)
                    # If several leave, each is checked alone: C4 or C8 may rule out a player whom another criterion
                    # excludes.
                    several = fails == "C6" and len(told.downfloaters) > 1
                    named.add(agree(why, (fails,), snapshot, unless=several))
        if len(told.downfloaters) == 1:
            (gone,) = told.downfloaters
            for why in whys:
                stayed = why.kind is ReasonKind.STAYED and why.players[1] == gone
                if (stayed or why.kind is ReasonKind.BYE_PASSED_OVER) and why.players[0] in told.members:
                    fails = told.fails_without(why.players[0])
                    named.add(agree(why, ("C2", "C4", "C6") if fails == "C6" else (fails,), snapshot))
    return named


def agree(
    why: PairingReason, fails: tuple[str | None, ...], snapshot: TournamentSnapshot, *, unless: bool = False
) -> str:
    number = why.article.split()[1]
    if why.get_fact("because") not in OBSTACLES and not unless:
        stated = None if number in IN_ORDER else "C6" if number == "C7" and fails == ("C6",) else number
        assert stated in fails, f"{why}: fails {fails}\n{notation.written(snapshot)}"
    return number


def test_everyone_who_comes_earlier_fails_on_the_criterion_named():
    named: set[str] = set()
    for seed in range(20):
        for snapshot, _ in play("dutch-2026", seed, dutch_2026.pair):
            try:
                named |= check(snapshot, PAIRING_SYSTEMS["dutch-2026"](snapshot))
            except PairingImpossible:
                continue
    assert {"C6", "C12"} <= named


def test_no_reason_without_a_round():
    with pytest.raises(NoLegalRound):
        dutch_2026.pair(notation.read("dutch-2026 rounds=3\n1 2000 2w1\n2 1900 1b0\n"))
    with pytest.raises(PairingImpossible) as refused:
        PAIRING_SYSTEMS["dutch-2026"](notation.read("dutch-2026 rounds=3\n1 2000 2w1\n2 1900 1b0\n"))
    assert set(refused.value.players) == {1, 2}


WITHOUT_A_ROUND_BELOW = """dutch-2026 rounds=7
1 2400 11w1 8b= 2w= 15b1
2 2300 12b1 16w1 1b= 5w1
5 2300 14w1 11b= 8w1 2b0
8 2300 15b1 1w= 5b0 11w1
11 1700 1b0 5w= 12b1 8b0
12 1300 2w0 14b1 11w0 U
14 1300 5b0 12w0 U 16b1
15 1200 8w0 U 16b1 1w0
16 0 U 2b0 15w0 14w0"""
"""12, 14 and 15 have two points, below them are 11, the only one who may have the bye, and 16."""


def test_who_may_not_leave_for_those_below_is_told_from_who_is_needed_in_the_bracket():
    """Without 15, 12 and 14 remain, who have met; 14 would be left with 16, whom 14 has met. So 12 moves down."""
    made = PAIRING_SYSTEMS["dutch-2026"](notation.read(WITHOUT_A_ROUND_BELOW))
    (board,) = (game for game in made.games if {game.white, game.black} == {12, 16})
    stayed = [
        (why.players, why.article, why.get_fact("because")) for why in board.reasons if why.kind is ReasonKind.STAYED
    ]
    assert stayed == [
        ((14, 12), "dutch-2026 C4", DecisionCause.BLOCKS_REST),
        ((15, 12), "dutch-2026 C6", DecisionCause.BLOCKS_GROUP),
    ]
