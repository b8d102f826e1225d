"""Players of rating lists by ID, name or any part of it, among a million and a half."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Greatest
from rapidfuzz.distance import OSA

from clubs.models import Club, ListedPlayer, RatingRegister
from clubs.writing.searching import most_typos, name_words, sounded

LOOKED_AT = 120
"""So many matching players are looked at; of a name that fits more, the rest is not even counted."""

SHOWN = 40
MOST_NEAR = 1200
"""So many players with parts of a name are held against it."""
SHORTEST = 2
INDEXED = 3
"""So many letters in a row, a space among them, are what the index knows."""


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
    words = sorted(set(name_words(text)), key=len, reverse=True)
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

    Where one letter is wrong the others are right: those before it begin a word, those behind it end one.
    """
    alike = [sounded(word) for word in words]
    found = _near(registers, alike, [_one_typo(word) for word in alike])
    if not found and len(alike) > 1:
        # Two letters in one word: the others are right, and this one begins or ends so.
        for place, word in enumerate(alike):
            if most_typos(word) > 1:
                parts = [[[_part(other)]] for other in alike]
                parts[place] = [[f" {word[:2]}"], [f"{word[-2:]} "]]
                found += _near(registers, alike, parts)
    if not found and len(alike) == 1 and most_typos(alike[0]) > 1:
        found = _near(registers, alike, [[[f" {alike[0][:4]}"], [f"{alike[0][-4:]} "]]])
    return found


def _one_typo(word: str) -> list[list[str]]:
    """The parts of a word of which one set is whole in each word that differs from it in one place, or none."""
    sets = [[_part(word)]]
    if most_typos(word) == 0:
        return sets
    for begin in range(0, len(word) - 1, 2):
        # Wrong is the letter at `begin` or the next, which may have changed places with the one behind it.
        before, behind = f" {word[:begin]}", f"{word[begin + 3 :]} "
        parts = [part for part in (before, behind) if len(part) >= INDEXED]
        if parts:
            sets.append(parts)
    return sets


def _near(
    registers: Collection[RatingRegister], alike: list[str], alternatives: list[list[list[str]]]
) -> list[_Candidate]:
    """Of those who hold a set of each word's parts, the ones whose words are near enough, the nearest first."""
    near = []
    for candidate in _holding_any(registers, alternatives):
        distance = _distance(alike, candidate.searched.split())
        if distance is not None:
            near.append((distance, -candidate.rating, candidate))
    return [candidate for _distance, _rating, candidate in sorted(near)]


def _distance(alike: list[str], words: list[str]) -> int | None:
    """How many letters differ, each word against the nearest of the name; None where one has too many typos."""
    whole = 0
    for word in alike:
        most = most_typos(word)
        least = min((OSA.distance(word, other, score_cutoff=most) for other in words), default=most + 1)
        if least > most:
            return None
        whole += least
    return whole


def _holding(registers: Collection[RatingRegister], sets: Iterable[Iterable[str]]) -> list[_Candidate]:
    """Some players in whose plain name all parts of a set stand; one of the parts has three letters."""
    (parts,) = sets
    return _holding_any(registers, [[[part]] for part in parts], most=LOOKED_AT)


def _holding_any(
    registers: Collection[RatingRegister], alternatives: list[list[list[str]]], *, most: int = MOST_NEAR
) -> list[_Candidate]:
    """Some players whose plain name holds, for every word, all parts of one of its sets."""
    if connection.vendor == "sqlite":
        return _holding_in_sqlite([register.pk for register in registers], alternatives, most)
    players = ListedPlayer.objects.filter(register__in=registers)
    for sets in alternatives:
        fits = Q(pk__in=[])
        for parts in sets:
            fits |= Q(*(Q(searched__contains=part) for part in parts))
        players = players.filter(fits)
    columns = players.order_by().values_list("pk", "searched", Greatest("standard", "rapid", "blitz"), "name")
    return [_Candidate(*row) for row in columns[:most]]


def _holding_in_sqlite(registers: list[int], alternatives: list[list[list[str]]], most: int) -> list[_Candidate]:
    # "Cross" keeps SQLite from going through the players and asking the index about each.
    known = [sets for sets in alternatives if all(len(part) >= INDEXED for parts in sets for part in parts)]
    short = [part for sets in alternatives if sets not in known for parts in sets for part in parts]
    wanted = [
        f"({' OR '.join('(' + ' AND '.join(_phrase(part) for part in parts) + ')' for parts in sets)})"
        for sets in known
    ]
    sentence = (
        "SELECT player.id, player.searched, max(player.standard, player.rapid, player.blitz), player.name"  # noqa: S608
        f" FROM listed_player_parts CROSS JOIN {ListedPlayer._meta.db_table} player"
        f" ON player.id = listed_player_parts.rowid"
        f" WHERE listed_player_parts MATCH %s AND player.register_id IN ({', '.join(['%s'] * len(registers))})"
        f"{' AND instr(player.searched, %s)' * len(short)} LIMIT {most}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sentence, [" AND ".join(wanted), *registers, *short])
        return [_Candidate(*row) for row in cursor.fetchall()]


def _phrase(part: str) -> str:
    return f'"{part}"'
