"""Search for events that take long to pair: `python -m lab.worst_search [--minutes M] [--system NAME] [--seed S]`.

Events of all families of `lab.families` are drawn; every other one is a change of one of the longest so far. Each is
paired in a process of its own, which is stopped after some seconds. The longest are printed, with their recipes;
`--recipe RECIPE` pairs that one, `--write FILE` keeps it as a report file. With `--state FILE` a search is written down
after each event, and the next of the same seed goes on from there.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

from lab.families import FAMILIES, Recipe, event_of
from lab.figures import table
from pairing.engine.paired_round import PairingImpossible
from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.systems import SWISS_SYSTEMS
from pairing.engine.trf import TrfHeader, trf_from_snapshot, write_trf

KEPT = 5
"""So many of the longest are kept for a system and family, to be changed and to be printed."""


class Found(NamedTuple):
    """CPU seconds of a system; `ended` is empty, or says how it ended without a round."""

    seconds: float
    ended: str
    recipe: Recipe

    def __str__(self) -> str:
        return f"{self.seconds:.2f}" + (f" ({self.ended})" if self.ended else "")


class Search:
    """The longest events so far, and the next draw."""

    def __init__(self, systems: Sequence[str], families: Sequence[str], *, largest: int, most: int, seed: int) -> None:
        self._systems, self._families = systems, families
        self._largest, self._most = largest, most
        self._dice = Random(seed)
        self.longest: dict[tuple[str, str], list[Found]] = {(s, f): [] for s in systems for f in families}
        self.tried = 0
        self.spent = 0.0

    def step(self) -> list[tuple[str, Found]]:
        """Draw an event and pair it with every system."""
        recipe = self._drawn()
        began = process_time()
        event = event_of(recipe)
        self.spent += process_time() - began
        news: list[tuple[str, Found]] = []
        for system in self._systems:
            found = _timed(system, replace(event, system=system), recipe, self._most)
            self.tried += 1
            self.spent += found.seconds
            kept = self.longest[system, recipe.family]
            if not kept or found.seconds > kept[0].seconds:
                news.append((system, found))
            kept.append(found)
            kept.sort(key=lambda one: -one.seconds)
            del kept[KEPT:]
        return news

    def written(self) -> str:
        """The search so far, as JSON, for `go_on`."""
        longest = [[s, f, [[*one[:2], str(one.recipe)] for one in kept]] for (s, f), kept in self.longest.items()]
        told = {"tried": self.tried, "spent": self.spent, "dice": self._dice.getstate(), "longest": longest}
        return json.dumps(told)

    def go_on(self, written: str) -> None:
        """Continue a saved search."""
        told = json.loads(written)
        self.tried, self.spent = told["tried"], told["spent"]
        version, inner, following = told["dice"]
        self._dice.setstate((version, tuple(inner), following))
        for system, family, kept in told["longest"]:
            self.longest[system, family] = [Found(took, ended, Recipe.read(recipe)) for took, ended, recipe in kept]

    def _drawn(self) -> Recipe:
        dice = self._dice
        family = dice.choice(self._families)
        kept = self.longest[dice.choice(self._systems), family]
        if kept and dice.random() < 0.5:
            return self._changed(dice.choice(kept).recipe)
        return Recipe(
            family=family,
            players=dice.randint(20, self._largest),
            groups=dice.choice([1, 2, 3, 5, 8, 12]),
            knot=dice.choice([2, 3, 4, 5, 7, 9, 12]),
            hubs=dice.choice([0, 1, 2, 3, 5, 8]),
            below=dice.choice([1, 2, 3, 5, 8, 12]),
            bound=dice.choice([0, 20, 50, 80, 100]),
            density=dice.choice([3, 10, 30, 60, 90]),
            lifted=dice.choice([0, 2, 5]),
            seed=dice.randrange(10**6),
        )

    def _changed(self, recipe: Recipe) -> Recipe:
        dice = self._dice
        name = dice.choice(["players", "groups", "knot", "hubs", "below", "bound", "density", "lifted", "seed", "seed"])
        if name == "seed":
            return replace(recipe, seed=dice.randrange(10**6))
        least, most = _LIMITS[name]
        old = getattr(recipe, name)
        new = old + dice.choice([-1, 1]) * max(1, old * dice.randint(5, 40) // 100)
        changed: dict[str, int] = {name: min(max(new, least), most or self._largest)}
        return replace(recipe, **changed)  # type: ignore[arg-type]


_LIMITS = {
    "players": (20, 0),
    "groups": (1, 12),
    "knot": (2, 40),
    "hubs": (0, 20),
    "below": (1, 30),
    "bound": (0, 100),
    "density": (1, 100),
    "lifted": (0, 9),
}


def _timed(system: str, event: TournamentSnapshot, recipe: Recipe, most: int) -> Found:
    """Pair an event in a process of its own, which is stopped after so many CPU seconds."""
    sys.stdout.flush()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        _child(lambda: _how_it_ends(system, event), writer, most)
    os.close(writer)
    with open(reader, "rb") as answer:
        said = answer.read().decode()
    _, status, usage = os.wait4(child, 0)
    if not said:
        stopped = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        return Found(usage.ru_utime + usage.ru_stime, "stopped" if stopped else f"status {status}", recipe)
    seconds, _, ended = said.partition(" ")
    return Found(float(seconds), ended, recipe)


def _child(task: Callable[[], str], writer: int, most: int) -> None:
    """Do the task and report its duration; never returns."""
    try:
        spent = int(process_time()) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (spent + most, spent + most + 1))
        began = process_time()
        ended = task()
        os.write(writer, f"{process_time() - began} {ended}".encode())
    except Exception as error:
        os.write(writer, f"0 {type(error).__name__}: {error}".encode())
    finally:
        os._exit(0)


def _how_it_ends(system: str, event: TournamentSnapshot) -> str:
    try:
        SWISS_SYSTEMS[system](event)
    except PairingImpossible:
        return "no legal round"
    return ""


def main(arguments: list[str] | None = None) -> None:
    """Search for so many minutes of CPU time, or run one recipe."""
    parser = argparse.ArgumentParser(prog="python -m lab.worst_search", description="Search for hard events.")
    parser.add_argument("--minutes", type=float, default=5.0, help="CPU minutes (default: 5)")
    parser.add_argument(
        "--system", choices=sorted(SWISS_SYSTEMS), action="append", help="default: all; may be repeated"
    )
    parser.add_argument("--family", choices=sorted(FAMILIES), action="append", help="default: all; repeatable")
    parser.add_argument("--largest", type=int, default=500, metavar="N", help="most players (default: 500)")
    parser.add_argument("--most", type=int, default=30, metavar="S", help="CPU seconds an event may take (default: 30)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--state", type=Path, metavar="FILE", help="go on from this file, and write it in the end")
    parser.add_argument("--recipe", type=Recipe.read, help="pair this one only")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the event of the recipe as a report file")
    options = parser.parse_args(arguments)
    systems = options.system or sorted(SWISS_SYSTEMS)
    if options.recipe:
        _one(options.recipe, systems, options.most, options.write)
        return
    families = options.family or sorted(FAMILIES)
    search = Search(systems, families, largest=options.largest, most=options.most, seed=options.seed)
    if options.state and options.state.exists():
        search.go_on(options.state.read_text())
    until = search.spent + 60 * options.minutes
    while search.spent < until:
        for system, found in search.step():
            if found.seconds > 0.5:
                print(f"{search.spent:.0f} s: {system} {found} {found.recipe}", file=sys.stderr, flush=True)
        if options.state:
            options.state.write_text(search.written())
    minutes = search.spent / 60
    print(f"{search.tried} rounds in {minutes:.1f} CPU minutes, seed {options.seed}; CPU seconds of the longest:\n")
    rows = [
        [f"{system}, {family}", *([str(kept[0]), str(kept[0].recipe)] if kept else ["-", ""])]
        for (system, family), kept in search.longest.items()
    ]
    print(table(["system and family", "longest", "recipe"], rows))


def _one(recipe: Recipe, systems: Sequence[str], most: int, path: Path | None) -> None:
    event = event_of(recipe)
    for system in systems:
        print(system, _timed(system, replace(event, system=system), recipe, most), flush=True)
    if path:
        header = TrfHeader(tournament=str(recipe))
        ranks = {card.tpn: card.tpn for card in event.cards}
        path.write_bytes(write_trf(trf_from_snapshot(event, header=header, ranks=ranks)))


if __name__ == "__main__":
    main()
