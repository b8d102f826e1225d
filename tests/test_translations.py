"""The translations: well-formed and complete."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from config.languages import catalogue_languages
from config.message_extraction import MessageKey, extract_messages
from config.translation_catalogues import catalogue_path, read_catalogue, update_catalogue
from tests.test_conventions import ROOT

LOCALES = ROOT / "locale"
LANGUAGES = catalogue_languages(LOCALES)


@cache
def catalogue(language: str) -> Catalog:
    return read_catalogue(catalogue_path(LOCALES, language), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_are_well_formed(language):
    """Placeholders as in the original, nothing fuzzy."""
    translated = catalogue(language)
    messages = [message for message in translated if message.id]
    assert messages
    assert [error for message in messages for error in message.check(translated)] == []
    assert [message.id for message in messages if message.fuzzy] == []


def test_what_pages_papers_and_letters_ask_for_is_found():
    asked = extract_messages(ROOT).keys
    assert {
        MessageKey("box of a card", "Rd"),
        MessageKey("prizes", "Prize sharing"),
        MessageKey(None, "%(white)s has White against %(black)s, because %(because)s."),
        MessageKey(None, "%(n)s of %(of)s boards has no result yet.", "%(n)s of %(of)s boards have no result yet."),
    } <= asked


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated_and_nothing_that_nobody_asks_for(language, tmp_path: Path):
    """Also plural forms, as otherwise the text would be English; and in the format of the command."""
    path = catalogue_path(tmp_path, language)
    path.parent.mkdir(parents=True)
    before = catalogue_path(LOCALES, language).read_bytes()
    path.write_bytes(before)
    left = update_catalogue(language, extract_messages(ROOT), tmp_path)[1]
    assert [message.id for message in left] == [], "run ./dev language, then translate these in locale/"
    changed = set(before.decode().splitlines()) ^ set(path.read_text(encoding="utf-8").splitlines())
    assert path.read_bytes() == before, f"run ./dev language: {sorted(changed)[:10]}"
