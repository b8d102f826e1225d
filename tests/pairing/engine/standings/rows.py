"""Events for tie-break tests: from short lines, and around one player whose opponents' scores are given."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pairing.engine.snapshot import STANDARD_POINTS, Colour, PairingCard, Result, RoundRecord, TournamentSnapshot
from pairing.engine.standings import TieBreakEdition, rank_players
from pairing.engine.trf import read_trf, snapshot_from_trf
from tests.pairing.engine.trf.lines import player, report


def event(rows: str, *, rounds: int | None = None) -> TournamentSnapshot:
    """An event from lines of number, rating and rounds: `9w1` is a win with White against 9, `H` a half-point bye."""
    return snapshot_from_trf(
        read_trf(report(*report_lines(rows)), name="exercise.trf"), system="dutch-1992", rounds=rounds
    )


def report_lines(rows: str) -> list[str]:
    """The lines 001 of such an event."""
    return [
        player(int(number), *map(_block, blocks), rating=int(rating) or "")
        for number, rating, *blocks in map(str.split, rows.strip().splitlines())
    ]


def _block(text: str) -> str:
    return f"{text[:-2]:>4} {text[-2]} {text[-1]}" if len(text) > 1 else f"0000 - {text}"


def column(
    snapshot: TournamentSnapshot,
    code: str,
    edition: TieBreakEdition = TieBreakEdition.MARCH_2026,
    lots: dict[int, int] | None = None,
) -> dict[int, str]:
    """The values of one tie-break, by player."""
    return {row.tpn: row.values[0].display_text for row in rank_players(snapshot, (code,), edition=edition, lots=lots)}


def around_one(*rounds: str) -> TournamentSnapshot:
    """An event as player 1 saw it, one word per round: the result and, if there was an opponent, their final score.

    `1:5.5` is a win against someone who ended with five and a half points, `+:4.5~2` a forfeit win against one who
    was absent from the last two rounds. Opponents have their other points from full-point byes.
    """
    own, cards = [], []
    for index, word in enumerate(rounds):
        letter, _, opponent = word.partition(":")
        if not opponent:
            own.append(RoundRecord(result=Result(letter)))
            continue
        score, _, absent = opponent.partition("~")
        own.append(RoundRecord(result=Result(letter), opponent=index + 2, colour=Colour.WHITE))
        reply = RoundRecord(result=Result(_REPLIES[letter]), opponent=1, colour=Colour.BLACK)
        others = _others(
            len(rounds) - 1,
            Fraction(score) - Fraction(STANDARD_POINTS.points_for_result(reply.result), 2),
            int(absent or 0),
        )
        cards.append(PairingCard(tpn=index + 2, records=(*others[:index], reply, *others[index:])))
    snapshot = TournamentSnapshot(
        cards=(PairingCard(tpn=1, records=tuple(own)), *cards),
        rounds_paired=len(rounds),
        rounds_announced=len(rounds),
        system="dutch-1992",
    )
    snapshot.check_consistency()
    return snapshot


_REPLIES = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+"}


def _others(rounds: int, points: Fraction, absent: int) -> Sequence[RoundRecord]:
    """So many points in the first rounds, nothing in the rest; absences only in the last rounds."""
    whole, half = divmod(points, 1)
    letters = "F" * int(whole) + ("H" if half else "")
    letters += "-" * (rounds - absent - len(letters)) + "Z" * absent
    return [RoundRecord(result=Result(letter)) for letter in letters]
