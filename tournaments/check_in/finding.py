"""Whom a few letters typed at the door mean: who fits and how well, and who is here by Enter."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum

from common.text.name_order import name_key, without_particles
from common.text.searching import holds, name_words, plain, words_of
from tournaments.check_in.check_in import Door, Seen


class Fit(IntEnum):
    """How a name fits what was typed; the smaller fits better."""

    FAMILY_NAME = 0
    """The family name begins so; where more is typed, the given name begins with the rest: `malinowski a`."""
    WORDS = 1
    """Each word typed begins a word of the name."""
    PARTS = 2
    """Each word typed occurs in the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Keys of the entries who fit, in the order shown: those still to come first, those who are here last.

    `first` would be here by Enter once he was shown as the first, `meant` also unseen; `already` are those who fit
    best where all of them are here.
    """

    keys: tuple[int, ...]
    first: int | None = None
    meant: int | None = None
    already: tuple[int, ...] = ()


def fit(name: str, words: list[str]) -> Fit | None:
    """How well a name fits the words somebody is looking for (see `words_of`); None where it does not."""
    if not holds(name, words):
        return None
    family, _comma, given = name.partition(",")
    families = [plain(family), plain(without_particles(family)[0])]
    for count in range(1, len(words) + 1):
        head, rest = " ".join(words[:count]), " ".join(words[count:])
        if any(each.startswith(head) for each in families) and plain(given).strip().startswith(rest):
            return Fit.FAMILY_NAME
    of_name = name_words(name)
    begins = all(any(each.startswith(word) for each in of_name) for word in name_words(" ".join(words)))
    return Fit.WORDS if begins else Fit.PARTS


def find(door: Door, query: str, full_names: Mapping[int, str], only: Collection[int] | None = None) -> Found:
    """Who fits what was typed, of everybody or of `only` these; without letters all of them by name, nobody meant.

    Meant is the one who fits best among those not seen yet or on the way. Nobody is where two fit equally well, or
    where somebody seen already fits better. Who was noted absent is meant where nobody else fits.
    """
    words = words_of(query)
    wanted = door.names if only is None else door.names.keys() & only
    if not words:
        return Found(keys=tuple(sorted(wanted, key=lambda key: (name_key(door.names[key]), key))))
    fits = {key: how for key in wanted if (how := fit(full_names.get(key, door.names[key]), words)) is not None}
    keys = sorted(fits, key=lambda key: (_turn(door.seen[key]), fits[key], name_key(door.names[key]), key))
    best = min(fits.values(), default=None)
    nearest = tuple(key for key in keys if fits[key] == best)
    return Found(
        keys=tuple(keys),
        first=keys[0] if keys and door.seen[keys[0]] is not Seen.HERE else None,
        meant=_meant(door, keys, nearest),
        already=nearest if all(door.seen[key] is Seen.HERE for key in nearest) else (),
    )


def _turn(seen: Seen) -> int:
    """Those still to come, those noted otherwise, those who are here."""
    return 2 if seen is Seen.HERE else 0 if seen in (Seen.NOT_YET, Seen.LATE) else 1


def _meant(door: Door, keys: Collection[int], nearest: Collection[int]) -> int | None:
    to_come = [key for key in nearest if door.seen[key] in (Seen.NOT_YET, Seen.LATE)]
    if len(to_come) == 1:
        return to_come[0]
    absent = [key for key in keys if door.seen[key] is Seen.ABSENT]
    return absent[0] if len(keys) == len(absent) == 1 else None
