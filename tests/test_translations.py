"""The translations: well-formed and complete."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import django
import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from tests.test_conventions import ROOT

LANGUAGES = sorted(path.name for path in (ROOT / "locale").iterdir() if path.is_dir())
EVERYWHERE = ("templates", "clubs", "tournaments", "pairing")

_TRANSLATE = re.compile(r'{% translate "([^"]+)"(?! context)')
_TRANSLATE_IN_CONTEXT = re.compile(r'{% translate "([^"]+)" context "([^"]+)"')
_BLOCK = re.compile(r"{% blocktranslate[^%]*%}(.*?){% endblocktranslate %}", re.DOTALL)
_GETTEXT = re.compile(r'(?<!p)\b(?:_|gettext_lazy)\(\s*((?:"[^"]*"\s*)+)\)')
_NGETTEXT = re.compile(r'\bngettext(?:_lazy)?\(\s*"([^"]+)"')
_CONTEXT = re.compile(r'pgettext\("([^"]+)", "([^"]+)"\)')
_LITERAL = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+')
_IN_A_TAG = re.compile(r"""[:"' ]_\("([^"]+)"\)|{% translate '([^']+)'""")


@cache
def catalogue(language: str) -> Catalog:
    path = ROOT / "locale" / language / "LC_MESSAGES" / "django.po"
    with path.open("rb") as file:
        return read_po(file, locale=language, domain="django", abort_invalid=True)


@cache
def words_of(places: tuple[str, ...]) -> set[tuple[str | None, str]]:
    """What the templates and modules of these places ask to be translated, with its context."""
    words: set[tuple[str | None, str]] = set()
    for place in places:
        for path in _files(ROOT / place):
            text = path.read_text(encoding="utf-8")
            words |= {(None, word) for word in _TRANSLATE.findall(text)}
            blocks = (re.sub(r"{{ (\w+) }}", r"%(\1)s", word.replace("%", "%%")) for word in _BLOCK.findall(text))
            words |= {(None, word.partition("{%% plural %%}")[0]) for word in blocks}
            words |= {(None, "".join(re.findall(r'"([^"]*)"', found))) for found in _GETTEXT.findall(text)}
            words |= set(_CONTEXT.findall(text))
            words |= {(context, word) for word, context in _TRANSLATE_IN_CONTEXT.findall(text)}
    return words


@cache
def plurals_of(places: tuple[str, ...]) -> set[str]:
    """The singulars of what is asked for by number."""
    words: set[str] = set()
    for path in (path for place in places for path in _files(ROOT / place)):
        text = path.read_text(encoding="utf-8")
        blocks = (re.sub(r"{{ (\w+) }}", r"%(\1)s", block) for block in _BLOCK.findall(text))
        words |= {block.partition("{% plural %}")[0] for block in blocks if "{% plural %}" in block}
        words |= set(_NGETTEXT.findall(text))
    return words


def _files(place: Path) -> list[Path]:
    found = [place] if place.is_file() else place.rglob("*")
    return [path for path in found if path.suffix in {".html", ".py", ".txt"}]


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_are_well_formed(language):
    """Placeholders as in the original, nothing fuzzy."""
    translated = catalogue(language)
    messages = [message for message in translated if message.id]
    assert messages
    assert [error for message in messages for error in message.check(translated)] == []
    assert [message.id for message in messages if message.fuzzy] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated(language):
    """What is read on pages and paper, by players, officers and the treasurer."""
    words = words_of(EVERYWHERE)
    assert ("box of a card", "Rd") in words
    assert ("prizes", "Equal points") in words
    assert (None, "%(white)s has White, %(black)s Black: %(because)s.") in words
    assert sorted(words - _known(language), key=str) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_goes_by_number_is_translated_by_number(language):
    """A catalogue that knows the words without their plural answers a question by number in English."""
    asked = plurals_of(EVERYWHERE)
    assert "%(n)s board of %(of)s is still open." in asked
    by_number = {message.id[0] for message in catalogue(language) if isinstance(message.id, tuple)}
    assert sorted(asked - by_number) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_translated_that_nobody_asks_for(language):
    """Django's own words may be translated better than Django does, as the months are."""
    asked = {word for _context, word in words_of(EVERYWHERE)} | plurals_of(EVERYWHERE) | literals()
    left = {word for _context, word in _known(language)} - asked
    assert sorted(left - djangos()) == []


@cache
def literals() -> set[str]:
    """Every text of the modules, which may be translated where it is used and not where it stands."""
    found: set[str] = set()
    for path in (path for place in EVERYWHERE for path in _files(ROOT / place)):
        text = path.read_text(encoding="utf-8")
        if path.suffix != ".py":
            found |= {word for each in _IN_A_TAG.findall(text) for word in each}
            continue
        for each in _LITERAL.findall(text):
            parts = [part.replace('\\"', '"') for part in re.findall(r'"((?:[^"\\\n]|\\.)*)"', each)]
            found |= {"".join(parts), *parts}
    return found


@cache
def djangos() -> set[str]:
    path = Path(django.__file__).parent / "conf" / "locale" / "en" / "LC_MESSAGES" / "django.po"
    with path.open("rb") as file:
        ids = [message.id for message in read_po(file, locale="en") if message.id]
    return {each if isinstance(each, str) else each[0] for each in ids}


def _known(language: str) -> set[tuple[str | None, str]]:
    """What is translated, with its context; of a word with a plural, its singular."""
    return {
        (message.context, str(message.id[0] if isinstance(message.id, tuple) else message.id))
        for message in catalogue(language)
        if (all(message.string) if isinstance(message.string, tuple) else message.string)
    }
