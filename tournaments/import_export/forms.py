"""Forms for report files: importing one as an event, and adding missing player data or names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.membership.members.forms import BirthField, FederationField
from clubs.models import TimeControlKind
from common.text.latin_letters import is_latin
from tournaments.import_export.report_names import MAX_NAME_LENGTH, NameSource, ReportName, report_names_by_entry
from tournaments.models import Entry, PairingSystem, Tournament

FILLABLE_FIELDS = ("fide_id", "birth", "federation")
MAX_PLAYERS_PER_PAGE = 60
"""Players on one page; the rest follow when these are saved."""


class MissingPlayerDataForm(forms.ModelForm):
    """The data a player lacks. Known data has no field, and a field may stay empty."""

    federation = FederationField()
    birth = BirthField()

    class Meta:
        model = Entry
        fields = FILLABLE_FIELDS
        widgets = {
            "fide_id": forms.TextInput(attrs={"size": 10, "inputmode": "numeric", "autocomplete": "off"}),
        }

    def __init__(self, *args: Any, taken: dict[str, Entry], **kwargs: Any) -> None:
        """`taken` maps FIDE IDs to entries of the event. The form adds the IDs filled in."""
        super().__init__(*args, **kwargs)
        self.taken = taken
        for name, known in _in_the_book(self.instance).items():
            if known and not getattr(self.instance, name):
                self.initial[name] = known
        for name in FILLABLE_FIELDS:
            self.fields[name].widget.attrs["aria-label"] = f"{self.instance.name}: {self.fields[name].label}"
            if getattr(self.instance, name):
                del self.fields[name]

    def clean_fide_id(self) -> str:
        number: str = self.cleaned_data["fide_id"].strip()
        if number and not re.fullmatch(r"[1-9]\d{0,10}", number, re.ASCII):
            raise ValidationError(_("A FIDE ID contains only digits."))
        if number and (other := self.taken.setdefault(number, self.instance)) != self.instance:
            raise ValidationError(_("%(name)s already has this FIDE ID in the event."), params={"name": other.name})
        return number

    def clean_birth(self) -> str:
        day, year = self.cleaned_data["birth"]
        return format_birth_for_report(day, year)

    def _post_clean(self) -> None:
        """Leave the instance unchanged, because `change_entry` saves the entry and logs the old values."""

    @property
    def changed_values(self) -> dict[str, str]:
        """The values that were filled in."""
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def column_fields(self) -> list[forms.BoundField | None]:
        """A field for each of `FILLABLE_FIELDS`, None if the player has the value."""
        return [self[name] if name in self.fields else None for name in FILLABLE_FIELDS]


class PlayerNameInReportForm(forms.ModelForm):
    """A player's name in the report, filled in with the name that would be sent."""

    class Meta:
        model = Entry
        fields = ("report_name",)
        widgets = {"report_name": forms.TextInput(attrs={"size": 34, "autocomplete": "off", "lang": "und"})}

    def __init__(self, *args: Any, sent: ReportName, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sent = sent
        self.initial["report_name"] = sent.name[:MAX_NAME_LENGTH]
        label = self.fields["report_name"].label
        self.fields["report_name"].widget.attrs["aria-label"] = f"{sent.name_in_event}: {label}"

    def clean_report_name(self) -> str:
        name: str = " ".join(self.cleaned_data["report_name"].split())
        if not is_latin(name):
            raise ValidationError(_("Use Latin letters."))
        return name

    def _post_clean(self) -> None:
        """Leave the instance unchanged, because `change_entry` saves the entry and logs the old values."""

    @property
    def changed_values(self) -> dict[str, str]:
        """The name as written or confirmed.

        Empty means the name of FIDE's list or the transliteration. A name from FIDE's list that wasn't changed isn't
        saved.
        """
        name = self.cleaned_data["report_name"]
        if self.sent.source is NameSource.LIST and name == self.sent.name:
            return {}
        return {"report_name": name} if name != self.instance.report_name else {}


def report_name_forms(event: Tournament, entries: Iterable[Entry], data: Any = None) -> list[PlayerNameInReportForm]:
    """Return forms for the first players whose report name differs from their name in the event."""
    entries = list(entries)
    names = report_names_by_entry(event, entries)
    others = [entry for entry in entries if not names[entry.pk].is_same_as_in_event]
    return [
        PlayerNameInReportForm(data, instance=entry, prefix=f"name-{entry.pk}", sent=names[entry.pk])
        for entry in others[:MAX_PLAYERS_PER_PAGE]
        if data is None or f"name-{entry.pk}-report_name" in data
    ]


def format_birth_for_report(day: date | None, year: int | None) -> str:
    """Return a date or year of birth as report files write it: 1968/03/21, 1968, or empty."""
    return f"{day:%Y/%m/%d}" if day else str(year or "")


def missing_player_data_forms(entries: Iterable[Entry], data: Any = None) -> list[MissingPlayerDataForm]:
    """Return forms for the first players who lack data, filled in with what the member list has."""
    entries = list(entries)
    taken = {entry.fide_id: entry for entry in entries if entry.fide_id}
    lacking = [entry for entry in entries if not all(getattr(entry, name) for name in FILLABLE_FIELDS)]
    return [
        MissingPlayerDataForm(data, instance=entry, prefix=f"player-{entry.pk}", taken=taken)
        for entry in lacking[:MAX_PLAYERS_PER_PAGE]
    ]


def _in_the_book(entry: Entry) -> dict[str, str]:
    """Return a member's data from the member list."""
    member = entry.member
    if member is None:
        return {}
    birth = format_birth_for_report(member.birth_date, member.birth_year)
    return {"fide_id": str(member.fide_id or ""), "birth": birth, "federation": member.federation}


class ImportedEventForm(forms.Form):
    """The pairing system and rating kind of an event made from a report file."""

    system = forms.ChoiceField(
        label=gettext_lazy("pairing system"),
        choices=PairingSystem.choices,
        initial=PairingSystem.FIDE_1989,
        help_text=gettext_lazy("The system for pairing the next rounds."),
    )
    rated_as = forms.ChoiceField(
        label=Tournament._meta.get_field("rated_as").verbose_name,
        choices=[("", gettext_lazy("not rated")), *TimeControlKind.choices],
        initial=TimeControlKind.STANDARD,
        required=False,
        help_text=gettext_lazy("Taken from the time control in the file, if it has one. Check that it's right."),
    )

    @property
    def chosen_time_control_kind(self) -> str | None:
        """The chosen kind, or None if the form didn't ask."""
        return self.cleaned_data["rated_as"] if "rated_as" in self.data else None

    def clean_system(self) -> PairingSystem:
        try:
            return PairingSystem(self.cleaned_data["system"])
        except ValueError as unknown:
            raise ValidationError(_("Choose a pairing system.")) from unknown
