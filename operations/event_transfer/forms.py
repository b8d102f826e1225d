"""Choosing the file of an event."""

from __future__ import annotations

from django import forms

from common.tabular.chosen_file import ChosenFileField
from operations.event_transfer.reading import LARGEST_FILE


class EventFileForm(forms.Form):
    """An event's file."""

    file = ChosenFileField(largest=LARGEST_FILE, accept=".json,application/json")
