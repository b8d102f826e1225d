"""Forms for members, groups and guests."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from clubs.membership.members.membership_periods import save_with_membership_periods
from clubs.models import Club, FideTitle, Member, MemberGroup, Membership, SavedMemberFilter, User, language_choices
from clubs.request_types import RowSelectionField
from common.text.birth_dates import parse_birth_date
from common.text.day_field import DayField
from common.text.rating_text import RatingField

FULL_MEMBER_STATUSES = (Member.Status.MEMBER, Member.Status.HONORARY)
"""Statuses of people who may have given notice, with a last day in the future."""


class FederationField(forms.CharField):
    """A federation code of three letters, converted to capitals."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=gettext_lazy("federation"),
            required=False,
            help_text=gettext_lazy("3 letters, such as POL."),
            widget=forms.TextInput(attrs={"size": 4, "maxlength": 3, "autocapitalize": "characters"}),
            **kwargs,
        )

    def clean(self, value: str) -> str:
        value = super().clean(value).strip().upper()
        if value and not (len(value) == 3 and value.isascii() and value.isalpha()):
            raise ValidationError(_("Enter the 3 letters FIDE uses, such as POL, CZE or BUL, or leave this empty."))
        return value


def label_empty_language(form: forms.BaseForm) -> None:
    """Label the empty choice of a member's language, which means the club's."""
    form.fields["language"].choices = [("", _("Club's language")), *language_choices()]  # type: ignore[attr-defined]


def label_empty_choices(form: forms.BaseForm) -> None:
    """Label the empty choices of title and sex."""
    form.fields["title"].choices = [("", pgettext("title", "none")), *FideTitle.choices]  # type: ignore[attr-defined]
    form.fields["sex"].choices = [("", _("not given")), *Member.Sex.choices]  # type: ignore[attr-defined]


class BirthField(forms.CharField):
    """A birth date or year. The cleaned value is the pair (date, year)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=gettext_lazy("born"),
            required=False,
            help_text=gettext_lazy("The full date, such as 2011‑03‑28, or just the year."),
            widget=forms.TextInput(attrs={"size": 10, "autocomplete": "off"}),
            **kwargs,
        )

    def clean(self, value: Any) -> tuple[date | None, int | None]:
        try:
            return parse_birth_date(super().clean(value), today=timezone.localdate())
        except ValueError as wrong:
            said = _("Enter the date as 2011-03-28 or 28.3.2011, or a 4-digit year such as 1968.")
            raise ValidationError(said) from wrong


CONTACT_FIELDS = (
    "email",
    "phone",
    "language",
    "address",
    "no_reminders",
    "guardian_name",
    "guardian_email",
    "guardian_phone",
    "emergency_note",
)
"""What members may change themselves. `contact_fields.html` shows these fields."""


class MemberForm(forms.ModelForm):
    """A member's record, as the secretary edits it."""

    federation = FederationField()
    born = BirthField()
    rating = RatingField()
    login = forms.CharField(
        label=gettext_lazy("username"),
        required=False,
        max_length=150,
        help_text=gettext_lazy("The username this person signs in with to see their own page."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    groups = RowSelectionField(
        label=gettext_lazy("groups"),
        queryset=MemberGroup.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    joined_on = DayField(
        label=gettext_lazy("joined on"),
        help_text=gettext_lazy("If someone rejoins, enter the new date. We keep their earlier membership."),
    )
    left_on = DayField(label=gettext_lazy("left on"))
    photo_consent_on = DayField(label=gettext_lazy("date asked"))
    publication_consent_on = DayField(label=gettext_lazy("date asked"))

    class Meta:
        model = Member
        fields = (
            "family_name",
            "given_name",
            "title",
            "rating",
            "rating_is_estimate",
            "games_before",
            "federation",
            "fide_id",
            "national_id",
            "sex",
            "status",
            "joined_on",
            "left_on",
            "came_from",
            "went_to",
            "groups",
            "family_payer",
            *CONTACT_FIELDS,
            "photo_consent",
            "photo_consent_on",
            "publication_consent",
            "publication_consent_on",
        )
        widgets = {
            "address": forms.Textarea(attrs={"rows": 3}),
            "emergency_note": forms.Textarea(attrs={"rows": 3}),
        }
        help_texts = {
            "status": gettext_lazy("Former members can't be entered in events."),
            "rating_is_estimate": gettext_lazy("Tick this if you estimated the rating of an unrated player yourself."),
            "games_before": gettext_lazy(
                "K is 40 for the first 30 games. If empty, we assume 0 games, or 30 if the member joined with "
                "a published rating."
            ),
            "family_name": gettext_lazy("Include van, de or von if it's part of the name."),
            "publication_consent": gettext_lazy(
                "If consent is refused, public events show initials instead of the name."
            ),
            "emergency_note": gettext_lazy(
                "Who to call and what to know. Only the secretary and arbiters can read this."
            ),
            "family_payer": gettext_lazy("The member who pays this person's dues."),
        }
        error_messages = {
            "family_name": {"required": gettext_lazy("Enter at least the family name.")},
            "fide_id": {"invalid": gettext_lazy("A FIDE ID contains only digits.")},
        }

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.club = club
        label_empty_choices(self)
        label_empty_language(self)
        self.fields["family_name"].widget.attrs["autofocus"] = not (self.is_bound or self.instance.pk)
        groups = self.fields["groups"]
        assert isinstance(groups, RowSelectionField)  # noqa: S101
        groups.queryset = club.groups.all()
        set_payer_choices(self, club)
        self.initial["born"] = self.instance.birth_date_or_year
        self.initial["login"] = self.instance.user.get_username() if self.instance.user else ""
        if not self.instance.rating:
            self.initial["rating"] = None

    def clean_rating(self) -> int:
        return self.cleaned_data["rating"] or 0

    def clean_fide_id(self) -> int | None:
        return self._once("fide_id", _("%(name)s already has this FIDE ID. Edit that member, or check the number."))

    def clean_national_id(self) -> str:
        return self._once(
            "national_id", _("%(name)s already has this national ID. Edit that member, or check the number.")
        )

    def clean_family_payer(self) -> Member | None:
        return validate_family_payer(self.instance, self.cleaned_data["family_payer"])

    def clean_login(self) -> User | None:
        name = self.cleaned_data["login"].strip()
        if not name:
            return None
        membership = Membership.objects.filter(user__username=name, club=self.instance.club).first()
        if membership is None:
            raise ValidationError(_("No one in this club has this username."))
        self.cleaned_data["login"] = membership.user
        return self._once("login", _("%(name)s already has this username."), column="user")

    def clean(self) -> dict[str, Any]:
        """Check consents and dates.

        An answered consent without a date gets today's. A former member needs a last day. A last day in the future is
        possible.
        """
        values: dict[str, Any] = super().clean() or self.cleaned_data
        today = timezone.localdate()
        for consent in ("photo_consent", "publication_consent"):
            if not values.get(consent):
                values[f"{consent}_on"] = None
            elif values.get(f"{consent}_on") is None:
                values[f"{consent}_on"] = today
        left_on = values.get("left_on")
        if values.get("status") == Member.Status.FORMER:
            values["left_on"] = left_on = left_on or today
            if left_on > today:
                # They have given notice. They become former members after their last day
                # (`clubs.membership.members.membership_periods`).
                before = self.initial.get("status")
                values["status"] = before if before in FULL_MEMBER_STATUSES else Member.Status.MEMBER
        elif values.get("status") and not (left_on and left_on >= today and values["status"] in FULL_MEMBER_STATUSES):
            if left_on and "left_on" in self.changed_data:
                self.add_error(
                    "left_on",
                    _("To use this leaving date, also change the status to “former member”."),
                )
            values["left_on"] = None
        validate_membership_dates(self)
        return values

    def save(self, commit: bool = True) -> Member:
        self.instance.birth_date, self.instance.birth_year = self.cleaned_data["born"]
        self.instance.user = self.cleaned_data["login"]
        saved: Member = super().save(commit=False)
        if commit:
            save_with_membership_periods(saved)
            self.save_m2m()
        return saved

    def _once(self, field: str, said: str, column: str = "") -> Any:
        """Return the field's value. Raises ValidationError if another member of the club has it."""
        value = self.cleaned_data[field]
        if value:
            same = Member.objects.filter(club=self.instance.club, **{column or field: value})
            other = same.exclude(pk=self.instance.pk).first()
            if other is not None:
                raise ValidationError(said, params={"name": other.name})
        return value


def set_payer_choices(form: forms.ModelForm, club: Club) -> None:
    """Offer all current members who pay for themselves as choices for the payer."""
    payers = form.fields["family_payer"]
    assert isinstance(payers, forms.ModelChoiceField)  # noqa: S101
    payers.queryset = club.members.exclude_former().filter(family_payer=None).exclude(pk=form.instance.pk)
    payers.empty_label = _("pays their own dues")


def validate_family_payer(person: Member, payer: Member | None) -> Member | None:
    """Return the payer. Raises ValidationError if `person` has a payer but also pays for other members."""
    pays_for = list(person.family.all()) if payer and person.pk else []
    if pays_for:
        names = ", ".join(member.name for member in pays_for)
        raise ValidationError(
            _("This member pays for %(names)s. Choose another payer for them first."), params={"names": names}
        )
    return payer


def validate_membership_dates(form: forms.ModelForm) -> None:
    """Add a form error if the leaving date is before the joining date."""
    joined, left = form.cleaned_data.get("joined_on"), form.cleaned_data.get("left_on")
    if joined and left and left < joined:
        form.add_error("left_on", _("The leaving date is before the joining date. Check both dates."))


class OwnMemberDataForm(forms.ModelForm):
    """A user's own data: contact details, emergency note and consents."""

    class Meta:
        model = Member
        fields = (
            *CONTACT_FIELDS,
            "photo_consent",
            "publication_consent",
        )
        widgets = MemberForm.Meta.widgets
        help_texts = {
            "publication_consent": gettext_lazy(
                "If consent is refused, public events show initials instead of the name."
            ),
            "emergency_note": gettext_lazy(
                "Who to call and what to know. Only the secretary and arbiters can read this."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        label_empty_language(self)

    def save_changed_fields(self) -> Member:
        """Save only the changed fields, as the secretary may be editing others. Changed consents get today's date."""
        person: Member = self.instance
        changed = list(self.changed_data)
        for consent in ("photo_consent", "publication_consent"):
            if consent in self.changed_data:
                setattr(person, f"{consent}_on", timezone.localdate() if self.cleaned_data[consent] else None)
                changed.append(f"{consent}_on")
        if changed:
            person.save(update_fields=changed)
        return person


class MemberGroupForm(forms.ModelForm):
    """A new group of the club."""

    class Meta:
        model = MemberGroup
        fields = ("name",)

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.club = club

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if self.instance.club.groups.filter(name=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("A group with this name already exists."))
        return name


class SavedMemberFilterForm(forms.ModelForm):
    """The name of a saved filter."""

    class Meta:
        model = SavedMemberFilter
        fields = ("name",)


class GuestNightForm(forms.Form):
    """An evening that a guest attended."""

    on = DayField(label=gettext_lazy("evening"), required=True)

    def clean_on(self) -> Any:
        if self.cleaned_data["on"] > timezone.localdate():
            raise ValidationError(_("This date is in the future. Choose today or an earlier date."))
        return self.cleaned_data["on"]
