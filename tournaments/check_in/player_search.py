"""Whom a few letters typed at the door mean: who fits and how well, and who is here by Enter."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum

from common.text.name_order import name_sort_key, split_name_particles
from common.text.name_search import matches_search_words, name_search_words, normalise_name, split_search_words
from tournaments.check_in.presence import CheckInStatus, RoundCheckIn


class NameMatch(IntEnum):
    """How a name fits what was typed; the smaller fits better."""

    FAMILY_NAME = 0
    """The family name begins so; where more is typed, the given name begins with the rest: `malinowski a`."""
    WORDS = 1
    """Each word typed begins a word of the name."""
    PARTS = 2
    """Each word typed occurs in the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInSearchResult:
    """Keys of the entries who fit, in the order shown: those still to come first, those who are here last.

    `first` would be here by Enter once he was shown as the first, `best_match` also unseen; `already_here` are those
    who fit best where all of them are here.
    """

    keys: tuple[int, ...]
    first: int | None = None
    best_match: int | None = None
    already_here: tuple[int, ...] = ()


def match_name(name: str, words: list[str]) -> NameMatch | None:
    """How well a name fits the words somebody is looking for (see `split_search_words`); None where it does not."""
    if not matches_search_words(name, words):
        return None
    family, _comma, given = name.partition(",")
    families = [normalise_name(family), normalise_name(split_name_particles(family)[0])]
    for count in range(1, len(words) + 1):
        head, rest = " ".join(words[:count]), " ".join(words[count:])
        if any(each.startswith(head) for each in families) and normalise_name(given).strip().startswith(rest):
            return NameMatch.FAMILY_NAME
    of_name = name_search_words(name)
    begins = all(any(each.startswith(word) for each in of_name) for word in name_search_words(" ".join(words)))
    return NameMatch.WORDS if begins else NameMatch.PARTS


def search_players(
    door: RoundCheckIn, query: str, full_names: Mapping[int, str], only: Collection[int] | None = None
) -> CheckInSearchResult:
    """Who fits what was typed, of everybody or of `only` these; without letters all of them by name, nobody meant.

    Meant is the one who fits best among those not seen yet or on the way. Nobody is where two fit equally well, or
    where somebody seen already fits better. Who was noted absent is meant where nobody else fits.
    """
    words = split_search_words(query)
    wanted = door.names if only is None else door.names.keys() & only
    if not words:
        return CheckInSearchResult(keys=tuple(sorted(wanted, key=lambda key: (name_sort_key(door.names[key]), key))))
    fits = {key: how for key in wanted if (how := match_name(full_names.get(key, door.names[key]), words)) is not None}
    keys = sorted(fits, key=lambda key: (_turn(door.statuses[key]), fits[key], name_sort_key(door.names[key]), key))
    best = min(fits.values(), default=None)
    nearest = tuple(key for key in keys if fits[key] == best)
    return CheckInSearchResult(
        keys=tuple(keys),
        first=keys[0] if keys and door.statuses[keys[0]] is not CheckInStatus.HERE else None,
        best_match=_meant(door, keys, nearest),
        already_here=nearest if all(door.statuses[key] is CheckInStatus.HERE for key in nearest) else (),
    )


def _turn(seen: CheckInStatus) -> int:
    """Those still to come, those noted otherwise, those who are here."""
    return 2 if seen is CheckInStatus.HERE else 0 if seen in (CheckInStatus.NOT_YET, CheckInStatus.LATE) else 1


def _meant(door: RoundCheckIn, keys: Collection[int], nearest: Collection[int]) -> int | None:
    to_come = [key for key in nearest if door.statuses[key] in (CheckInStatus.NOT_YET, CheckInStatus.LATE)]
    if len(to_come) == 1:
        return to_come[0]
    absent = [key for key in keys if door.statuses[key] is CheckInStatus.ABSENT]
    return absent[0] if len(keys) == len(absent) == 1 else None
