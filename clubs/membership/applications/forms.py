"""The public membership form, and the secretary's settings for it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms import formset_factory
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.membership.applications.submission import is_minor
from clubs.membership.letters.audiences import PLACEHOLDERS
from clubs.models import Applicant, Club, MembershipApplication
from common.emails.confirmation import clean_address
from common.text.birth_dates import MIN_BIRTH_YEAR
from common.text.day_field import DayField
from common.text.ibans import SEPA_COUNTRIES, parse_iban
from common.text.name_search import name_search_words
from common.text.placeholders import unknown_placeholders
from common.text.plain_names import clean_plain_name

MAX_PEOPLE = 8
_Payment = MembershipApplication.DuesPayment


class ApplicantForm(forms.ModelForm):
    """A person who wants to join."""

    birth_date = DayField(label=Applicant._meta.get_field("birth_date").verbose_name, required=True)

    class Meta:
        model = Applicant
        fields = ("given_name", "family_name", "birth_date")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("given_name", "family_name"):
            # Browsers cut off longer names without a word. The server says that they are too long.
            self.fields[name].widget.attrs.pop("maxlength", None)

    def has_changed(self) -> bool:
        """Return True if a person was entered. The family name alone is that of the person before."""
        return bool({"given_name", "birth_date"} & set(self.changed_data))

    def clean_given_name(self) -> str:
        return clean_plain_name(self.cleaned_data["given_name"])

    def clean_family_name(self) -> str:
        return clean_plain_name(self.cleaned_data["family_name"])

    def clean_birth_date(self) -> date:
        born: date = self.cleaned_data["birth_date"]
        if not date(MIN_BIRTH_YEAR, 1, 1) <= born <= timezone.localdate():
            raise ValidationError(_("Check the birth date."))
        return born


class BaseApplicantFormSet(forms.BaseFormSet):
    """The people on an application. Empty rows are ignored, except the first."""

    @property
    def people(self) -> list[Applicant]:
        """The people entered, once the forms are valid."""
        return [form.instance for form in self.forms if form.has_changed()]

    def clean(self) -> None:
        known = [(name_search_words(each.name), each.birth_date) for each in self.people if not any(self.errors)]
        if len(known) != len(set(known)):
            raise ValidationError(_("You entered the same person twice."))


def applicant_formset(data: Any = None, *, rows: int = 1, **kwargs: Any) -> BaseApplicantFormSet:
    """Return the applicants' forms, with `rows` rows if nothing has been submitted yet."""
    made = formset_factory(
        ApplicantForm,
        formset=BaseApplicantFormSet,
        extra=rows - 1,
        min_num=1,
        validate_min=True,
        max_num=MAX_PEOPLE,
        validate_max=True,
        absolute_max=MAX_PEOPLE,
    )
    said = {"too_few_forms": _("Enter at least 1 person.")}
    return cast(BaseApplicantFormSet, made(data, prefix="people", error_messages=said, **kwargs))


class ApplicationForm(forms.ModelForm):
    """The membership form, without the applicants. It saves nothing."""

    accepts_rules = forms.BooleanField(label=gettext_lazy("I accept the club's rules"))
    website = forms.CharField(required=False)
    """Hidden from people. Programs fill it in."""

    class Meta:
        model = MembershipApplication
        fields = (
            "email",
            "phone",
            "address",
            "guardian_name",
            "publishes_names",
            "shows_photos",
            "dues_payment",
            "holder",
            "iban",
            "signature",
        )
        help_texts = {
            "email": gettext_lazy("We send a link to confirm the application."),
            "guardian_name": gettext_lazy("Only if no adult is joining. The email and phone are then theirs."),
            "publishes_names": gettext_lazy("Otherwise only initials are shown. You can change this later."),
            "signature": gettext_lazy("Type the account holder's full name. This is the signature."),
        }
        widgets = {
            "email": forms.EmailInput(attrs={"autocomplete": "email"}),
            "phone": forms.TextInput(attrs={"autocomplete": "tel", "inputmode": "tel"}),
            "address": forms.Textarea(attrs={"rows": 3, "autocomplete": "street-address"}),
            "dues_payment": forms.RadioSelect,
        }

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        kwargs["instance"] = MembershipApplication(club=club)
        super().__init__(*args, **kwargs)
        if club.membership_rules_url:
            self.fields["accepts_rules"].help_text = format_html(
                '<a href="{}" rel="noopener">{}</a>', club.membership_rules_url, _("Read the rules")
            )
        else:
            del self.fields["accepts_rules"]
        if not takes_mandates(club):
            for name in ("dues_payment", "holder", "iban", "signature"):
                del self.fields[name]

    @property
    def is_robot(self) -> bool:
        """Return True if the field hidden from people is filled in."""
        return bool(self.cleaned_data["website"])

    def clean_email(self) -> str:
        return clean_address(self.cleaned_data["email"])

    def clean_guardian_name(self) -> str:
        return clean_plain_name(self.cleaned_data["guardian_name"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("dues_payment") != _Payment.SIGNED:
            cleaned |= dict.fromkeys({"holder", "iban", "signature"} & cleaned.keys(), "")
            return cleaned
        iban = parse_iban(cleaned.get("iban", ""))
        if not iban or iban[:2] not in SEPA_COUNTRIES:
            self.add_error("iban", _("This isn't a valid IBAN. Check for a wrong or missing digit."))
        cleaned["iban"] = iban
        holder = name_search_words(cleaned.get("holder", ""))
        if not holder:
            self.add_error("holder", _("Enter the name of the account holder."))
        elif name_search_words(cleaned.get("signature", "")) != holder:
            self.add_error("signature", _("Type the account holder's name here too."))
        return cleaned

    def check_guardian(self, people: Iterable[Applicant]) -> None:
        """Add an error if all applicants are minors and no guardian is named."""
        today = timezone.localdate()
        if not self.cleaned_data.get("guardian_name") and all(is_minor(each.birth_date, on=today) for each in people):
            self.add_error("guardian_name", _("Children can only join with a parent or guardian. Enter their name."))


def takes_mandates(club: Club) -> bool:
    """Return True if the club collects dues by direct debit."""
    return bool(club.creditor_id) and club.currency == "EUR"


class MembershipFormSettingsForm(forms.ModelForm):
    """The club's settings for the membership form."""

    membership_rules_url = forms.URLField(
        label=Club._meta.get_field("membership_rules_url").verbose_name,
        required=False,
        assume_scheme="https",
        help_text=gettext_lazy("Applicants must accept them. Leave this empty if there are none."),
    )

    class Meta:
        model = Club
        fields = ("takes_applications", "membership_rules_url", "membership_welcome")
        widgets = {"membership_welcome": forms.Textarea(attrs={"rows": 6})}
        help_texts = {
            "takes_applications": gettext_lazy("The club's page then links to the form."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        places = ", ".join(f"{{{name}}} ({words})" for name, words in PLACEHOLDERS.items())
        said = _("New members get this text with their number and dues. You can use these placeholders: %(places)s.")
        self.fields["membership_welcome"].help_text = said % {"places": places}

    def clean_membership_welcome(self) -> str:
        text: str = self.cleaned_data["membership_welcome"]
        if unknown := unknown_placeholders(text, PLACEHOLDERS):
            raise ValidationError(_("Unknown placeholder: %(what)s."), params={"what": ", ".join(unknown)})
        return text


class RefusalForm(forms.Form):
    """The reason for declining an application. The applicant sees it."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 5})
    )
