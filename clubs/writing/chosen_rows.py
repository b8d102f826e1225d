"""Rows chosen by their keys."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

LONGEST_KEY = 18
"""Figures of a key."""


class ChosenRowsField(forms.ModelMultipleChoiceField):
    """A choice among rows. A key longer than any row's is nobody's; SQLite would fail at it."""

    def clean(self, value: Any) -> Any:
        if any(len(str(key)) > LONGEST_KEY for key in value or ()):
            raise ValidationError(self.error_messages["invalid_choice"], code="invalid_choice", params={"value": ""})
        return super().clean(value)
