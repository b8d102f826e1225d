"""Forms for entries and forbidden pairs."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from clubs.membership.members.forms import BirthField, FederationField, label_empty_choices
from clubs.models import Member
from clubs.request_types import RowSelectionField
from common.tabular.file_field import ChosenFileField
from common.text.rating_text import RatingField
from tournaments.entries.enrolment import STARTING_LIST_FIELDS
from tournaments.entries.field_values import MAX_REMARK_LENGTH, is_printable_name
from tournaments.entries.forbidden_groups import GroupCriterion
from tournaments.entries.player_rows import PlayerRow
from tournaments.models import Entry, Round, Tournament

NO_OPEN_ROUND_MESSAGE = gettext_lazy(
    "Choose a round that isn't published yet. Once all rounds are published, nobody else can enter."
)


class FromRoundForm(forms.Form):
    """The first round that newcomers play, or the first that a withdrawn player misses."""

    from_round = forms.TypedChoiceField(
        label=gettext_lazy("plays from round"),
        coerce=int,
        error_messages={"required": NO_OPEN_ROUND_MESSAGE, "invalid_choice": NO_OPEN_ROUND_MESSAGE},
    )

    def __init__(self, *args: Any, rounds: list[Round], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(each.number, str(each.number)) for each in rounds]
        self.fields["from_round"].choices = choices  # type: ignore[attr-defined]


class ChooseMembersForm(FromRoundForm):
    """The club members to enter."""

    members = RowSelectionField(
        queryset=Member.objects.none(),
        error_messages={
            "required": gettext_lazy("Select at least 1 member."),
            "invalid_choice": gettext_lazy("A selected member is no longer on the member list. Select again."),
        },
    )

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["members"].queryset = tournament.club.members.all()  # type: ignore[attr-defined]


class PastePlayersForm(FromRoundForm):
    """A list of players, one per line."""

    text = forms.CharField(
        label=gettext_lazy("players, one per line"),
        max_length=200_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        error_messages={
            "required": gettext_lazy("The list is empty. Enter one player per line."),
            "max_length": gettext_lazy("The list is too long. Paste it in parts, or import it as a file."),
        },
    )


class WalkInForm(FromRoundForm):
    """A player found neither in the member list nor in a rating list."""

    name = forms.CharField(
        label=pgettext_lazy("of a person", "name"),
        max_length=160,
        widget=forms.TextInput(attrs={"placeholder": gettext_lazy("Family name, given name"), "autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Enter the player's name.")},
    )
    rating = RatingField(
        help_text="",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 5, "autocomplete": "off"}),
    )
    birth = forms.CharField(
        label=gettext_lazy("birth year"),
        required=False,
        max_length=4,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 5, "autocomplete": "off"}),
    )

    remark = forms.CharField(label=gettext_lazy("remark"), required=False, max_length=MAX_REMARK_LENGTH)

    def clean_name(self) -> str:
        name = " ".join(self.cleaned_data["name"].split())
        if not is_printable_name(name):
            raise ValidationError(_("Enter the player's name."))
        return name

    def clean_birth(self) -> str:
        birth: str = self.cleaned_data["birth"]
        if birth and not re.fullmatch(r"(?:19|20)\d\d", birth, re.ASCII):
            raise ValidationError(_("Enter the year with 4 digits, such as 1968."))
        return birth

    @property
    def player_row(self) -> PlayerRow:
        """The player as a row of a list."""
        values = self.cleaned_data
        return PlayerRow(
            line=0,
            name=values["name"],
            rating=values["rating"] or 0,
            birth=values["birth"],
            remark=values["remark"],
        )


class ImportFileForm(forms.Form):
    """A report file or a table to import."""

    file = ChosenFileField(
        accept=".trf,.trfx,.tdf,.veg,.sce,.txt,.csv,.tsv,.xlsx,.xls,.ods,.html,.htm,.xml,.dbf,text/plain,text/csv",
        error_messages={
            "too_large": gettext_lazy(
                "The file is larger than %(limit)s MB, too large for a report file. Check that it's the right one."
            )
        },
    )


class EntryForm(forms.ModelForm):
    """A player's data on the starting list. It doesn't change the member list."""

    federation = FederationField()
    rating = RatingField()

    class Meta:
        model = Entry
        fields = STARTING_LIST_FIELDS
        help_texts = {
            "name": gettext_lazy("Family name, given name."),
            "birth": gettext_lazy("A year, or a date such as 1968/03/21."),
        }
        error_messages = {"name": {"required": gettext_lazy("Enter the player's name.")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        label_empty_choices(self)
        if not self.instance.rating:
            self.initial["rating"] = None

    def clean_rating(self) -> int:
        return self.cleaned_data["rating"] or 0

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())

    def clean_birth(self) -> str:
        """Return the date or year of birth as in report files. A file's own value, such as 1968/00/00, can be kept."""
        birth: str = self.cleaned_data["birth"].strip()
        if birth == self.instance.birth:
            return birth
        day, year = BirthField().clean(birth)
        return f"{day:%Y/%m/%d}" if day else str(year or "")

    def _post_clean(self) -> None:
        """Leave the instance unchanged, because `change_entry` saves the entry and logs the old values."""

    @property
    def changed_values(self) -> dict[str, Any]:
        """The fields that differ from the entry."""
        return {name: value for name, value in self.cleaned_data.items() if value != getattr(self.instance, name)}


class ForbiddenPairForm(forms.Form):
    """Two players who must not meet."""

    first = forms.ModelChoiceField(
        label=gettext_lazy("this player"),
        queryset=Entry.objects.none(),
        empty_label=gettext_lazy("choose…"),
        error_messages={"required": gettext_lazy("Choose the first player.")},
    )
    second = forms.ModelChoiceField(
        label=gettext_lazy("must not meet"),
        queryset=Entry.objects.none(),
        empty_label=gettext_lazy("choose…"),
        error_messages={"required": gettext_lazy("Choose the second player.")},
    )
    remark = forms.CharField(
        label=gettext_lazy("reason"),
        max_length=120,
        required=False,
        help_text=gettext_lazy("Such as “brothers”. Only arbiters see this."),
    )

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        entries = tournament.entries.order_by("name")
        self.fields["first"].queryset = entries  # type: ignore[attr-defined]
        self.fields["second"].queryset = entries  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("first") and cleaned.get("first") == cleaned.get("second"):
            self.add_error("second", _("Choose 2 different players."))
        return cleaned


class ForbiddenGroupsForm(forms.Form):
    """The groups whose players must not meet, and the last round for which this applies."""

    bond = forms.ChoiceField(choices=[(bond.value, bond.value) for bond in GroupCriterion])
    to_round = forms.IntegerField(
        label=gettext_lazy("up to round"),
        min_value=1,
        required=False,
        help_text=gettext_lazy("Leave empty for all rounds."),
        error_messages={
            "min_value": gettext_lazy("Enter round 1 or later."),
            "invalid": gettext_lazy("Enter a number."),
        },
    )

    def clean_bond(self) -> GroupCriterion:
        return GroupCriterion(self.cleaned_data["bond"])
