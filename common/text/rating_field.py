"""A rating field for forms."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from common.text.rating_text import MAX_RATING


class RatingField(forms.IntegerField):
    """A whole number up to 3500, or empty for a player without a rating."""

    default_error_messages = {
        "invalid": _("Enter the rating as a whole number, such as 1850."),
        "max_value": _("Ratings go up to 3500. Check the digits."),
        "min_value": _("A rating can't be below 0. Check the digits."),
    }

    def __init__(self, **kwargs: Any) -> None:
        about = {"label": _("rating"), "help_text": _("Leave empty for a player without a rating.")}
        super().__init__(required=False, min_value=0, max_value=MAX_RATING, **about | kwargs)
