"""Players of rating lists by ID, name or any part of it, among a million and a half."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Greatest

from clubs.models import Club, ListedPlayer, RatingRegister
from clubs.writing.searching import name_words

LOOKED_AT = 120
"""So many matching players are looked at; of a name that fits more, the rest is not even counted."""

SHOWN = 40
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
    Alphabets, accents and capitals do not matter, nor the order. Whole words come before beginnings, these before
    middles, higher ratings before lower ones.
    """
    text = query.replace("\x00", " ").strip()
    if any(letter.isdigit() for letter in text):
        players = ListedPlayer.objects.filter(register__in=registers, number=text).select_related("register")
        return Found(players=list(players), are_all=True)
    words = sorted(set(name_words(text)), key=len, reverse=True)
    if not words or len(words[0]) < SHORTEST:
        return Found(players=[], are_all=True)
    candidates = sorted(_candidates(registers, words), key=lambda candidate: candidate.place(words))
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

    def place(self, words: list[str]) -> tuple[int, int, int, str]:
        whole = sum(f" {word} " in self.searched for word in words)
        begun = sum(f" {word}" in self.searched for word in words)
        return -whole, -begun, -self.rating, self.name


def _candidates(registers: Collection[RatingRegister], words: list[str]) -> Collection[_Candidate]:
    """All players who fit, or where there are many, of those with whole words and beginnings first."""
    anywhere = [word if len(word) >= INDEXED else f" {word}" for word in words]
    beginnings = [f" {word}" for word in words]
    found = _holding(registers, anywhere)
    if len(found) < LOOKED_AT:
        return found
    better = _holding(registers, [f"{beginning} " for beginning in beginnings])
    if len(better) < LOOKED_AT and anywhere != beginnings:
        better += _holding(registers, beginnings)
    return {candidate.pk: candidate for candidate in [*better, *found]}.values()


def _holding(registers: Collection[RatingRegister], parts: Iterable[str]) -> list[_Candidate]:
    """Some players in whose plain name all parts stand; one of the parts has three letters."""
    if connection.vendor == "sqlite":
        return _holding_in_sqlite([register.pk for register in registers], sorted(parts, key=len))
    players = ListedPlayer.objects.filter(*(Q(searched__contains=part) for part in parts), register__in=registers)
    columns = players.order_by().values_list("pk", "searched", Greatest("standard", "rapid", "blitz"), "name")
    return [_Candidate(*row) for row in columns[:LOOKED_AT]]


def _holding_in_sqlite(registers: list[int], parts: list[str]) -> list[_Candidate]:
    # "Cross" keeps SQLite from going through the players and asking the index about each.
    known = [part for part in parts if len(part) >= INDEXED]
    short = [part for part in parts if len(part) < INDEXED]
    sentence = (
        "SELECT player.id, player.searched, max(player.standard, player.rapid, player.blitz), player.name"  # noqa: S608
        f" FROM listed_player_parts CROSS JOIN {ListedPlayer._meta.db_table} player"
        f" ON player.id = listed_player_parts.rowid"
        f" WHERE listed_player_parts MATCH %s AND player.register_id IN ({', '.join(['%s'] * len(registers))})"
        f"{' AND instr(player.searched, %s)' * len(short)} LIMIT {LOOKED_AT}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sentence, [" AND ".join(f'"{part}"' for part in known), *registers, *short])
        return [_Candidate(*row) for row in cursor.fetchall()]
