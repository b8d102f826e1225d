"""Choosing the file of an event."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.moving.reading import LARGEST_FILE


class EventFileForm(forms.Form):
    """An event's file."""

    file = forms.FileField(
        label=gettext_lazy("file"),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
        error_messages={
            "required": gettext_lazy("Choose the file first."),
            "empty": gettext_lazy("That file is empty: choose another."),
        },
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > LARGEST_FILE:
            raise ValidationError(
                _("The file cannot be taken in: %(why)s.")
                % {"why": _("it is larger than %(limit)s MB") % {"limit": LARGEST_FILE // 1024**2}}
            )
        return file
