"""Players of rating lists by ID, name or any part of it, among a million and a half."""

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
"""So many matching players are looked at; of a name that fits more, the rest is not even counted."""

MAX_PLAYERS_SHOWN = 40
MAX_TYPO_CANDIDATES = 1200
"""So many players with parts of a name are held against it."""
MAX_RARE_WORD_CANDIDATES = 400
"""Fewer players than these have a rare word: all of them are held against the rest of the name."""
MIN_QUERY_LENGTH = 2
SHORT_WORD_LENGTH = 5
TWO_TYPOS_MIN_LENGTH = 6
"""So long a word may have two wrong letters, where nobody is found with one."""
INDEXED_PART_LENGTH = 3
"""So many letters in a row, a space among them, are what the index knows."""


FETCH_BATCH_SIZE = 200


CandidateRow: TypeAlias = tuple[int, str, int, str]
"""Key, plain name, best rating and name of a player, as `_Candidate`."""

WordPartSets: TypeAlias = list[list[list[str]]]
"""For every word sets of parts, of which one set is whole in a name that fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSearchResult:
    """The best matches, and whether there are more than could be looked at."""

    players: list[RatingListPlayer]
    is_complete: bool


def registers_of_club(club: Club) -> list[RatingRegister]:
    """FIDE's register and the club's own."""
    return list(RatingRegister.objects.filter(Q(club=None) | Q(club=club)).order_by("club", "name"))


def find_listed_players(registers: Collection[RatingRegister], query: str) -> ListSearchResult:
    """Players whose ID is the query (which has a figure in it), or whose name holds each of the query's words.

    A word of three letters is found in the middle of another, a shorter one at its beginning; one has two at least.
    Alphabets, accents and capitals do not matter, nor the order, nor how another country writes the same sounds. Whole
    words come before beginnings, these before middles, higher ratings before lower ones.
    Where nobody fits, those do whose names differ by a letter or two.
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
    """What decides whether a player is shown: a hundred of them are looked at for forty shown."""

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
    """All players who fit, or where there are many, of those with whole words and beginnings first."""
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
    """Players whose names are the words with a letter or two wrong, missing, too many or changed places; nearest first.

    First those of whose name one word is wrong and the others are whole and rare. Then where one letter is wrong the
    others are right: those before it begin a word, those behind it end one; as the words sound, and as they are written
    or may sound elsewhere. At last those with two wrong letters in one word.
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
    """By how many letters a name differs from what was looked for; in the order in which players are shown."""

    distance: int
    minus_rating: int
    candidate: _Candidate


class _Near(NamedTuple):
    """Who is near, of so many players that were held against the words."""

    found: set[_NearOne]
    of: int


def _beside_rare_words(registers: Collection[RatingRegister], ways: list[list[str]]) -> tuple[set[_NearOne], list[int]]:
    """Players of whose name one word is wrong, with up to two letters, and the others are whole; and the places of the
    words for which too many have the others whole: all of them would have to be fetched.
    """
    near: set[_NearOne] = set()
    frequent = []
    for place, way in enumerate(ways):
        others = (*ways[:place], *ways[place + 1 :])
        whole = [[[f" {other[0]} "]] for other in others]
        # Most are found to be others by the wrong word, which is looked at first.
        found = (
            _near(registers, [whole], [way, *others], in_long_ones=2, most=MAX_RARE_WORD_CANDIDATES) if others else None
        )
        if found is None or found.of == MAX_RARE_WORD_CANDIDATES:
            frequent.append(place)
        else:
            near |= found.found
    return near, frequent


def _one_word_wrong(heard: list[str]) -> list[WordPartSets]:
    """A case for each set of parts of each word, all other words being whole."""
    cases = []
    for place, word in enumerate(heard):
        others = [[[f" {other} "]] for other in (*heard[:place], *heard[place + 1 :])]
        cases += [[[parts], *others] for parts in _one_typo(word)]
    return cases


def _two_typos(ways: list[list[str]], place: int) -> WordPartSets:
    """Of one word two letters are wrong, the others are right, and this one begins or ends so."""
    first = ways[place][0]
    if len(ways) == 1:
        return [[[f" {first[:4]}"], [f"{first[-4:]} "]]]
    parts = [[[_part(each)] for each in way] for way in ways]
    parts[place] = [[f" {first[:2]}"], [f"{first[-2:]} "]]
    return parts


def _one_typo(*ways: str) -> list[list[str]]:
    """`_sets_for_one_typo` of each way in which a word may be written; many have sets in common."""
    sets = dict.fromkeys(tuple(parts) for word in ways for parts in _sets_for_one_typo(word))
    return [list(parts) for parts in sets]


def _sets_for_one_typo(word: str) -> list[list[str]]:
    """The parts of a word of which one set is whole in each word that differs from it in one place, or none."""
    if max_typos(word) == 0:
        return [[_part(word)]]
    # Wrong is one of the letters from `begin` on, which may have changed places with the next: so one more is left out
    # than the next set begins further on. The longer the word, the more, so that there are few sets.
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
    """Of those who hold, in one of the cases, a set of each word's parts: the ones whose words are near enough.

    Rows are looked at as they come, and those that are not near are kept nowhere.
    """
    words = [_NearWord(way, in_long_ones) for way in ways]
    near: set[_NearOne] = set()
    count = 0
    for row in _rows(registers, cases, most):
        count += 1
        distance = 0
        of_name = row[1].split()
        for word in words:
            least = word.distance_to(of_name)
            if least is None:
                break
            distance += least
        else:
            candidate = _Candidate(*row)
            near.add(_NearOne(distance, -candidate.rating, candidate))
    return _Near(near, count)


class _NearWord:
    """A word that is looked for, in each way in which it may be written, and what was found of others."""

    def __init__(self, way: list[str], in_long_ones: int) -> None:
        self._way = way
        self._most = max(max_typos(way[0]), in_long_ones if len(way[0]) >= TWO_TYPOS_MIN_LENGTH else 0)
        self._known: dict[str, int] = {}

    def distance_to(self, words: list[str]) -> int | None:
        """How many letters differ from the nearest of some words; None where there are too many typos."""
        least = self._most + 1
        for word in words:
            distance = self._known.get(word)
            if distance is None:
                distance = min(OSA.distance(each, word, score_cutoff=self._most) for each in self._way)
                self._known[word] = distance
            least = min(least, distance)
        return least if least <= self._most else None


def _holding(registers: Collection[RatingRegister], sets: Iterable[Iterable[str]]) -> list[_Candidate]:
    """Some players in whose plain name all parts of a set stand; one of the parts has three letters."""
    (parts,) = sets
    return [_Candidate(*row) for row in _rows(registers, [[[[part]] for part in parts]], MAX_CANDIDATES)]


def _rows(registers: Collection[RatingRegister], cases: list[WordPartSets], most: int) -> Iterator[CandidateRow]:
    """Some players whose plain name holds, in one of the cases, for every word all parts of one of its sets."""
    keys = [register.pk for register in registers]
    sentence, wanted = (_in_sqlite if connection.vendor == "sqlite" else _in_postgresql)(keys, cases, most)
    with connection.cursor() as cursor:
        cursor.execute(sentence, wanted)
        while rows := cursor.fetchmany(FETCH_BATCH_SIZE):
            yield from rows


def _in_postgresql(registers: list[int], cases: list[WordPartSets], most: int) -> tuple[str, Sequence[Any]]:
    # By hand: put together by Django, a sentence of forty parts takes longer to write than to answer.
    wanted: list[Any] = []

    def all_parts_condition(parts: list[str]) -> str:
        # Words are letters and figures: nothing of them is a sign to LIKE, nor in a regular expression.
        wanted.extend(f"%{part}%" for part in parts)
        return " AND ".join(["searched LIKE %s"] * len(parts))

    def any_set_condition(sets: list[list[str]]) -> str:
        if len(sets) == 1:
            return all_parts_condition(sets[0])
        # One expression, for which the index is gone through once; as so many LIKEs it would be for each. The parts of
        # a set are the beginning and the end of one word.
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
    """Hoping to come upon enough of them soon, PostgreSQL may read all players one after the other: in seconds."""
    if connection.vendor == "sqlite":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        yield
        cursor.execute("SET LOCAL enable_seqscan = on")


def _in_sqlite(registers: list[int], cases: list[WordPartSets], most: int) -> tuple[str, Sequence[Any]]:
    # "Cross" keeps SQLite from going through the players and asking the index about each.
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
    """What the index is asked for a word; empty where a part of it is too short to be known there."""
    if any(len(part) < INDEXED_PART_LENGTH for parts in sets for part in parts):
        return ""
    return f"({' OR '.join('(' + ' AND '.join(map(_phrase, parts)) + ')' for parts in sets)})"


def _phrase(part: str) -> str:
    return f'"{part}"'
