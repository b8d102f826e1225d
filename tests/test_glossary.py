"""The catalogues follow the glossary: one term for each thing, and no forbidden words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from tests.test_conventions import ROOT
from tests.test_translations import LANGUAGES, catalogue

PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")

OTHER_SENSES = {
    ("pl", "cs", "bg", "de", "es", "fr", "it", "uk"): {
        "publisher",
        "No groups yet. Create one for juniors, the first team, the committee or any other members you want "
        "to list together.",
    },
    ("pl", "cs"): {"Board"},
    ("pl", "cs", "es", "fr"): {"FIDE rated"},
    ("cs",): {"Unpair this board", "unpair the board"},
    ("pl", "bg"): {"publishing name and results", "Publishing name and results"},
}
"""Messages in which an English word is another thing (a club's board), or has no room for the term."""


def rows(heading: str) -> list[dict[str, str]]:
    """The glossary's table under a heading, row by row."""
    text = (ROOT / "docs" / "developer" / "glossary.md").read_text(encoding="utf-8").partition(heading)[2]
    lines = [line for line in text.split("\n\n## ")[0].splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(cells[0], each, strict=True)) for each in cells[2:]]


def messages(language: str) -> Iterator[tuple[str, str]]:
    """The English terms and their translations, with plural forms as one."""
    for message in catalogue(language):
        if message.id:
            yield _one(message.id), _one(message.string)


def _one(words: str | tuple[str, ...]) -> str:
    return words if isinstance(words, str) else " / ".join(words)


def strangers(term: Mapping[str, str], language: str) -> list[tuple[str, str]]:
    """Messages with an English term whose translation has none of the term's stems."""
    stems = re.findall(r"\*\*(.+?)\*\*", term[language])
    asked = re.compile(rf"\b{re.escape(term['English'].removeprefix('to ').split(' board')[0])}", re.IGNORECASE)
    allowed = {words for languages, each in OTHER_SENSES.items() if language in languages for words in each}
    return [
        (english, translated)
        for english, translated in messages(language)
        if asked.search(PLACEHOLDER.sub("", english))
        and english not in allowed
        and not any(stem.lower() in translated.lower() for stem in stems)
    ]


def held() -> list[dict[str, str]]:
    return [row for row in rows("# Glossary") if "**" in row["pl"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_term_a_thing(language):
    assert len(held()) >= 9
    assert {row["English"]: found for row in held() if (found := strangers(row, language))} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_used_stands_nowhere(language):
    refused = [
        refused_by(words.strip())
        for row in rows("## Not used")
        for column in ("English", language)
        for words in row[column].split(",")
        if words.strip()
    ]
    assert len(refused) >= 3
    texts = [text for message in messages(language) for text in message]
    assert [text for text in texts for word in refused if word.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_papers_has_one_name(language):
    name = next(row for row in rows("# Glossary") if row["English"] == "printing page")[language]
    assert [translated for english, translated in messages(language) if english == "Print"] == [name]


def refused_by(words: str) -> re.Pattern[str]:
    """What a cell of the second table forbids: the word itself before a full stop, else words that begin like it."""
    whole = words.removesuffix(".")
    return re.compile(rf"(?<![\w-]){re.escape(whole)}{'' if whole == words else chr(92) + 'b'}", re.IGNORECASE)


def test_a_word_is_refused_by_itself_or_with_all_that_begin_with_it():
    assert refused_by("Wertung.").search("Eine Wertung, zwei")
    assert not refused_by("Wertung.").search("Wertungszahl, Feinwertung, Buchholz-Wertung")
    assert refused_by("oddíl").search("Oddíly")


def test_a_strange_word_is_found(monkeypatch):
    monkeypatch.setattr(
        "tests.test_glossary.messages",
        lambda language: iter([("Discard draft", "Odrzuć szkic"), ("board", "stół")]),
    )
    found = {row["English"]: strangers(row, "pl") for row in held()}
    assert found["draft"] == [("Discard draft", "Odrzuć szkic")]
    assert found["board"] == [("board", "stół")]
