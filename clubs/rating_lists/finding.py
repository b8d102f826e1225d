"""Players of rating lists by ID, name or any part of it, among a million and a half."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Greatest
from rapidfuzz.distance import OSA

from clubs.models import Club, ListedPlayer, RatingRegister
from clubs.writing.searching import heard_ways, most_typos, name_words, sounded, without_soft_signs

LOOKED_AT = 120
"""So many matching players are looked at; of a name that fits more, the rest is not even counted."""

SHOWN = 40
MOST_NEAR = 1200
"""So many players with parts of a name are held against it."""
SHORTEST = 2
SHORT_WORD = 5
TWO_TYPOS_FROM = 6
"""So long a word may have two wrong letters, where nobody is found with one."""
INDEXED = 3
"""So many letters in a row, a space among them, are what the index knows."""


Alternatives: TypeAlias = list[list[list[str]]]
"""For every word sets of parts, of which one set is whole in a name that fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The best matches, and whether there are more than could be looked at."""

    players: list[ListedPlayer]
    are_all: bool


def registers_of(club: Club) -> list[RatingRegister]:
    """FIDE's register and the club's own."""
    return list(RatingRegister.objects.filter(Q(club=None) | Q(club=club)).order_by("club", "name"))


def find_players(registers: Collection[RatingRegister], query: str) -> Found:
    """Players whose ID is the query (which has a figure in it), or whose name holds each of the query's words.

    A word of three letters is found in the middle of another, a shorter one at its beginning; one has two at least.
    Alphabets, accents and capitals do not matter, nor the order, nor how another country writes the same sounds. Whole
    words come before beginnings, these before middles, higher ratings before lower ones.
    Where nobody fits, those do whose names differ by a letter or two.
    """
    text = query.replace("\x00", " ").strip()
    if any(letter.isdigit() for letter in text):
        players = ListedPlayer.objects.filter(register__in=registers, number=text).select_related("register")
        return Found(players=list(players), are_all=True)
    words = sorted(set(name_words(without_soft_signs(text))), key=len, reverse=True)
    if not words or len(words[0]) < SHORTEST:
        return Found(players=[], are_all=True)
    candidates = sorted(_candidates(registers, words), key=lambda candidate: candidate.place(words))
    if not candidates:
        candidates = _misspelt(registers, words)
    shown = [candidate.pk for candidate in candidates[:SHOWN]]
    players = ListedPlayer.objects.filter(pk__in=shown).select_related("register")
    return Found(
        players=sorted(players, key=lambda player: shown.index(player.pk)),
        are_all=len(candidates) < LOOKED_AT and len(candidates) <= SHOWN,
    )


class _Candidate(NamedTuple):
    """What decides whether a player is shown: a hundred of them are looked at for forty shown."""

    pk: int
    searched: str
    rating: int
    name: str

    def place(self, words: list[str]) -> tuple[int, int, int, int, str]:
        whole = sum(f" {word} " in self.searched for word in words)
        begun = sum(f" {word}" in self.searched for word in words)
        held = sum(word in self.searched for word in words)
        return -held, -whole, -begun, -self.rating, self.name


def _candidates(registers: Collection[RatingRegister], words: list[str]) -> Collection[_Candidate]:
    """All players who fit, or where there are many, of those with whole words and beginnings first."""
    anywhere = [_part(word) for word in words]
    beginnings = [f" {word}" for word in words]
    found = _holding(registers, [anywhere])
    better: list[_Candidate] = []
    if len(found) >= LOOKED_AT:
        better = _holding(registers, [[f"{beginning} " for beginning in beginnings]])
        if len(better) < LOOKED_AT and anywhere != beginnings:
            better += _holding(registers, [beginnings])
    alike = [sounded(word) for word in words]
    if alike != words or len(found) < LOOKED_AT:
        better += _holding(registers, [[f" {word} " for word in alike]])
    return {candidate.pk: candidate for candidate in [*better, *found]}.values()


def _part(word: str) -> str:
    return word if len(word) >= INDEXED else f" {word}"


def _misspelt(registers: Collection[RatingRegister], words: list[str]) -> list[_Candidate]:
    """Players whose names are the words with a letter or two wrong, missing, too many or changed places; nearest first.

    Where one letter is wrong the others are right: those before it begin a word, those behind it end one. First as the
    words sound, one of them wrong, which is asked quickly; then each of them; then as they are written or may sound
    elsewhere; then with two letters of one word wrong.
    """
    ways = [heard_ways(word) for word in words]
    found = _near(registers, ways, _one_word_wrong([way[0] for way in ways])) if len(ways) > 1 else []
    if not found:
        found = _near(registers, ways, [[_one_typo(way[0]) for way in ways]])
    if not found and any(len(way) > 1 for way in ways):
        found = _near(registers, ways, [[_one_typo(*way) for way in ways]])
    if not found:
        for place, (first, *_others) in enumerate(ways):
            if len(first) < TWO_TYPOS_FROM:
                continue
            if len(ways) > 1:
                # The other words are right, and this one begins or ends so.
                parts = [[[_part(each)] for each in way] for way in ways]
                parts[place] = [[f" {first[:2]}"], [f"{first[-2:]} "]]
            else:
                parts = [[[f" {first[:4]}"], [f"{first[-4:]} "]]]
            found += _near(registers, ways, [parts], in_long_ones=2)
    return found


def _one_word_wrong(heard: list[str]) -> list[Alternatives]:
    """A case for each set of parts of each word, all other words being whole: these are rare, and found at once."""
    cases = []
    for place, word in enumerate(heard):
        others = [[[f" {other} "]] for other in (*heard[:place], *heard[place + 1 :])]
        cases += [[[parts], *others] for parts in _one_typo(word)]
    return cases


def _one_typo(*ways: str) -> list[list[str]]:
    """`_sets_for_one_typo` of each way in which a word may be written; many have sets in common."""
    sets = dict.fromkeys(tuple(parts) for word in ways for parts in _sets_for_one_typo(word))
    return [list(parts) for parts in sets]


def _sets_for_one_typo(word: str) -> list[list[str]]:
    """The parts of a word of which one set is whole in each word that differs from it in one place, or none."""
    if most_typos(word) == 0:
        return [[_part(word)]]
    # Wrong is one of the letters from `begin` on, which may have changed places with the next: so one more is left out
    # than the next set begins further on. The longer the word, the more, so that there are few sets.
    step = 1 if len(word) <= SHORT_WORD else 2 if len(word) <= 7 else 3 if len(word) <= 10 else 4
    sets = []
    for begin in range(0, len(word) - 1, step):
        before, behind = f" {word[:begin]}", f"{word[begin + step + 1 :]} "
        parts = [part for part in (before, behind) if len(part) >= INDEXED]
        if parts:
            sets.append(parts)
    return sets


def _near(
    registers: Collection[RatingRegister],
    ways: list[list[str]],
    cases: list[Alternatives],
    *,
    in_long_ones: int = 1,
) -> list[_Candidate]:
    """Of those who hold a set of each word's parts, the ones whose words are near enough, the nearest first."""
    near = []
    for candidate in _holding_any(registers, cases):
        distance = _distance(ways, candidate.searched.split(), in_long_ones)
        if distance is not None:
            near.append((distance, -candidate.rating, candidate))
    return [candidate for _distance, _rating, candidate in sorted(near)]


def _distance(ways: list[list[str]], words: list[str], in_long_ones: int) -> int | None:
    """How many letters differ, each word against the nearest of the name; None where one has too many typos."""
    whole = 0
    for way in ways:
        most = max(most_typos(way[0]), in_long_ones if len(way[0]) >= TWO_TYPOS_FROM else 0)
        least = min((OSA.distance(each, other, score_cutoff=most) for each in way for other in words), default=most + 1)
        if least > most:
            return None
        whole += least
    return whole


def _holding(registers: Collection[RatingRegister], sets: Iterable[Iterable[str]]) -> list[_Candidate]:
    """Some players in whose plain name all parts of a set stand; one of the parts has three letters."""
    (parts,) = sets
    return _holding_any(registers, [[[[part]] for part in parts]], most=LOOKED_AT)


def _holding_any(
    registers: Collection[RatingRegister], cases: list[Alternatives], *, most: int = MOST_NEAR
) -> list[_Candidate]:
    """Some players whose plain name holds, in one of the cases, for every word all parts of one of its sets."""
    if connection.vendor == "sqlite":
        return _holding_in_sqlite([register.pk for register in registers], cases, most)
    fits = Q(pk__in=[])
    for alternatives in cases:
        fits |= Q(*(_any_of(sets) for sets in alternatives))
    players = ListedPlayer.objects.filter(fits, register__in=registers)
    columns = players.order_by().values_list("pk", "searched", Greatest("standard", "rapid", "blitz"), "name")
    with _by_the_index():
        return [_Candidate(*row) for row in columns[:most]]


@contextmanager
def _by_the_index() -> Iterator[None]:
    """Hoping to come upon enough of them soon, PostgreSQL may read all players one after the other: in seconds."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        yield
        cursor.execute("SET LOCAL enable_seqscan = on")


def _any_of(sets: list[list[str]]) -> Q:
    fits = Q(pk__in=[])
    for parts in sets:
        fits |= Q(*(Q(searched__contains=part) for part in parts))
    return fits


def _holding_in_sqlite(registers: list[int], cases: list[Alternatives], most: int) -> list[_Candidate]:
    # "Cross" keeps SQLite from going through the players and asking the index about each.
    short = [part for case in cases for sets in case for parts in sets for part in parts if len(part) < INDEXED]
    wanted = " OR ".join(f"({' AND '.join(filter(None, map(_matching, case)))})" for case in cases)
    sentence = (
        "SELECT player.id, player.searched, max(player.standard, player.rapid, player.blitz), player.name"  # noqa: S608
        f" FROM listed_player_parts CROSS JOIN {ListedPlayer._meta.db_table} player"
        f" ON player.id = listed_player_parts.rowid"
        f" WHERE listed_player_parts MATCH %s AND player.register_id IN ({', '.join(['%s'] * len(registers))})"
        f"{' AND instr(player.searched, %s)' * len(short)} LIMIT {most}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sentence, [wanted, *registers, *short])
        return [_Candidate(*row) for row in cursor.fetchall()]


def _matching(sets: list[list[str]]) -> str:
    """What the index is asked for a word; empty where a part of it is too short to be known there."""
    if any(len(part) < INDEXED for parts in sets for part in parts):
        return ""
    return f"({' OR '.join('(' + ' AND '.join(map(_phrase, parts)) + ')' for parts in sets)})"


def _phrase(part: str) -> str:
    return f'"{part}"'
