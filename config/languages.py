"""Which languages the pages speak: English, and those with a folder in `locale/`."""

from __future__ import annotations

from pathlib import Path

from django.conf.locale import LANG_INFO

ENGLISH = ("en", "English")


def available_languages(folder: Path) -> list[tuple[str, str]]:
    """Code and own name ("pl", "polski"), English first, the others by name: as a reader looks for his own."""
    named = [(code, str(LANG_INFO.get(code, {}).get("name_local", code))) for code in catalogue_languages(folder)]
    return [ENGLISH, *sorted(named, key=lambda each: each[1].casefold())]


def catalogue_languages(folder: Path) -> list[str]:
    """The codes of those that have a catalogue there, in their order."""
    return sorted(path.parent.parent.name for path in folder.glob("*/LC_MESSAGES/django.po"))
