"""Search for players on rating lists by ID, name or part of a name. A list can have 1.5 million players."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from django.db import connection, transaction
from django.db.models import Q
from rapidfuzz.distance import OSA

from clubs.models import Club, RatingListPlayer, RatingRegister
from common.text.name_search import max_typos, name_search_words, phonetic_form, phonetic_variants, remove_soft_signs

MAX_CANDIDATES = 120
"""The most matching players to load; further ones aren't even counted."""

MAX_PLAYERS_SHOWN = 40
MAX_TYPO_CANDIDATES = 1200
"""The most players with parts of a name to compare with it."""
MAX_RARE_WORD_CANDIDATES = 400
"""A rare word has fewer players than this: all of them are compared with the rest of the name."""
MIN_QUERY_LENGTH = 2
SHORT_WORD_LENGTH = 5
TWO_TYPOS_MIN_LENGTH = 6
"""A word of this length may have two typos, if one typo finds nobody."""
INDEXED_PART_LENGTH = 3
"""The letters in a row, spaces included, that the index holds."""


FETCH_BATCH_SIZE = 200


CandidateRow: TypeAlias = tuple[int, str, int, str]
"""Key, plain name, best rating and name of a player, like `_Candidate`."""

WordPartSets: TypeAlias = list[list[list[str]]]
"""For every word, sets of parts; a name that fits contains all parts of one set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSearchResult:
    """The best matches. `is_complete` is False if there are more."""

    players: list[RatingListPlayer]
    is_complete: bool


def registers_of_club(club: Club) -> list[RatingRegister]:
    """Return FIDE's register and the club's own."""
    return list(RatingRegister.objects.filter(Q(club=None) | Q(club=club)).order_by("club", "name"))


def find_listed_players(registers: Collection[RatingRegister], query: str) -> ListSearchResult:
    """Find players whose ID is the query (if it has a digit), or whose name contains each of its words.

    A word of three or more letters is found inside another, a shorter one at its beginning. One word must have at least
    two letters. Alphabet, accents, case, order and spelling by sound don't matter. Whole words come before beginnings,
    these before middles, and higher ratings before lower ones. If nobody fits, names that differ by a letter or two are
    found.
    """
    text = query.replace("\x00", " ").strip()
    if any(letter.isdigit() for letter in text):
        players = RatingListPlayer.objects.filter(register__in=registers, number=text).select_related("register")
        return ListSearchResult(players=list(players), is_complete=True)
    words = sorted(set(name_search_words(remove_soft_signs(text))), key=len, reverse=True)
    if not words or len(words[0]) < MIN_QUERY_LENGTH:
        return ListSearchResult(players=[], is_complete=True)
    with _by_the_index():
        candidates = sorted(_candidates(registers, words), key=lambda candidate: candidate.sort_key(words))
        if not candidates:
            candidates = _misspelt(registers, words)
    shown = [candidate.pk for candidate in candidates[:MAX_PLAYERS_SHOWN]]
    players = RatingListPlayer.objects.filter(pk__in=shown).select_related("register")
    return ListSearchResult(
        players=sorted(players, key=lambda player: shown.index(player.pk)),
        is_complete=len(candidates) < MAX_CANDIDATES and len(candidates) <= MAX_PLAYERS_SHOWN,
    )


class _Candidate(NamedTuple):
    """The data that decide whether a player is shown: a hundred are checked to show forty."""

    pk: int
    search_text: str
    rating: int
    name: str

    def sort_key(self, words: list[str]) -> tuple[int, int, int, int, str]:
        whole = sum(f" {word} " in self.search_text for word in words)
        begun = sum(f" {word}" in self.search_text for word in words)
        held = sum(word in self.search_text for word in words)
        return -held, -whole, -begun, -self.rating, self.name


def _candidates(registers: Collection[RatingRegister], words: list[str]) -> Collection[_Candidate]:
    """Return the players who fit. If there are many, first those with whole words and beginnings."""
    anywhere = [_part(word) for word in words]
    beginnings = [f" {word}" for word in words]
    found = _holding(registers, [anywhere])
    better: list[_Candidate] = []
    if len(found) >= MAX_CANDIDATES:
        better = _holding(registers, [[f"{beginning} " for beginning in beginnings]])
        if len(better) < MAX_CANDIDATES and anywhere != beginnings:
            better += _holding(registers, [beginnings])
    alike = [phonetic_form(word) for word in words]
    if alike != words or len(found) < MAX_CANDIDATES:
        better += _holding(registers, [[f" {word} " for word in alike]])
    return {candidate.pk: candidate for candidate in [*better, *found]}.values()


def _part(word: str) -> str:
    return word if len(word) >= INDEXED_PART_LENGTH else f" {word}"


def _misspelt(registers: Collection[RatingRegister], words: list[str]) -> list[_Candidate]:
    """Find players whose names differ from the words by one or two typos, nearest first.

    Tried first: one word is wrong, and the others are whole and rare. Then one typo in any word, assuming that the
    letters before and after it are right. These are compared by sound, then by spelling. Last: two typos in one
    word.
    """
    ways = [phonetic_variants(word) for word in words]
    near, frequent = _beside_rare_words(registers, ways)
    if not any(each.distance <= 1 for each in near):
        found = _near(registers, [[_one_typo(way[0]) for way in ways]], ways)
        near |= found.found
        if found.of == MAX_TYPO_CANDIDATES and len(ways) > 1:
            near |= _near(registers, _one_word_wrong([way[0] for way in ways]), ways).found
    if not near and any(len(way) > 1 for way in ways):
        near = _near(registers, [[_one_typo(*way) for way in ways]], ways).found
    if not near:
        for place in frequent:
            if len(ways[place][0]) >= TWO_TYPOS_MIN_LENGTH:
                near |= _near(registers, [_two_typos(ways, place)], ways, in_long_ones=2).found
    return [each.candidate for each in sorted(near)]


class _NearOne(NamedTuple):
    """A near match, sorted as players are shown. `distance` is the number of typos."""

    distance: int
    minus_rating: int
    candidate: _Candidate


class _Near(NamedTuple):
    """The near matches, and the number of players compared."""

    found: set[_NearOne]
    of: int


def _beside_rare_words(registers: Collection[RatingRegister], ways: list[list[str]]) -> tuple[set[_NearOne], list[int]]:
    """Find players with up to two typos in one word and the others whole.

    Also return the indexes of words that can't be handled so, because too many players have all the other words.
    """
    near: set[_NearOne] = set()
    frequent = []
    for place, way in enumerate(ways):
        others = (*ways[:place], *ways[place + 1 :])
        whole = [[[f" {other[0]} "]] for other in others]
        # The wrong word comes first, because it rules out most players.
        found = (
            _near(registers, [whole], [way, *others], in_long_ones=2, most=MAX_RARE_WORD_CANDIDATES) if others else None
        )
        if found is None or found.of == MAX_RARE_WORD_CANDIDATES:
            frequent.append(place)
        else:
            near |= found.found
    return near, frequent


def _one_word_wrong(heard: list[str]) -> list[WordPartSets]:
    """Return a case for each set of parts of each word, with all other words whole."""
    cases = []
    for place, word in enumerate(heard):
        others = [[[f" {other} "]] for other in (*heard[:place], *heard[place + 1 :])]
        cases += [[[parts], *others] for parts in _one_typo(word)]
    return cases


def _two_typos(ways: list[list[str]], place: int) -> WordPartSets:
    """Return the parts if one word has two typos, but begins or ends right, and the others are right."""
    first = ways[place][0]
    if len(ways) == 1:
        return [[[f" {first[:4]}"], [f"{first[-4:]} "]]]
    parts = [[[_part(each)] for each in way] for way in ways]
    parts[place] = [[f" {first[:2]}"], [f"{first[-2:]} "]]
    return parts


def _one_typo(*ways: str) -> list[list[str]]:
    """Return `_sets_for_one_typo` of each spelling of a word, without duplicates."""
    sets = dict.fromkeys(tuple(parts) for word in ways for parts in _sets_for_one_typo(word))
    return [list(parts) for parts in sets]


def _sets_for_one_typo(word: str) -> list[list[str]]:
    """Return sets of a word's parts: a word with at most one typo contains all parts of one set."""
    if max_typos(word) == 0:
        return [[_part(word)]]
    # The typo is in one of `step` letters from `begin` on, or swaps the last with the next: so one letter more is left
    # out. Longer words take larger steps, to keep the sets few.
    step = 1 if len(word) <= SHORT_WORD_LENGTH else 2 if len(word) <= 7 else 3 if len(word) <= 10 else 4
    sets = []
    for begin in range(0, len(word) - 1, step):
        before, behind = f" {word[:begin]}", f"{word[begin + step + 1 :]} "
        parts = [part for part in (before, behind) if len(part) >= INDEXED_PART_LENGTH]
        if parts:
            sets.append(parts)
    return sets


def _near(
    registers: Collection[RatingRegister],
    cases: list[WordPartSets],
    ways: list[list[str]],
    *,
    in_long_ones: int = 1,
    most: int = MAX_TYPO_CANDIDATES,
) -> _Near:
    """Compare the players who match one of the cases with the words, and return the near ones.

    Rows are compared as they arrive, and only near ones are kept.
    """
    words = [_NearWord(way, in_long_ones) for way in ways]
    near: set[_NearOne] = set()
    count = 0
    for row in _rows(registers, cases, most):
        count += 1
        distance = 0
        of_name = row[1].split()
        for word in words:
            least = word.typo_distance_to(of_name)
            if least is None:
                break
            distance += least
        else:
            candidate = _Candidate(*row)
            near.add(_NearOne(distance, -candidate.rating, candidate))
    return _Near(near, count)


class _NearWord:
    """A searched word in all its spellings, with a cache of distances."""

    def __init__(self, way: list[str], in_long_ones: int) -> None:
        self._way = way
        self._most = max(max_typos(way[0]), in_long_ones if len(way[0]) >= TWO_TYPOS_MIN_LENGTH else 0)
        self._known: dict[str, int] = {}

    def typo_distance_to(self, words: list[str]) -> int | None:
        """Return the number of typos compared with the nearest of these words, or None if there are too many."""
        least = self._most + 1
        for word in words:
            distance = self._known.get(word)
            if distance is None:
                distance = min(OSA.distance(each, word, score_cutoff=self._most) for each in self._way)
                self._known[word] = distance
            least = min(least, distance)
        return least if least <= self._most else None


def _holding(registers: Collection[RatingRegister], sets: Iterable[Iterable[str]]) -> list[_Candidate]:
    """Return some players whose plain name contains all parts of a set. One part has three letters."""
    (parts,) = sets
    return [_Candidate(*row) for row in _rows(registers, [[[[part]] for part in parts]], MAX_CANDIDATES)]


def _rows(registers: Collection[RatingRegister], cases: list[WordPartSets], most: int) -> Iterator[CandidateRow]:
    """Yield some players who match a case: for every word, all parts of one of its sets."""
    keys = [register.pk for register in registers]
    sentence, wanted = (_in_sqlite if connection.vendor == "sqlite" else _in_postgresql)(keys, cases, most)
    with connection.cursor() as cursor:
        cursor.execute(sentence, wanted)
        while rows := cursor.fetchmany(FETCH_BATCH_SIZE):
            yield from rows


def _in_postgresql(registers: list[int], cases: list[WordPartSets], most: int) -> tuple[str, Sequence[Any]]:
    # Written by hand: for forty parts, Django takes longer to build the SQL than the database to answer.
    wanted: list[Any] = []

    def all_parts_condition(parts: list[str]) -> str:
        # Words are letters and digits, so nothing needs escaping in LIKE or a regular expression.
        wanted.extend(f"%{part}%" for part in parts)
        return " AND ".join(["searched LIKE %s"] * len(parts))

    def any_set_condition(sets: list[list[str]]) -> str:
        if len(sets) == 1:
            return all_parts_condition(sets[0])
        # A single expression scans the index once; separate LIKEs would scan it for each. The parts of a set are the
        # beginning and end of one word.
        wanted.append("|".join("[^ ]*".join(parts) for parts in sets))
        return "searched ~ %s"

    fits = " OR ".join(f"({' AND '.join(map(any_set_condition, alternatives))})" for alternatives in cases)
    sentence = (
        f"SELECT id, searched, greatest(standard, rapid, blitz), name FROM {RatingListPlayer._meta.db_table}"  # noqa: S608
        f" WHERE ({fits}) AND register_id = ANY(%s) LIMIT {most}"
    )
    return sentence, [*wanted, registers]


@contextmanager
def _by_the_index() -> Iterator[None]:
    """Stop PostgreSQL from scanning all players, which takes seconds, instead of using the index."""
    if connection.vendor == "sqlite":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        yield
        cursor.execute("SET LOCAL enable_seqscan = on")


def _in_sqlite(registers: list[int], cases: list[WordPartSets], most: int) -> tuple[str, Sequence[Any]]:
    # CROSS JOIN keeps SQLite from scanning the players and asking the index about each.
    short = [
        part for case in cases for sets in case for parts in sets for part in parts if len(part) < INDEXED_PART_LENGTH
    ]
    wanted = " OR ".join(f"({' AND '.join(filter(None, map(_matching, case)))})" for case in cases)
    sentence = (
        "SELECT player.id, player.searched, max(player.standard, player.rapid, player.blitz), player.name"  # noqa: S608
        f" FROM listed_player_parts CROSS JOIN {RatingListPlayer._meta.db_table} player"
        f" ON player.id = listed_player_parts.rowid"
        f" WHERE listed_player_parts MATCH %s AND player.register_id IN ({', '.join(['%s'] * len(registers))})"
        f"{' AND instr(player.searched, %s)' * len(short)} LIMIT {most}"
    )
    return sentence, [wanted, *registers, *short]


def _matching(sets: list[list[str]]) -> str:
    """Return the index query for a word, or empty if one of its parts is too short for the index."""
    if any(len(part) < INDEXED_PART_LENGTH for parts in sets for part in parts):
        return ""
    return f"({' OR '.join('(' + ' AND '.join(map(_phrase, parts)) + ')' for parts in sets)})"


def _phrase(part: str) -> str:
    return f'"{part}"'
