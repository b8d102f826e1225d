"""A date field for forms that accepts common formats."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from common.text.birth_dates import parse_date


class DayField(forms.DateField):
    """A date, entered with the browser's date picker if it has one."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
        kwargs.setdefault("required", False)
        super().__init__(**kwargs)

    def to_python(self, value: Any) -> date | None:
        if not isinstance(value, str):
            return super().to_python(value)
        try:
            return parse_date(value) if value.strip() else None
        except ValueError as wrong:
            raise ValidationError(_("Enter the date as 2026-09-30 or 30.9.2026.")) from wrong
