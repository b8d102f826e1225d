"""Compare the engine with the literal twins on random small events.

    python -m tests.pairing.engine.literal.compare --system fide-1989 --events 5000 --seed 0
    python -m tests.pairing.engine.literal.compare --system dubov-1997 --reading dubov-1997:7.1=next-group
    python -m tests.pairing.engine.literal.compare --replay FILE

The second reads a place of the document otherwise, and counts what that changes. The third pairs one snapshot in the
notation that a disagreement prints ("-": from standard input).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pairing.engine.paired_round import PairingImpossible
from pairing.engine.rule_interpretations import ChosenInterpretations, non_default_interpretations, parse_interpretation
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from tests.pairing.engine.literal import dubov_1997, dutch_1992, dutch_2026, fide_1989, jahr, notation
from tests.pairing.engine.literal.events import PairingFunction, play
from tests.pairing.engine.literal.facts import NoLegalRound, Pairing

LITERAL: Mapping[str, PairingFunction] = {
    "fide-1989": fide_1989.pair,
    "dutch-1992": dutch_1992.pair,
    "dubov-1997": dubov_1997.pair,
    "dutch-2026": dutch_2026.pair,
    "jahr": jahr.pair,
    "jahr+dutch-1992": jahr.pair,
}
"""The twin of every system, by its name; under Jahr's order with another procedure: `jahr+<procedure>`."""

OTHER_READINGS = [
    ("fide-1989", "fide-1989:8.2=next-round"),
    ("jahr", "jahr:6=unrounded"),
    ("jahr+dutch-1992", "jahr:6=unrounded"),
    ("dubov-1997", "dubov-1997:2.5=moved-up"),
    ("dubov-1997", "dubov-1997:5=number"),
    ("dubov-1997", "dubov-1997:6.2=name"),
    ("dubov-1997", "dubov-1997:7.1=next-group"),
    ("dubov-1997", "dubov-1997:7.2=next-group"),
    ("dubov-1997", "dubov-1997:7.3=name"),
    ("dutch-2026", "dutch-2026:5.2.5=list"),
]
"""Every twin with every reading that it asks and that is not the default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One round paired by both; `literal` and `engine` are None if that side finds no legal round."""

    name: str
    seed: int | None
    snapshot: TournamentSnapshot
    literal: Pairing | None
    engine: Pairing | str | None

    @property
    def agrees(self) -> bool:
        return self.literal == self.engine

    @property
    def hangs_on_readings(self) -> bool:
        """Whether the engine pairs the round differently with the default interpretations."""
        return by_engine(replace(self.snapshot, interpretations=())) != self.engine

    def __str__(self) -> str:
        where = f"{self.name}, round {self.snapshot.round_number}"
        if self.seed is not None:
            where += f", seed {self.seed}: python -m tests.pairing.engine.literal.compare --system {self.name}"
            where += f" --events 1 --seed {self.seed}"
            where += "".join(f" --reading {name}={value}" for name, value in self.snapshot.interpretations)
        verdict = "agree" if self.agrees else "DISAGREE"
        return "\n".join(
            [
                where,
                notation.written(self.snapshot),
                f"literal: {_spelled(self.literal)}",
                f"engine:  {_spelled(self.engine)}",
                verdict,
            ]
        )


def compared_rounds(name: str, seeds: Iterable[int], readings: ChosenInterpretations = ()) -> Iterator[Compared]:
    """Every round of the events of these seeds, continued with the literal pairing."""
    for seed in seeds:
        for snapshot, literal in play(name, seed, LITERAL[name], readings):
            yield Compared(name=name, seed=seed, snapshot=snapshot, literal=literal, engine=by_engine(snapshot))


def by_engine(snapshot: TournamentSnapshot) -> Pairing | str | None:
    """The engine's answer as plain data; a crash becomes text, since it is a disagreement too."""
    try:
        paired = PAIRING_SYSTEMS[snapshot.system](snapshot)
    except PairingImpossible:
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if [game.board for game in paired.games] != list(range(1, len(paired.games) + 1)):
        return f"boards numbered {[game.board for game in paired.games]}"
    return tuple((game.white, game.black) for game in paired.games), paired.bye.player if paired.bye else None


def replayed(text: str) -> Compared:
    """Both pairings of one snapshot in its notation."""
    snapshot = notation.read(text)
    name = text.split(maxsplit=1)[0]
    try:
        literal = LITERAL[name](snapshot)
    except NoLegalRound:
        literal = None
    return Compared(name=name, seed=None, snapshot=snapshot, literal=literal, engine=by_engine(snapshot))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare the engine with the literal twins.")
    parser.add_argument("--system", choices=sorted(LITERAL))
    parser.add_argument("--events", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reading", action="append", default=[], metavar="ID=VALUE")
    parser.add_argument("--replay", metavar="FILE")
    options = parser.parse_args(arguments)
    if options.replay:
        text = sys.stdin.read() if options.replay == "-" else Path(options.replay).read_text(encoding="utf-8")
        compared = replayed(text)
        print(compared)
        return 0 if compared.agrees else 1
    if options.system is None:
        parser.error("--system or --replay is needed")
    readings = non_default_interpretations(map(parse_interpretation, options.reading))
    rounds = disagreements = changed = 0
    for compared in compared_rounds(options.system, range(options.seed, options.seed + options.events), readings):
        rounds += 1
        changed += bool(readings) and compared.hangs_on_readings
        if not compared.agrees:
            disagreements += 1
            print(compared, end="\n\n")
    print(f"{options.system}: {options.events} events, {rounds} rounds, {disagreements} disagreements")
    if readings:
        spelled = " ".join(f"{name}={value}" for name, value in readings)
        print(f"{spelled}: {changed} rounds paired otherwise than by the defaults")
    return 0 if disagreements == 0 else 1


def _spelled(paired: Pairing | str | None) -> str:
    if paired is None or isinstance(paired, str):
        return paired or "no legal round"
    games, bye = paired
    return " ".join(f"{white}-{black}" for white, black in games) + (f" bye {bye}" if bye is not None else "")


if __name__ == "__main__":
    sys.exit(main())
