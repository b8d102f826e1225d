"""Forms for a series and for an event's evenings."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club
from clubs.request_types import RowSelectionField
from tournaments.models import Series, Tournament
from tournaments.series.standings import DEFAULT_PLACE_POINTS

MAX_PLACE_POINTS = 1000


class SeriesForm(forms.ModelForm):
    """A series, with its events."""

    place_points = forms.CharField(
        label=gettext_lazy("points by place"),
        required=False,
        help_text=gettext_lazy(
            "From first place down. Players who share a place get the same points. Leave empty for 10 8 6 5 4 3 2 1."
        ),
    )
    events = RowSelectionField(
        Tournament.objects.none(),
        label=gettext_lazy("events"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Series
        fields = ("name", "award", "place_points", "events_counted", "attendance_points")
        help_texts = {
            "events_counted": gettext_lazy("How many of a player's best events count. Leave empty for all."),
            "attendance_points": gettext_lazy("Added for each evening played, whatever the result."),
        }

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.club = club
        self.fields["events"].queryset = club.tournaments.all()  # type: ignore[attr-defined]
        self.initial["place_points"] = " ".join(str(points) for points in self.instance.place_points)
        if self.instance.pk:
            self.initial["events"] = self.instance.events.all()

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Series.objects.filter(club=self.instance.club, name=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("A series with this name already exists."))
        return name

    def clean_place_points(self) -> list[int]:
        words = re.split(r"[\s,;]+", self.cleaned_data["place_points"].strip())
        if words == [""]:
            return list(DEFAULT_PLACE_POINTS)
        if not all(
            word.isascii() and word.isdigit() and len(word) < 10 and int(word) <= MAX_PLACE_POINTS for word in words
        ):
            raise ValidationError(_("Enter whole numbers separated by spaces, such as 10 8 6 5 4 3 2 1."))
        return [int(word) for word in words]


class EveningsForm(forms.Form):
    """The dates of an event's rounds: the first evening, the days between evenings, and the rounds on each."""

    first = forms.DateTimeField(
        label=gettext_lazy("first evening"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
        error_messages={"invalid": gettext_lazy("Enter the date and time as 2026-09-17 18:30.")},
    )
    days = forms.IntegerField(
        label=gettext_lazy("days between evenings"),
        min_value=0,
        max_value=366,
        initial=7,
        help_text=gettext_lazy("Enter 7 for weekly evenings, or 0 if all rounds are on one day."),
    )
    games = forms.IntegerField(
        label=gettext_lazy("rounds on each evening"), min_value=1, max_value=20, initial=1, required=False
    )

    def clean_games(self) -> int:
        return self.cleaned_data["games"] or 1
