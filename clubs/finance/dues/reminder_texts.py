"""The words of reminders, in levels: the club's own where it has written some, else ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy

from clubs.models import Club, ReminderTemplate

REMINDER_LEVELS = (1, 2, 3)
REMINDER_PLACEHOLDERS = {
    "name": gettext_lazy("the first name"),
    "amount": gettext_lazy("what is overdue"),
    "reference": gettext_lazy("the reference for a transfer"),
    "account": gettext_lazy("the club's bank account"),
    "club": gettext_lazy("the club"),
}
"""What can stand in braces in a club's own words, and what comes in its place."""

_PLACE = re.compile(r"\{(\w*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderText:
    """A letter's subject and text, with its places filled."""

    subject: str
    text: str


def unknown_placeholders(text: str) -> list[str]:
    """What stands in braces and means nothing, as it is written."""
    return [found.group() for found in _PLACE.finditer(text) if found.group(1) not in REMINDER_PLACEHOLDERS]


def club_reminder_templates(club: Club) -> dict[int, ReminderTemplate]:
    """The club's own words by level; one query."""
    return {words.level: words for words in club.reminder_texts.all()}


def render_reminder_text(own: Mapping[int, ReminderTemplate], level: int, values: Mapping[str, str]) -> ReminderText:
    """The letter of a level, in the club's own words or in the language that is active; `values` by
    `REMINDER_PLACEHOLDERS`."""
    if level in own:
        return ReminderText(subject=_filled(own[level].subject, values), text=_filled(own[level].text, values))
    return render_default_reminder(level, values)


def render_default_reminder(level: int, values: Mapping[str, str]) -> ReminderText:
    """The letter of a level as we word it."""
    context = {"level": level, **values}
    subject = render_to_string("clubs/finance/dues/mail/reminder_subject.txt", context)
    return ReminderText(
        subject=" ".join(subject.split()),
        text=render_to_string("clubs/finance/dues/mail/reminder.txt", context).strip(),
    )


def default_reminder_template(level: int) -> ReminderText:
    """Our words with their places open, to begin one's own from."""
    return render_default_reminder(level, {name: f"{{{name}}}" for name in REMINDER_PLACEHOLDERS})


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda found: values.get(found.group(1), found.group()), text)
