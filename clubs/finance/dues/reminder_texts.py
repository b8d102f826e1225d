"""Reminder texts by level: the club's own or the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy

from clubs.models import Club, ReminderTemplate
from common.text.placeholders import fill_placeholders

REMINDER_LEVELS = (1, 2, 3)
REMINDER_PLACEHOLDERS = {
    "name": gettext_lazy("first name"),
    "amount": gettext_lazy("overdue amount"),
    "reference": gettext_lazy("payment reference"),
    "account": gettext_lazy("club's bank account"),
    "club": gettext_lazy("club name"),
}
"""The placeholders a club can use in its texts, with their descriptions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderText:
    """A reminder's subject and text, with placeholders filled in."""

    subject: str
    text: str


def club_reminder_templates(club: Club) -> dict[int, ReminderTemplate]:
    """Return the club's own reminder texts by level. One query."""
    return {words.level: words for words in club.reminder_texts.all()}


def render_reminder_text(own: Mapping[int, ReminderTemplate], level: int, values: Mapping[str, str]) -> ReminderText:
    """Return the reminder for a level: the club's own text, or the default in the active language.

    `values` has a value for each of the `REMINDER_PLACEHOLDERS`.
    """
    if level in own:
        subject = " ".join(fill_placeholders(own[level].subject, values).split())
        return ReminderText(subject=subject, text=fill_placeholders(own[level].text, values))
    return render_default_reminder(level, values)


def render_default_reminder(level: int, values: Mapping[str, str]) -> ReminderText:
    """Return the default reminder for a level."""
    context = {"level": level, **values}
    subject = render_to_string("clubs/finance/dues/mail/reminder_subject.txt", context)
    return ReminderText(
        subject=" ".join(subject.split()),
        text=render_to_string("clubs/finance/dues/mail/reminder.txt", context).strip(),
    )


def default_reminder_template(level: int) -> ReminderText:
    """Return the default text with its placeholders, as a starting point for the club's own text."""
    return render_default_reminder(level, {name: f"{{{name}}}" for name in REMINDER_PLACEHOLDERS})
