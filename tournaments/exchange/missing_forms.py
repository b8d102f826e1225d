"""What players' lines of the report lack, filled in on the page that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from clubs.people.forms import BirthField, FederationField
from tournaments.models import Entry

FIELDS = ("fide_id", "birth", "federation")
MOST = 60
"""Players on one page; the next come when these are saved."""


class MissingForm(forms.ModelForm):
    """What one player lacks, and nothing that is known of him; what is left empty stays so."""

    federation = FederationField()
    birth = BirthField()

    class Meta:
        model = Entry
        fields = FIELDS
        widgets = {
            "fide_id": forms.TextInput(attrs={"size": 10, "inputmode": "numeric", "autocomplete": "off"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in FIELDS:
            self.fields[name].widget.attrs["aria-label"] = f"{self.instance.name}: {self.fields[name].label}"
            if getattr(self.instance, name):
                del self.fields[name]

    def clean_fide_id(self) -> str:
        number: str = self.cleaned_data["fide_id"].strip()
        if number and not re.fullmatch(r"[1-9]\d{0,10}", number, re.ASCII):
            raise ValidationError(_("A FIDE ID has figures only."))
        return number

    def clean_birth(self) -> str:
        day, year = self.cleaned_data["birth"]
        return as_in_reports(day, year)

    def _post_clean(self) -> None:
        """Leave the instance alone: the entry is written by `change_entry`, which notes what was."""

    @property
    def changes(self) -> dict[str, str]:
        """What was filled in."""
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def cells(self) -> list[forms.BoundField | None]:
        """A field for each of `FIELDS`, None where the player has it."""
        return [self[name] if name in self.fields else None for name in FIELDS]


def as_in_reports(day: date | None, year: int | None) -> str:
    """A birth as report files write it: 1968/03/21, 1968, or nothing."""
    return f"{day:%Y/%m/%d}" if day else str(year or "")


def missing_forms(entries: Iterable[Entry], data: Any = None) -> list[MissingForm]:
    """A form for each of the first who lack something."""
    lacking = [entry for entry in entries if not all(getattr(entry, name) for name in FIELDS)]
    return [MissingForm(data, instance=entry, prefix=f"player-{entry.pk}") for entry in lacking[:MOST]]
