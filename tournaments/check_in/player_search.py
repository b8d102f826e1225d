"""Searching players at check-in: how well a name matches, and which player Enter checks in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum

from common.text.name_order import name_sort_key, split_name_particles
from common.text.name_search import matches_search_words, name_search_words, normalise_name, split_search_words
from tournaments.check_in.presence import CheckInStatus, RoundCheckIn


class NameMatch(IntEnum):
    """How well a name matches the query. The smallest value is the best match."""

    FAMILY_NAME = 0
    """The family name begins with the query. With more words, the given name begins with the rest: `malinowski a`."""
    WORDS = 1
    """Each word of the query begins a word of the name."""
    PARTS = 2
    """Each word of the query occurs in the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInSearchResult:
    """The matching entries' keys in the order shown: players still expected first, players already here last.

    `first` is the player Enter checks in after the list was shown, and `best_match` before it is shown. `already_here`
    are the best matches if all of them are here.
    """

    keys: tuple[int, ...]
    first: int | None = None
    best_match: int | None = None
    already_here: tuple[int, ...] = ()


def match_name(name: str, words: list[str]) -> NameMatch | None:
    """Return how well a name matches the words of a query (see `split_search_words`), or None if it does not match."""
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
    """Find players who match the query, in `only` if it is given. An empty query returns all players by name.

    The best match is the single closest one among players not seen yet or late. There is none if two match equally
    well, or if a player already marked matches better. An absent player is the best match only if nobody else matches.
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
    """Return the sort key of a status: players still expected, then other statuses, then players who are here."""
    return 2 if seen is CheckInStatus.HERE else 0 if seen in (CheckInStatus.NOT_YET, CheckInStatus.LATE) else 1


def _meant(door: RoundCheckIn, keys: Collection[int], nearest: Collection[int]) -> int | None:
    to_come = [key for key in nearest if door.statuses[key] in (CheckInStatus.NOT_YET, CheckInStatus.LATE)]
    if len(to_come) == 1:
        return to_come[0]
    absent = [key for key in keys if door.statuses[key] is CheckInStatus.ABSENT]
    return absent[0] if len(keys) == len(absent) == 1 else None
