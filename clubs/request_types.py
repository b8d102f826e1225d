"""Request types for the type checker, and helpers for submitted forms."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.forms import BaseForm, ModelMultipleChoiceField
from django.http import HttpRequest, QueryDict
from django_htmx.middleware import HtmxDetails

from clubs.models import User

MAX_ROWS = 100
MAX_KEY_LENGTH = 18
"""Maximum number of digits in a primary key."""


def parse_key(text: str) -> int:
    """Return a primary key or year given as text, or 0 if it is not valid.

    `int` accepts digits of every alphabet and fails at four thousand of them. Databases fail at twenty.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0


class RowSelectionField(ModelMultipleChoiceField):
    """A choice of several rows. Rejects keys that are too long, which SQLite cannot handle."""

    def clean(self, value: Any) -> Any:
        if any(len(str(key)) > MAX_KEY_LENGTH for key in value or ()):
            raise ValidationError(self.error_messages["invalid_choice"], code="invalid_choice", params={"value": ""})
        return super().clean(value)


def submitted_row_count(data: QueryDict, prefix: str) -> int:
    """Return the number of rows that a submitted formset has, up to `MAX_ROWS`."""
    return min(parse_key(data.get(f"{prefix}-TOTAL_FORMS", "")), MAX_ROWS)


def show_submitted_values(form: BaseForm, data: QueryDict) -> None:
    """Show the submitted values in an unbound form, without validating or saving them."""
    names = {name: form.add_prefix(name) for name in form.fields if name != "id"}
    form.initial = {**form.initial, **{name: data[sent] for name, sent in names.items() if sent in data}}


class WebRequest(HttpRequest):
    """A request from any user. `htmx` is false if a full page is requested."""

    htmx: HtmxDetails
    layout: str
    """The template to use instead of `base.html` when only the changed parts of a page are requested."""
    is_shared_page: bool
    """True if the page is the same for all anonymous visitors: no personal data and no CSRF token."""
    is_expiring_page: bool
    """True if the page's content expires at a certain time, so that it is not cached."""
    versions: Any
    """On pages that follow an event: its `EventVersions`, read before anything else for the page."""
    is_indexable: bool
    """True if search engines may index the page. The default is that they may not."""
    event_list_state: Any
    """On pages that list events: the topic of the list and its version, or None."""


class AuthenticatedRequest(WebRequest):
    """A request from a signed-in user, as checked by the first line of the view."""

    user: User
