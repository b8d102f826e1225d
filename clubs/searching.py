"""Finding people by name, whatever the accents and capitals."""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """A name without accents and capitals. Databases fold only some alphabets, and not all the same."""
    letters = unicodedata.normalize("NFD", text.casefold().replace("ł", "l"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def words_of(query: str) -> list[str]:
    """The words somebody is looking for."""
    return plain(query).replace(",", " ").split()


def holds(name: str, words: list[str]) -> bool:
    """Every word occurs in the name."""
    folded = plain(name)
    return all(word in folded for word in words)
