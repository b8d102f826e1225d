"""The public entry form, and the secretary's form for its settings and fees."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, URLValidator
from django.forms import inlineformset_factory
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.finance.accounting.forms import CentsField
from clubs.models import RatingListPlayer
from common.emails.confirmation import clean_address
from common.text.amounts import set_form_currency
from common.text.day_field import DayField
from common.text.name_search import name_search_words
from common.text.plain_names import clean_plain_name
from tournaments.models import MAX_ANSWER_LENGTH, MAX_QUESTIONS, EntryFee, OnlineEntry, OnlineEntrySettings
from tournaments.online_entries.submission import (
    fill_from_rating_list,
    find_listed_candidates,
    has_rating_lists,
    limit_problem,
    needs_birth_year,
    needs_guardian,
)

NOT_LISTED = "none"
"""The choice for a player who is not on any rating list."""
NEW_FEE_ROWS = 2
MAX_SEARCH_WORDS = 8
"""A name with more words isn't looked up in the rating lists."""


class OnlineEntryForm(forms.ModelForm):
    """The entry form of an event. `settings` decide what it asks for. It saves nothing."""

    player_id = forms.CharField(
        label=gettext_lazy("FIDE or national ID"),
        required=False,
        max_length=20,
        help_text=gettext_lazy("If you know it."),
    )
    listed = forms.ChoiceField(label=gettext_lazy("Which player are you?"), required=False, widget=forms.RadioSelect)
    website = forms.CharField(required=False)
    """Hidden from people. Programs fill it in."""

    class Meta:
        model = OnlineEntry
        fields = ("name", "email", "birth_year", "shows_name", "club_name", "guardian_name", "guardian_email")
        help_texts = {
            "name": gettext_lazy("Family name, given name"),
            "email": gettext_lazy("We send a link to confirm the entry. Only the club sees it."),
            "shows_name": gettext_lazy("Otherwise only initials are shown."),
        }

    def __init__(self, *args: Any, settings: OnlineEntrySettings, **kwargs: Any) -> None:
        kwargs["instance"] = OnlineEntry(tournament=settings.tournament)
        super().__init__(*args, **kwargs)
        self.settings = settings
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        self.fields["email"].required = True
        self.fields["email"].widget.attrs["autocomplete"] = "email"
        if needs_birth_year(settings):
            self.fields["birth_year"].required = True
            self.fields["birth_year"].widget = forms.TextInput(
                attrs={"inputmode": "numeric", "size": 5, "maxlength": 4}
            )
            self.fields["birth_year"].validators += [
                MinValueValidator(1900),
                MaxValueValidator(timezone.localdate().year),
            ]
        else:
            del self.fields["birth_year"]
        if not settings.asks_id or not has_rating_lists(settings.tournament):
            del self.fields["player_id"]
        if not settings.asks_club:
            del self.fields["club_name"]
        if not settings.guardian_under:
            del self.fields["guardian_name"], self.fields["guardian_email"]
        for place, question in enumerate(settings.questions):
            self.fields[f"question_{place}"] = forms.CharField(
                label=question, required=False, max_length=MAX_ANSWER_LENGTH
            )
        self.fields["listed"].choices = self._listed_choices  # type: ignore[attr-defined]

    @cached_property
    def candidates(self) -> list[RatingListPlayer]:
        """The players on the rating lists who match the submitted ID or name."""
        number, name = (str(self.data.get(field, "")).strip()[:80] for field in ("player_id", "name"))
        if not number and not 0 < len(name_search_words(name)) <= MAX_SEARCH_WORDS:
            return []
        return find_listed_candidates(self.settings.tournament, number or name)

    def _listed_choices(self) -> list[tuple[str, str]]:
        return [*((str(each.pk), each.name) for each in self.candidates), (NOT_LISTED, _("I'm not in the list"))]

    @property
    def is_robot(self) -> bool:
        """Return True if the field hidden from people is filled in."""
        return bool(self.cleaned_data["website"])

    @property
    def question_fields(self) -> list[forms.BoundField]:
        """The club's own questions."""
        return [self[name] for name in self.fields if name.startswith("question_")]

    @property
    def is_guardian_section_open(self) -> bool:
        """True if the section about guardians starts open."""
        names = {"guardian_name", "guardian_email"}
        return bool(names & set(self.errors)) or any(self.data.get(name) for name in names)

    def clean_name(self) -> str:
        # The name is in emails to addresses that nobody has confirmed.
        return clean_plain_name(self.cleaned_data["name"])

    def clean_email(self) -> str:
        return clean_address(self.cleaned_data["email"])

    def clean_guardian_email(self) -> str:
        return clean_address(self.cleaned_data["guardian_email"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("name"):
            self._find_listed(cleaned)
        online = self.instance
        online.answers = [
            [question, answer]
            for place, question in enumerate(self.settings.questions)
            if (answer := cleaned.get(f"question_{place}"))
        ]
        return cleaned

    def _post_clean(self) -> None:
        """Fill in the entry, then take the player's data from the rating list and check the limits."""
        super()._post_clean()  # type: ignore[misc]
        if self.errors:
            return
        online, listed = self.instance, self.cleaned_data["listed"]
        if isinstance(listed, RatingListPlayer):
            born = online.birth_year
            fill_from_rating_list(online, listed)
            if born and online.birth_year != born:
                self.add_error("birth_year", _("The rating list has a different birth year for this player."))
                return
        if problem := limit_problem(self.settings, online):
            self.add_error(None, problem)
        if not needs_guardian(self.settings, online.birth_year):
            online.guardian_name = online.guardian_email = ""
            return
        for name in ("guardian_name", "guardian_email"):
            if not getattr(online, name):
                self.add_error(name, _("A player this young needs a guardian to confirm the entry."))

    def _find_listed(self, cleaned: dict[str, Any]) -> None:
        """Replace `listed` with the chosen player, or ask the user to choose."""
        chosen, number = cleaned.get("listed", ""), cleaned.get("player_id", "")
        found = next((each for each in self.candidates if str(each.pk) == chosen), None)
        if number and not self.candidates:
            self.add_error("player_id", _("We couldn't find this ID. Check it, or leave it empty."))
        elif number and found is None and len(self.candidates) == 1:
            found = self.candidates[0]
        elif self.candidates and found is None and chosen != NOT_LISTED:
            self.add_error("listed", _("Choose the player, or “I'm not in the list”."))
        elif found is None and "," not in cleaned["name"] and " " in cleaned["name"]:
            self.add_error("name", _("Put a comma after the family name, such as “Smith, Anna”."))
        if found is not None and not set(name_search_words(found.name)) & set(name_search_words(cleaned["name"])):
            self.add_error("player_id" if number else "name", _("This ID belongs to a player with a different name."))
        cleaned["listed"] = found


class OnlineEntrySettingsForm(forms.ModelForm):
    """The settings of an event's entry form."""

    early_until = DayField(
        label=OnlineEntrySettings._meta.get_field("early_until").verbose_name,
        help_text=gettext_lazy("The last day of the early fees."),
    )
    payment_url = forms.URLField(
        label=OnlineEntrySettings._meta.get_field("payment_url").verbose_name,
        required=False,
        assume_scheme="https",
        validators=[URLValidator(schemes=["https"])],
        help_text=gettext_lazy("Shown next to the bank transfer. Payments made there have to be marked by hand."),
    )

    class Meta:
        model = OnlineEntrySettings
        fields = (
            "is_open",
            "closes_at",
            "places",
            "rating_from",
            "rating_to",
            "born_from",
            "born_to",
            "needs_approval",
            "asks_id",
            "asks_club",
            "guardian_under",
            "early_until",
            "payment_url",
        )
        widgets = {"closes_at": forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")}
        help_texts = {
            "is_open": gettext_lazy("The event's page then links to the form."),
            "closes_at": gettext_lazy("If empty, players can enter until the last round is published."),
            "places": gettext_lazy("Players that you enter take places too. Further entries go on the waiting list."),
            "rating_from": gettext_lazy("By the rating list for the event's time control."),
            "needs_approval": gettext_lazy("Otherwise players are entered when they confirm their email."),
            "guardian_under": gettext_lazy(
                "Based on the player's age in the year of the event. Enter 0 if nobody needs one."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for place in range(MAX_QUESTIONS):
            self.fields[f"question_{place}"] = forms.CharField(
                label=_("question %(number)s") % {"number": place + 1},
                required=False,
                max_length=120,
                initial=dict(enumerate(self.instance.questions)).get(place, ""),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for lower, upper in (("rating_from", "rating_to"), ("born_from", "born_to")):
            low, high = cleaned.get(lower), cleaned.get(upper)
            if low and high and low > high:
                self.add_error(upper, _("This limit is below the other one."))
        self.instance.questions = [
            text for place in range(MAX_QUESTIONS) if (text := cleaned.get(f"question_{place}", ""))
        ]
        return cleaned


class EntryFeeForm(forms.ModelForm):
    """An entry fee. A row without a name is left out."""

    amount = CentsField()
    early_amount = CentsField(label=EntryFee._meta.get_field("early_amount").verbose_name, required=False)

    class Meta:
        model = EntryFee
        fields = ("name", "amount", "early_amount", "from_age", "to_age", "for_members")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        low, high = cleaned.get("from_age"), cleaned.get("to_age")
        if low is not None and high is not None and low > high:
            raise ValidationError(_("The first age must not be above the second one."))
        return cleaned


class EntryFeeBaseFormSet(forms.BaseInlineFormSet):
    """The fees of an event, and empty rows for new ones. They keep their order on the page."""

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for form in self.forms:
            set_form_currency(form, currency)

    def save(self, commit: bool = True) -> Any:
        for place, form in enumerate(self.forms, start=1):
            form.instance.place = place
        return super().save(commit)


EntryFeeFormSet = inlineformset_factory(
    OnlineEntrySettings,
    EntryFee,
    form=EntryFeeForm,
    formset=EntryFeeBaseFormSet,
    extra=NEW_FEE_ROWS,
    max_num=20,
    can_delete=True,
)
