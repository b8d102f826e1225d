"""The languages of the pages: English, and those with a folder in `locale/`."""

from __future__ import annotations

from pathlib import Path

from django.conf.locale import LANG_INFO

ENGLISH = ("en", "English")


def available_languages(folder: Path) -> list[tuple[str, str]]:
    """Return codes and native names ("pl", "polski"): English first, the others by name."""
    named = [(code, str(LANG_INFO.get(code, {}).get("name_local", code))) for code in catalogue_languages(folder)]
    return [ENGLISH, *sorted(named, key=lambda each: each[1].casefold())]


def catalogue_languages(folder: Path) -> list[str]:
    """Return the codes of the languages with a catalogue in this folder, in order. Packages only have compiled ones."""
    return sorted({path.parent.parent.name for path in folder.glob("*/LC_MESSAGES/django.[mp]o")})
