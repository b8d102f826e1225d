"""Requests as the middleware hands them to views, for the type checker."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.forms import BaseForm, ModelMultipleChoiceField
from django.http import HttpRequest, QueryDict
from django_htmx.middleware import HtmxDetails

from clubs.models import User

MAX_ROWS = 100
MAX_KEY_LENGTH = 18
"""Figures of a key."""


def parse_key(text: str) -> int:
    """The key of a row, or a year, as a page or a table gives it; 0, which is none, for anything else.

    `int` takes the figures of all alphabets and fails at four thousand of them; databases fail at twenty.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0


class RowSelectionField(ModelMultipleChoiceField):
    """A choice among rows. A key longer than any row's is nobody's; SQLite would fail at it."""

    def clean(self, value: Any) -> Any:
        if any(len(str(key)) > MAX_KEY_LENGTH for key in value or ()):
            raise ValidationError(self.error_messages["invalid_choice"], code="invalid_choice", params={"value": ""})
        return super().clean(value)


def submitted_row_count(data: QueryDict, prefix: str) -> int:
    """How many rows a form of several had, as it was sent."""
    return min(parse_key(data.get(f"{prefix}-TOTAL_FORMS", "")), MAX_ROWS)


def show_submitted_values(form: BaseForm, data: QueryDict) -> None:
    """Have a form show what was written into it, though nothing of it is looked at or kept yet."""
    names = {name: form.add_prefix(name) for name in form.fields if name != "id"}
    form.initial = {**form.initial, **{name: data[sent] for name, sent in names.items() if sent in data}}


class WebRequest(HttpRequest):
    """A request of anybody; `htmx` is false for one that wants a whole page."""

    htmx: HtmxDetails
    layout: str
    """The template in place of `base.html`, where only the parts of a page are wanted that may have changed."""
    is_shared_page: bool
    """The page is the same for everybody who is not signed in: it holds nothing of one visitor, no form's token."""
    is_expiring_page: bool
    """What the page shows ends at a moment: it is not kept."""
    versions: Any
    """On pages that keep up with an event: its `EventVersions`, counted before anything else was read for the page."""
    is_indexable: bool
    """The page may stand in search engines: it says so, and none that says nothing does."""
    event_list_state: Any
    """On pages that list events: the topic of their list and its version, or None."""


class AuthenticatedRequest(WebRequest):
    """A request to a view whose first line lets only people in who are signed in."""

    user: User
