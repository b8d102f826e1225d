"""The words of reminders, in levels: the club's own where it has written some, else ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy

from clubs.models import Club, ReminderWords

LEVELS = (1, 2, 3)
PLACES = {
    "name": gettext_lazy("the first name"),
    "amount": gettext_lazy("what is overdue"),
    "reference": gettext_lazy("the reference for a transfer"),
    "account": gettext_lazy("the club's bank account"),
    "club": gettext_lazy("the club"),
}
"""What can stand in braces in a club's own words, and what comes in its place."""

_PLACE = re.compile(r"\{(\w*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A letter's subject and text, with its places filled."""

    subject: str
    text: str


def unknown_places(text: str) -> list[str]:
    """What stands in braces and means nothing, as it is written."""
    return [found.group() for found in _PLACE.finditer(text) if found.group(1) not in PLACES]


def own_words(club: Club) -> dict[int, ReminderWords]:
    """The club's own words by level; one query."""
    return {words.level: words for words in club.reminder_words.all()}


def words_of(own: Mapping[int, ReminderWords], level: int, values: Mapping[str, str]) -> Words:
    """The letter of a level, in the club's own words or in the language that is active; `values` by `PLACES`."""
    if level in own:
        return Words(subject=_filled(own[level].subject, values), text=_filled(own[level].text, values))
    return our_words(level, values)


def our_words(level: int, values: Mapping[str, str]) -> Words:
    """The letter of a level as we word it."""
    context = {"level": level, **values}
    subject = render_to_string("clubs/finance/dues/mail/reminder_subject.txt", context)
    return Words(
        subject=" ".join(subject.split()),
        text=render_to_string("clubs/finance/dues/mail/reminder.txt", context).strip(),
    )


def suggested_words(level: int) -> Words:
    """Our words with their places open, to begin one's own from."""
    return our_words(level, {name: f"{{{name}}}" for name in PLACES})


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda found: values.get(found.group(1), found.group()), text)
