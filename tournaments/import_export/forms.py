"""Forms of report files: of an event made from one; of what players' lines lack, filled in on the page that says so."""

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
"""Players on one page; the next come when these are saved."""


class MissingPlayerDataForm(forms.ModelForm):
    """What one player lacks, and nothing that is known of him; what is left empty stays so."""

    federation = FederationField()
    birth = BirthField()

    class Meta:
        model = Entry
        fields = FILLABLE_FIELDS
        widgets = {
            "fide_id": forms.TextInput(attrs={"size": 10, "inputmode": "numeric", "autocomplete": "off"}),
        }

    def __init__(self, *args: Any, taken: dict[str, Entry], **kwargs: Any) -> None:
        """`taken`: whose FIDE ID is whose in the event; those that are filled in here are written into it."""
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
            raise ValidationError(_("A FIDE ID has figures only."))
        if number and (other := self.taken.setdefault(number, self.instance)) != self.instance:
            raise ValidationError(_("%(name)s has this FIDE ID in the event."), params={"name": other.name})
        return number

    def clean_birth(self) -> str:
        day, year = self.cleaned_data["birth"]
        return format_birth_for_report(day, year)

    def _post_clean(self) -> None:
        """Leave the instance alone: the entry is written by `change_entry`, which notes what was."""

    @property
    def changed_values(self) -> dict[str, str]:
        """What was filled in."""
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def column_fields(self) -> list[forms.BoundField | None]:
        """A field for each of `FILLABLE_FIELDS`, None where the player has it."""
        return [self[name] if name in self.fields else None for name in FILLABLE_FIELDS]


class ReportNameForm(forms.ModelForm):
    """The name of a player as it goes out, filled in with what would be sent."""

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
            raise ValidationError(_("Write it in Latin letters."))
        return name

    def _post_clean(self) -> None:
        """Leave the instance alone: the entry is written by `change_entry`, which notes what was."""

    @property
    def changed_values(self) -> dict[str, str]:
        """What was written, or seen and left; emptied, it is as FIDE's list or the rule has it. FIDE's is not kept."""
        name = self.cleaned_data["report_name"]
        if self.sent.source is NameSource.LIST and name == self.sent.name:
            return {}
        return {"report_name": name} if name != self.instance.report_name else {}


def report_name_forms(event: Tournament, entries: Iterable[Entry], data: Any = None) -> list[ReportNameForm]:
    """A form for each of the first whose name goes out otherwise than it stands in the event."""
    entries = list(entries)
    names = report_names_by_entry(event, entries)
    others = [entry for entry in entries if not names[entry.pk].is_same_as_in_event]
    return [
        ReportNameForm(data, instance=entry, prefix=f"name-{entry.pk}", sent=names[entry.pk])
        for entry in others[:MAX_PLAYERS_PER_PAGE]
        if data is None or f"name-{entry.pk}-report_name" in data
    ]


def format_birth_for_report(day: date | None, year: int | None) -> str:
    """A birth as report files write it: 1968/03/21, 1968, or nothing."""
    return f"{day:%Y/%m/%d}" if day else str(year or "")


def missing_player_data_forms(entries: Iterable[Entry], data: Any = None) -> list[MissingPlayerDataForm]:
    """A form for each of the first who lack something, filled in with what the club's book knows of members."""
    entries = list(entries)
    taken = {entry.fide_id: entry for entry in entries if entry.fide_id}
    lacking = [entry for entry in entries if not all(getattr(entry, name) for name in FILLABLE_FIELDS)]
    return [
        MissingPlayerDataForm(data, instance=entry, prefix=f"player-{entry.pk}", taken=taken)
        for entry in lacking[:MAX_PLAYERS_PER_PAGE]
    ]


def _in_the_book(entry: Entry) -> dict[str, str]:
    """What the club's book knows of a member."""
    member = entry.member
    if member is None:
        return {}
    birth = format_birth_for_report(member.birth_date, member.birth_year)
    return {"fide_id": str(member.fide_id or ""), "birth": birth, "federation": member.federation}


class ImportedEventForm(forms.Form):
    """The pairing system of an event made from a report file, and what it counts for."""

    system = forms.ChoiceField(
        label=gettext_lazy("pairing system"),
        choices=PairingSystem.choices,
        initial=PairingSystem.FIDE_1989,
        help_text=gettext_lazy("The system by which the next rounds are to be paired."),
    )
    rated_as = forms.ChoiceField(
        label=Tournament._meta.get_field("rated_as").verbose_name,
        choices=[("", gettext_lazy("not rated")), *TimeControlKind.choices],
        initial=TimeControlKind.STANDARD,
        required=False,
        help_text=gettext_lazy("By the time control in the file, where it has one: look whether it is right."),
    )

    @property
    def chosen_rated_as(self) -> str | None:
        """What was chosen; None where nobody was asked."""
        return self.cleaned_data["rated_as"] if "rated_as" in self.data else None

    def clean_system(self) -> PairingSystem:
        try:
            return PairingSystem(self.cleaned_data["system"])
        except ValueError as unknown:
            raise ValidationError(_("Choose one of the pairing systems.")) from unknown
