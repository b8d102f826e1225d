"""Players of rating lists by ID, name or the beginnings of its words, among a million and a half."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection
from django.db.models import Q

from clubs.models import Club, ListedPlayer, ListedWord, RatingRegister
from clubs.searching import name_words

LOOKED_AT = 120
"""So many matching players are looked at; of a name that fits more, the rest is not even counted."""

SHOWN = 40
SHORTEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The best matches, and whether there are more than could be looked at."""

    players: list[ListedPlayer]
    are_all: bool


def registers_of(club: Club) -> list[RatingRegister]:
    """FIDE's register and the club's own."""
    return list(RatingRegister.objects.filter(Q(club=None) | Q(club=club)).order_by("club", "name"))


def find_players(registers: Collection[RatingRegister], query: str) -> Found:
    """Players whose ID is the query (figures only), or in whose name a word begins with each of the query's words.

    Alphabets, accents and capitals do not matter, nor the order of the words. Whole words come before beginnings,
    higher ratings before lower ones. At least two letters.
    """
    text = query.strip()
    if text.isdigit():
        players = ListedPlayer.objects.filter(register__in=registers, number=text).select_related("register")
        return Found(players=list(players), are_all=True)
    words = sorted(set(name_words(text)), key=len, reverse=True)
    if not words or len(words[0]) < SHORTEST:
        return Found(players=[], are_all=True)
    keys = [key for register in registers for key in _keys(register, words)]
    found = ListedPlayer.objects.filter(pk__in=keys).select_related("register")
    ranked = sorted(found, key=lambda player: _place(player, words))
    return Found(players=ranked[:SHOWN], are_all=len(keys) < LOOKED_AT and len(ranked) <= SHOWN)


def _keys(register: RatingRegister, words: list[str]) -> list[int]:
    """Some players of a register with all words, those first in whose name the longest stands whole."""
    matching = ListedWord.objects.filter(_begins(words[0]), register=register)
    for word in words[1:]:
        matching = matching.filter(words__contains=f" {word}")
    return list(matching.values_list("player", flat=True)[:LOOKED_AT])


def _begins(word: str) -> Q:
    """The word begins so, asked the way the database's index answers."""
    if connection.vendor == "sqlite":
        return Q(word__gte=word, word__lt=word[:-1] + chr(ord(word[-1]) + 1))
    return Q(word__startswith=word)


def _place(player: ListedPlayer, words: list[str]) -> tuple[int, int, str]:
    whole = len(set(words) & set(name_words(player.name)))
    return -whole, -max(player.standard, player.rapid, player.blitz), player.name
