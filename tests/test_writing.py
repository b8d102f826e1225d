"""Messages are in plain English: everyday words, short sentences, one idea each (docs/developer/glossary.md).

Only the English texts are checked, as the translations follow them. Articles and help pages of the pairing systems may
be longer.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from config.message_extraction import extract_messages

ROOT = Path(__file__).resolve().parent.parent
MAX_WORDS = 25
MAX_WORDS_IN_A_SENTENCE = 20
MAX_WORDS_IN_A_SENTENCE_ON_RULES = 25

AVOIDED = re.compile(
    r"\b(whoever|whomever|of whom|to whom|once more|any more|stands?|mend\w*|he|his|him|she|hers?|"
    r"take[ns]? back|took back|so many|nobody but|by itself|laid|reckon\w*|e-mail\w*|please|"
    r"figures|whence|anew|upon|shall|ought|beside|"
    r"sorry|oops|log ?in|login)\b|!",
    re.IGNORECASE,
)
MISTYPED = re.compile(r"(?<![\w.])[01]-[01]\b|½-½|\.\.\.|\b\w+n't to be\b")
TWO_CLAUSES = re.compile(r"[a-z)”]: (?:it|they|you|this|that|these|those|nobody|everyone|there)\b|;(?!\S)")

MAY_BE_LONG = (
    "pairing/explanations/",
    "tournaments/events/forms.py",
    "tournaments/club_ratings/views.py",
)
"""Modules and folders with help of several sentences on the rules."""
LONG_HELP = (
    "+ and −:",
    "A bye is worth ½ point",
    "Based on FIDE's title regulations",
    "Before the game, write",
    "Choose a table of players",
    "FIDE accepts names in Latin letters",
    "Mark an event as FIDE rated",
    "Members are charged",
    "Paste the list as it is",
    "Rulers count millimetres",
    "The event disappears everywhere",
    "The page was open too long",
    "Use a table from Excel",
    "You can add options to the end of the address",
)
"""How the other long messages begin."""


@cache
def messages() -> tuple[str, ...]:
    """Return all English messages, with the plural forms."""
    keys = extract_messages(ROOT).keys
    return tuple(sorted({text for key in keys for text in (key.one, key.many) if text}))


@cache
def rule_texts() -> str:
    """Return the code of the modules whose messages may be long."""
    files = [path for place in MAY_BE_LONG for path in [ROOT / place, *(ROOT / place).rglob("*.py")] if path.is_file()]
    templates = (ROOT / "templates/pairing/explanations").rglob("*.html")
    return re.sub(r'"\s*\n\s*"', "", "\n".join(path.read_text(encoding="utf-8") for path in [*files, *templates]))


def words_of(text: str) -> list[str]:
    return re.sub(r"%\(\w+\)s|\{\w+\}", "x", text).split()


def sentences_of(text: str) -> list[str]:
    return re.split(r"(?<=[.?])\s+", text)


def is_rule_text(text: str) -> bool:
    return text in rule_texts() or text.replace('"', '\\"') in rule_texts()


def test_words_to_avoid():
    assert [text for text in messages() if AVOIDED.search(text)] == []


def test_signs_are_typed_as_in_print():
    assert [text for text in messages() if MISTYPED.search(text)] == []


def test_a_sentence_has_one_idea():
    assert [text for text in messages() if TWO_CLAUSES.search(text)] == []


def test_sentences_are_short():
    def limit(text: str) -> int:
        return MAX_WORDS_IN_A_SENTENCE_ON_RULES if is_rule_text(text) else MAX_WORDS_IN_A_SENTENCE

    sentences = sorted({(sentence, limit(text)) for text in messages() for sentence in sentences_of(text)})
    assert [sentence for sentence, most in sentences if len(words_of(sentence)) > most] == []


def test_messages_are_short():
    long = [text for text in messages() if len(words_of(text)) > MAX_WORDS and not text.startswith(LONG_HELP)]
    assert [text for text in long if not is_rule_text(text)] == []


def test_every_exception_is_needed():
    assert [begin for begin in LONG_HELP if not any(text.startswith(begin) for text in messages())] == []


@pytest.mark.parametrize(
    "text",
    ["Whoever comes", "Send an e-mail", "He is here", "It stands there", "Try once more", "Done!"],
)
def test_a_word_to_avoid_is_seen(text):
    assert AVOIDED.search(text)


@pytest.mark.parametrize("text", ["The round is open: you can pair it.", "Paired; not published"])
def test_two_clauses_are_seen(text):
    assert TWO_CLAUSES.search(text)
