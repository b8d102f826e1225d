"""Updates the catalogues from the source code: `./dev language [CODE ...]` (docs/developer/languages.md).

Each `locale/CODE/LC_MESSAGES/django.po` gets new messages to translate, loses unused ones, and keeps the rest: with
nothing new, not a byte changes. A code without a folder starts that language. Babel reads and writes the catalogues; no
database is needed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po, write_po

from config.languages import catalogue_languages
from config.message_extraction import MessageKey, SourceMessages, extract_messages

ROOT = Path(__file__).resolve().parent.parent
LOCALE_DIR = ROOT / "locale"
MAX_MESSAGES_PRINTED = 10
"""The most untranslated messages printed."""


class CatalogueError(ValueError):
    """Raised if the language code is not valid or its catalogue cannot be read."""


def update_catalogue(code: str, messages: SourceMessages, folder: Path = LOCALE_DIR) -> tuple[Path, list[Message]]:
    """Update a catalogue, and return its file and its untranslated messages, in the order of the file.

    Raises CatalogueError if the code or the catalogue is not valid; then nothing is written.
    """
    locale = _locale(code)
    path = catalogue_path(folder, code)
    catalogue = read_catalogue(path, code) if path.exists() else _begun(locale, messages, folder)
    for message in [message for message in catalogue if message.id and not _is_wanted(message, messages)]:
        catalogue.delete(message.id, message.context)
    for asked in messages.keys:
        known = catalogue.get(asked.one, asked.context)
        if known is None or known.id != asked.babel_id:
            catalogue.add(asked.babel_id, ("",) * catalogue.num_plurals if asked.many else "", context=asked.context)
    # Empty, so that Babel adds no names of its own.
    catalogue.msgid_bugs_address = catalogue.last_translator = catalogue.language_team = ""
    if isinstance(catalogue.revision_date, str):
        catalogue.revision_date = catalogue.creation_date
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=120, sort_output=True)
    return path, [message for message in catalogue if message.id and not _is_whole(message)]


def catalogue_path(folder: Path, code: str) -> Path:
    return folder / code / "LC_MESSAGES" / "django.po"


def read_catalogue(path: Path, code: str) -> Catalog:
    """Read a catalogue. Raises CatalogueError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return read_po(file, locale=code, domain="django", abort_invalid=True)
    except (OSError, PoFileError) as error:
        raise CatalogueError(f"{path}: {error}") from error


def _locale(code: str) -> Locale:
    try:
        locale = Locale.parse(code)
    except (ValueError, UnknownLocaleError) as error:
        raise CatalogueError(f"{code} is not the code of a language") from error
    if str(locale) != code or code == "en":
        raise CatalogueError(f"{code} cannot be updated, because the messages in the code are English")
    return locale


def _begun(locale: Locale, messages: SourceMessages, folder: Path) -> Catalog:
    """Return a new catalogue with the unmarked messages that other languages translate, such as labels."""
    begun = Catalog(locale=str(locale), domain="django", project="Clubnight", version="0.1", fuzzy=False)
    begun.header_comment = f"# Clubnight in {locale.english_name}."
    asked = {(each.context, each.one) for each in messages.keys}
    for other in catalogue_languages(folder):
        for message in read_catalogue(catalogue_path(folder, other), other):
            # A context that the code does not use belongs to one language's version of Django's own messages.
            if isinstance(message.id, str) and message.id and not message.context and (None, message.id) not in asked:
                begun.add(message.id, "")
    return begun


def _is_wanted(message: Message, messages: SourceMessages) -> bool:
    """Return True if a message is marked in the code, or is a text in it. Plurals must be marked."""
    one, *many = message.id if isinstance(message.id, tuple) else (message.id,)
    return MessageKey(message.context, str(one), *many) in messages.keys or (one in messages.texts and not many)


def _is_whole(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="./dev language", description="Update the catalogues of all languages, or start a new one."
    )
    parser.add_argument("code", nargs="*", help="language codes such as es, fr or uk (default: all with a folder)")
    for code in parser.parse_args(arguments).code or catalogue_languages(LOCALE_DIR):
        try:
            path, left = update_catalogue(code, extract_messages(ROOT))
        except CatalogueError as error:
            print(error, file=sys.stderr)
            return 1
        print(f"{path.relative_to(ROOT)}: {len(left)} messages wait for a translation")
        for message in left[:MAX_MESSAGES_PRINTED]:
            print(f"    {message.id[0] if isinstance(message.id, tuple) else message.id}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
