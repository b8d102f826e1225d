"""A rating list of invented players in FIDE's format, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from lab.spelt_names import spelt_names

HEADER = (
    f"{'ID Number':<15}{'Name':<61}{'Fed':<4}{'Sex':<4}{'Tit':<5}{'WTit':<5}{'OTit':<15}{'FOA':<4}"
    f"{'SRtng':<6}{'SGm':<4}{'SK':<3}{'RRtng':<6}{'RGm':<4}{'Rk':<3}{'BRtng':<6}{'BGm':<4}{'BK':<3}{'B-day':<6}{'Flag':<4}"
)
"""The combined list's header line; every column begins where its heading does."""

FEDERATIONS = ("POL", "CZE", "BUL", "GER", "IND", "ESP", "FRA", "ITA", "USA", "ENG", "HUN", "SRB")
_BEGINNINGS = ("Ba", "Be", "Ko", "Ma", "Mi", "No", "Pe", "Ra", "Sa", "Sta", "Wi", "Za", "Du", "Li", "Cha", "Hor", "Ol")
_MIDDLES = ("bi", "cho", "da", "ka", "lo", "ma", "ni", "ra", "ro", "va", "wi", "za", "ne", "tu")
_ENDS = ("ak", "ek", "er", "ic", "in", "ko", "nen", "ov", "owski", "sen", "son", "ski", "va", "yan")


EVERY_FIFTH = 5


def write_list(path: Path, players: int, *, seed: int = 1, with_spelt_names: bool = False) -> None:
    """Write a list of so many players; optionally every fifth has a name from `spelt_names`, spelt as in lists."""
    with path.open("w", encoding="ascii", newline="") as file:
        file.write(HEADER + "\r\n")
        file.writelines(lines(players, seed=seed, with_spelt_names=with_spelt_names))


def lines(players: int, *, seed: int = 1, with_spelt_names: bool = False) -> Iterator[str]:
    """The players' lines, ordered by name, roughly like FIDE's: IDs go up and down."""
    chance = random.Random(seed)
    spelt = spelt_names(players) if with_spelt_names else None
    for place in range(players):
        number = 100_000 + (place * 7_919) % (10 * players + 1)
        if spelt and place % EVERY_FIFTH == 0:
            spelt_name, manner = next(spelt)
            name = ", ".join(spelt_name.written(manner))
        else:
            name = f"{_name(chance)}, {_name(chance)}"
        rating = 0 if chance.random() < 0.55 else chance.randrange(1400, 2300)
        yield (
            f"{number:<15}{name:<61}{chance.choice(FEDERATIONS):<4}{chance.choice('MMMMF'):<4}{'':<5}{'':<5}{'':<15}{'':<4}"
            f"{rating:<6}{0:<4}{20:<3}{rating and rating - 20:<6}{0:<4}{20:<3}{rating and rating + 15:<6}{0:<4}{20:<3}"
            f"{chance.randrange(1940, 2018):<6}{'':<4}\r\n"
        )


def _name(chance: random.Random) -> str:
    middles = "".join(chance.choice(_MIDDLES) for _ in range(chance.choice((0, 1, 1, 2))))
    return chance.choice(_BEGINNINGS) + middles + chance.choice(_ENDS)
