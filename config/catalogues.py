"""Begin a language, or bring one up to date: `./dev language CODE` (docs/languages.md).

Writes `locale/CODE/LC_MESSAGES/django.po` with every message that another language has, keeps what is translated, drops
what nobody asks for any more, and says how much is left. Catalogues are Babel's; nothing here needs a database.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po, write_po

_MONTHS = "alt. month"
LOCALES = Path(__file__).resolve().parent.parent / "locale"


class NoLanguage(ValueError):
    """The code is not one of a language, or there is no catalogue to take the messages from."""


def bring_up(code: str, folder: Path = LOCALES, *, messages_of: str = "pl") -> tuple[Path, list[Message]]:
    """The catalogue's file, and its messages that wait for a translation, in the order of the file.

    Raises NoLanguage, and writes nothing then.
    """
    try:
        locale = Locale.parse(code)
    except (ValueError, UnknownLocaleError) as error:
        raise NoLanguage(f"{code} is not the code of a language") from error
    if str(locale) != code or code in ("en", messages_of):
        raise NoLanguage(f"{code} cannot be brought up: English needs none, {messages_of} holds the messages")
    path = catalogue_of(folder, code)
    known = _read(path, code) if path.exists() else Catalog(locale=code, domain="django")
    fresh = Catalog(
        locale=code,
        domain="django",
        project="Clubnight",
        version="0.1",
        fuzzy=False,
        msgid_bugs_address="",
        last_translator="",
        language_team="",
    )
    fresh.header_comment = f"# Clubnight in {locale.english_name}."
    for message in _read(catalogue_of(folder, messages_of), messages_of):
        if message.id:
            fresh.add(
                message.id,
                _translated(known, message, fresh.num_plurals),
                context=message.context,
                flags=message.flags - {"fuzzy"},
                auto_comments=message.auto_comments,
            )
    for message in known:
        # Months behind a day, where Django's own are not as the language writes them.
        if message.context == _MONTHS:
            fresh.add(message.id, message.string, context=message.context)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, fresh, width=120, sort_output=True)
    return path, [message for message in fresh if message.id and not _is_whole(message)]


def catalogue_of(folder: Path, code: str) -> Path:
    return folder / code / "LC_MESSAGES" / "django.po"


def _read(path: Path, code: str) -> Catalog:
    try:
        with path.open("rb") as file:
            return read_po(file, locale=code, domain="django", abort_invalid=True)
    except (OSError, PoFileError) as error:
        raise NoLanguage(f"{path}: {error}") from error


def _translated(known: Catalog, message: Message, plurals: int) -> str | tuple[str, ...]:
    """What the language has of it; empty, in as many forms as it has plurals, if nothing."""
    has = known.get(message.id, message.context)
    if has is not None and isinstance(has.string, str | tuple):
        return has.string
    return ("",) * plurals if isinstance(message.id, tuple) else ""


def _is_whole(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./dev language", description="Begin a language, or bring one up to date.")
    parser.add_argument("code", help="the language's code: es, fr, uk, ...")
    try:
        path, left = bring_up(parser.parse_args(arguments).code)
    except NoLanguage as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{path}: {len(left)} messages wait for a translation")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
