"""Hash the pairings of every system for hard events: `python -m lab.answers [--events 200] [--players 120] [--seed S]`.

The events are drawn as those of `lab.worst_search`. Boards, bye, reasons and steps go into the hash by their values
alone, so that two states of the code that name things differently can be compared.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from random import Random
from typing import Any

from lab.families import FAMILIES, Recipe, event_of
from pairing.engine.paired_round import PairingImpossible
from pairing.engine.pairing_trace import trace_pairing_steps
from pairing.engine.systems import SWISS_SYSTEMS


def main() -> None:
    """Print one hash for each system, and how many of its events have no legal round."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--players", type=int, default=120, help="of the largest event")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    recipes = list(_drawn_recipes(options.events, options.players, options.seed))
    for system in SWISS_SYSTEMS:
        digest, refused = hashlib.sha256(), 0
        for recipe in recipes:
            try:
                made = SWISS_SYSTEMS[system](replace(event_of(recipe), system=system))
            except PairingImpossible as refusal:
                refused += 1
                digest.update(repr(_values(refusal.args)).encode())
            else:
                digest.update(repr((_values(made), _values(trace_pairing_steps(made)))).encode())
        print(f"{system:<12} {digest.hexdigest()[:24]}  {len(recipes)} events, {refused} without a legal round")


def _drawn_recipes(count: int, largest: int, seed: int) -> Iterator[Recipe]:
    dice = Random(seed)
    for number in range(count):
        yield Recipe(
            family=[*FAMILIES][number % len(FAMILIES)],
            players=dice.randint(20, largest),
            groups=dice.choice([1, 2, 3, 5, 8, 12]),
            knot=dice.choice([2, 3, 4, 5, 7, 9, 12]),
            hubs=dice.choice([0, 1, 2, 3, 5, 8]),
            below=dice.choice([1, 2, 3, 5, 8, 12]),
            bound=dice.choice([0, 20, 50, 80, 100]),
            density=dice.choice([3, 10, 30, 60, 90]),
            lifted=dice.choice([0, 2, 5]),
            seed=dice.randrange(10**6),
        )


def _values(thing: Any) -> Any:
    """The same data without our names: records as lists of their fields, enumeration members by position."""
    if isinstance(thing, Enum):
        return list(type(thing)).index(thing)
    if is_dataclass(thing) and not isinstance(thing, type):
        return [_values(getattr(thing, field.name)) for field in fields(thing)]
    if isinstance(thing, Mapping):
        return sorted((str(_values(key)), _values(value)) for key, value in thing.items())
    if isinstance(thing, Sequence) and not isinstance(thing, str):
        return [_values(one) for one in thing]
    return thing


if __name__ == "__main__":
    main()
