"""Forms for rating lists: upload, download address, and the columns of a national list."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, Member, RatingRegister, TimeControlKind
from common.file_store.upload_limits import MAX_LIST_FILE_BYTES
from common.tabular.file_field import ChosenFileField
from common.tabular.public_download import is_public_url

MAX_COLUMNS = 200


class MonthField(forms.CharField):
    """A month as 2026-11. The cleaned value is its first day."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"type": "month", "size": 8, "placeholder": "2026-11"})
        super().__init__(widget=widget, max_length=10, **kwargs)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        match = re.fullmatch(r"(20\d\d)-(0[1-9]|1[0-2])", text, re.ASCII)
        if match is None:
            raise ValidationError(_("Enter the month like this: 2026-11."))
        return date(int(match[1]), int(match[2]), 1)


class RatingListImportConfirmForm(forms.Form):
    """Confirmation of importing a list that raised warnings."""

    token = forms.CharField(widget=forms.HiddenInput)
    month = MonthField(label=gettext_lazy("month of the list"))
    despite_newer = forms.ChoiceField(
        label=gettext_lazy("a newer list already exists"),
        required=False,
        widget=forms.RadioSelect,
        choices=[
            ("history", gettext_lazy("only add it to the members' rating history")),
            ("replace", gettext_lazy("replace the newer list with this older one")),
        ],
    )


class RatingListUploadForm(forms.Form):
    """A list's file and its register."""

    register = forms.ModelChoiceField(RatingRegister.objects.none(), label=gettext_lazy("publisher"), empty_label=None)
    kind = forms.ChoiceField(
        label=gettext_lazy("ratings for"),
        choices=[("", gettext_lazy("as stated in the file")), *TimeControlKind.choices],
        required=False,
        help_text=gettext_lazy("FIDE's combined list has all 3 types. The name of a single list shows its type."),
    )
    month = MonthField(
        label=gettext_lazy("month of the list"),
        required=False,
        help_text=gettext_lazy(
            "For example, 2026-11. Only needed if the file's name and heading don't show the month."
        ),
    )
    file = ChosenFileField(
        largest=MAX_LIST_FILE_BYTES,
        help_text=gettext_lazy("Text or XML, zipped or not, just as you downloaded it."),
        error_messages={"too_large": gettext_lazy("The file is larger than 300 MB. Zip it and try again.")},
    )

    def __init__(self, *args: Any, registers: list[RatingRegister], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = RatingRegister.objects.filter(pk__in=[register.pk for register in registers])
        self.fields["register"].queryset = known  # type: ignore[attr-defined]


class RatingListDownloadForm(forms.ModelForm):
    """The address for downloading a list automatically."""

    fetched_from = forms.URLField(
        label=gettext_lazy("web address of the list"),
        max_length=300,
        required=False,
        assume_scheme="https",
        help_text=gettext_lazy(
            "The https:// address of the file itself. We check it every night until this month's list "
            "is available. Leave empty to turn this off."
        ),
    )

    class Meta:
        model = RatingRegister
        fields = ("fetched_from",)

    def clean_fetched_from(self) -> str:
        address: str = self.cleaned_data["fetched_from"]
        if address and not is_public_url(address):
            raise ValidationError(_("Enter a public web address that starts with https://."))
        return address

    def save(self, commit: bool = True) -> RatingRegister:
        # What was stored about the earlier file doesn't apply to this one.
        self.instance.fetch_validator = self.instance.fetch_error = ""
        saved: RatingRegister = super().save(commit)
        return saved


class LinkListedPlayerToMemberForm(forms.Form):
    """The member who is this listed player, chosen from members without an ID from that list, the likeliest first."""

    member = forms.ModelChoiceField(Member.objects.none(), label=gettext_lazy("club member"), empty_label=None)

    def __init__(self, *args: Any, members: list[Member], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["member"]
        field.queryset = Member.objects.filter(pk__in=[member.pk for member in members])  # type: ignore[attr-defined]
        field.choices = [  # type: ignore[attr-defined]
            (member.pk, f"{member.name} ({member.birth_year})" if member.birth_year else member.name)
            for member in members
        ]


class RatingListColumnField(forms.CharField):
    """A column by its heading or number. The cleaned value is a heading, a number from 0, or None."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=60, **kwargs)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        if not (text.isascii() and text.isdigit()):
            return text
        if not 1 <= int(text) <= MAX_COLUMNS:
            raise ValidationError(
                _("Enter the column's heading, or its number from 1 to %(most)s.") % {"most": MAX_COLUMNS}
            )
        return int(text) - 1


class RatingRegisterForm(forms.ModelForm):
    """A national list: its rating scale, and each column by its heading or its number from 1."""

    separator = forms.ChoiceField(
        label=gettext_lazy("column separator"),
        required=False,
        choices=[
            ("", gettext_lazy("detect automatically")),
            (";", gettext_lazy("semicolons")),
            (",", gettext_lazy("commas")),
            ("\t", gettext_lazy("tabs")),
            ("|", gettext_lazy("vertical bars")),
        ],
    )
    encoding = forms.ChoiceField(
        label=gettext_lazy("character encoding"),
        required=False,
        choices=[
            ("", gettext_lazy("detect automatically")),
            ("utf-8-sig", "UTF-8"),
            ("cp1250", "Windows 1250"),
            ("cp1251", "Windows 1251"),
            ("cp1252", "Windows 1252"),
            ("iso8859_2", "ISO 8859-2"),
            ("iso8859_15", "ISO 8859-15"),
        ],
    )
    headings = forms.IntegerField(label=gettext_lazy("number of header rows"), min_value=0, max_value=50, initial=1)

    class Meta:
        model = RatingRegister
        fields = ("name", "scale")
        help_texts = {"name": gettext_lazy("For example, the federation's 3-letter code.")}

    COLUMN_LABELS = {
        "number": gettext_lazy("ID"),
        "name": gettext_lazy("name or family name"),
        "given_name": gettext_lazy("given name"),
        "federation": gettext_lazy("federation"),
        "sex": gettext_lazy("sex"),
        "title": gettext_lazy("title"),
        "birth_year": gettext_lazy("birth date or year"),
        "standard": gettext_lazy("standard rating"),
        "rapid": gettext_lazy("rapid rating"),
        "blitz": gettext_lazy("blitz rating"),
    }
    REQUIRED_COLUMNS = ("number", "name")

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.club = club
        known = self.instance.columns
        for name in ("separator", "encoding", "headings"):
            if name in known:
                self.initial[name] = known[name]
        for name, label in self.COLUMN_LABELS.items():
            self.fields[f"column_{name}"] = RatingListColumnField(label=label, required=name in self.REQUIRED_COLUMNS)
            if name in known:
                self.initial[f"column_{name}"] = known[name] + 1 if isinstance(known[name], int) else known[name]

    @property
    def column_fields(self) -> list[forms.BoundField]:
        """Return the fields for choosing what each column contains."""
        return [self[f"column_{name}"] for name in self.COLUMN_LABELS]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = RatingRegister.objects.filter(club=self.instance.club, name=name).exclude(pk=self.instance.pk)
        if others.exists():
            raise ValidationError(_("A list with this name already exists."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        given = {name: cleaned.get(f"column_{name}") for name in self.COLUMN_LABELS}
        if all(given[kind] is None for kind in TimeControlKind.values):
            self.add_error("column_standard", _("Enter the column for at least one type of rating."))
        places = [str(place).casefold() for place in given.values() if place is not None]
        if len(places) != len(set(places)):
            raise ValidationError(_("The same column is used twice. Choose a different column for each field."))
        if cleaned.get("headings") == 0 and any(isinstance(place, str) for place in given.values()):
            self.add_error("headings", _("To use column headings, set the number of header rows to at least 1."))
        return cleaned

    def save(self, commit: bool = True) -> RatingRegister:
        cleaned = self.cleaned_data
        columns = {name: cleaned[f"column_{name}"] for name in self.COLUMN_LABELS}
        self.instance.columns = {name: place for name, place in columns.items() if place is not None} | {
            name: cleaned[name] for name in ("separator", "encoding", "headings")
        }
        saved: RatingRegister = super().save(commit)
        return saved
