"""The upload form for an event file."""

from __future__ import annotations

from django import forms

from common.tabular.file_field import ChosenFileField
from operations.event_transfer.file_reader import MAX_FILE_SIZE


class EventImportForm(forms.Form):
    """The form for an event file."""

    file = ChosenFileField(largest=MAX_FILE_SIZE, accept=".json,application/json")
