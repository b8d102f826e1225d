"""Forms for sign-in, the user's own account, invitations and roles."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account
from allauth.core import ratelimit
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.membership.accounts.adapter import throttle_attempt
from clubs.membership.accounts.deferred_posts import load_signed_posts, store_in_session
from clubs.membership.accounts.throttling import AttemptLimit, is_code_used, mark_code_used, record_success
from clubs.models import Club, Invitation, Member, Membership, Role, User

MAX_LOGIN_LENGTH = 254
MAX_PASSWORD_LENGTH = 4_096
PASSWORD_HELP = gettext_lazy("At least 8 characters. Don't use a common password or only digits.")


class AllauthLabelsMixin:
    """Mixin that gives an allauth form our labels and removes its placeholders."""

    field_texts: dict[str, tuple[Any, Any]] = {}
    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (label, help_text) in self.field_texts.items():
            self.fields[name].label = label
            self.fields[name].help_text = help_text
            self.fields[name].widget.attrs.pop("placeholder", None)


class SignInForm(AllauthLabelsMixin, account.LoginForm):
    """Sign-in with a username or email address, and a password.

    `kept` holds signed requests that were submitted after the session ended.
    """

    field_texts = {
        "login": (gettext_lazy("Username or email"), ""),
        "password": (gettext_lazy("Password"), ""),
    }

    def __init__(self, *args: Any, kept: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].validators.append(MaxLengthValidator(MAX_LOGIN_LENGTH))
        # Hashing is slow on purpose. Very long passwords must not make it slower.
        self.fields["password"].validators.append(MaxLengthValidator(MAX_PASSWORD_LENGTH))
        self.fields["login"].widget.attrs |= {
            "autocomplete": "username",
            "maxlength": MAX_LOGIN_LENGTH,
            "autocapitalize": "none",
        }
        self.kept = tuple(self.data.getlist("kept")) if self.is_bound else kept

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        kept = load_signed_posts(self.kept)
        if kept:
            store_in_session(request, kept)
            redirect_url = reverse("deferred_posts")
        return super().login(request, redirect_url=redirect_url)


class PasswordChangeForm(AllauthLabelsMixin, account.ChangePasswordForm):
    field_texts = {
        "oldpassword": (gettext_lazy("Current password"), ""),
        "password1": (gettext_lazy("New password"), PASSWORD_HELP),
        "password2": (gettext_lazy("Confirm new password"), ""),
    }


class PasswordSetForm(AllauthLabelsMixin, account.SetPasswordForm):
    field_texts = {
        "password1": (gettext_lazy("New password"), PASSWORD_HELP),
        "password2": (gettext_lazy("Confirm new password"), ""),
    }


class PasswordResetForm(AllauthLabelsMixin, account.ResetPasswordForm):
    field_texts = {"email": (gettext_lazy("Email"), gettext_lazy("The email address your club has for your account."))}

    def save(self, request: HttpRequest, **more: Any) -> str:
        """Send the link. An address that was recently sent several links gets no more, and the page does not say so."""
        email = str(self.cleaned_data["email"])
        if ratelimit.consume(request, action="reset_email", key=email.lower()):
            super().save(request, **more)
        return email


class PasswordResetKeyForm(AllauthLabelsMixin, account.ResetPasswordKeyForm):
    field_texts = PasswordSetForm.field_texts


class EmailChangeForm(AllauthLabelsMixin, account.AddEmailForm):
    field_texts = {"email": (gettext_lazy("New email address"), "")}


class PasswordReauthenticationForm(AllauthLabelsMixin, account.ReauthenticateForm):
    field_texts = {"password": (gettext_lazy("Password"), "")}


CODE_ALREADY_USED = gettext_lazy(
    "This code has already been used. Wait up to 30 seconds for the next one, then enter that."
)


class _CountedCode(AllauthLabelsMixin):
    """A one-time code. Wrong codes delay the next attempt in any browser, and a correct code works only once."""

    field_texts = {"code": (gettext_lazy("Code"), "")}
    retry_hint = gettext_lazy("Then enter the code your app shows, or one of your recovery codes.")
    user: User
    cleaned_data: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {"autofocus": True, "inputmode": "numeric", "maxlength": 20}

    def clean_code(self) -> str:
        counts = (AttemptLimit(scope="second step", subject=str(self.user.pk), free_failures=5),)
        throttle_attempt(counts, str(self.retry_hint))
        # Allauth remembers used codes for half their lifetime, in one process only, and not during set-up.
        typed = "".join(letter for letter in self.cleaned_data["code"] if letter.isalnum())
        once = AttemptLimit(scope="code", subject=f"{self.user.pk}:{typed}", free_failures=0)
        if is_code_used(once):
            raise ValidationError(CODE_ALREADY_USED)
        code = super().clean_code()  # type: ignore[misc]
        if not mark_code_used(once):
            raise ValidationError(CODE_ALREADY_USED)
        record_success(counts)
        return code


class TwoFactorCodeForm(_CountedCode, AuthenticateForm):
    field_texts = {
        "code": (gettext_lazy("Code"), gettext_lazy("6 digits from your app, or one of your recovery codes."))
    }


class TwoFactorReauthenticationForm(_CountedCode, ReauthenticateForm):
    field_texts = TwoFactorCodeForm.field_texts


class TwoFactorSetUpForm(_CountedCode, ActivateTOTPForm):
    field_texts = {"code": (gettext_lazy("Code"), gettext_lazy("The 6 digits your app shows now."))}
    retry_hint = gettext_lazy("Then enter the code your app shows.")


PASSKEY_FAILED = gettext_lazy("The passkey didn't work. Try again, or sign in with your password.")


class PasskeyAddForm(AllauthLabelsMixin, AddWebAuthnForm):
    """A new passkey. It replaces the password, so the device must verify its user."""

    passwordless = forms.BooleanField(initial=True, widget=forms.HiddenInput)
    field_texts = {
        "name": (
            gettext_lazy("Passkey name"),
            gettext_lazy("A name you'll recognise, such as “phone” or “office”."),
        ),
    }

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except ValidationError as refused:
            raise ValidationError(PASSKEY_FAILED) from refused


class _KnownPasskey:
    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except ValidationError as refused:
            raise ValidationError(PASSKEY_FAILED) from refused


class PasskeySignInForm(_KnownPasskey, LoginWebAuthnForm):
    pass


class PasskeyTwoFactorForm(_KnownPasskey, AuthenticateWebAuthnForm):
    pass


class PasskeyReauthenticationForm(_KnownPasskey, ReauthenticateWebAuthnForm):
    pass


class NewAccountForm(forms.ModelForm):
    """A new account: name, email and password."""

    password1 = forms.CharField(
        label=gettext_lazy("Password"),
        help_text=PASSWORD_HELP,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        strip=False,
        max_length=256,
    )
    password2 = forms.CharField(
        label=gettext_lazy("Confirm password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        strip=False,
        max_length=256,
    )

    class Meta:
        model = User
        fields = ("first_name", "last_name", "username", "email")
        labels = {
            "first_name": gettext_lazy("Given name"),
            "last_name": gettext_lazy("Family name"),
            "username": gettext_lazy("Username"),
            "email": gettext_lazy("Email"),
        }
        help_texts = {
            "username": gettext_lazy("You'll sign in with this. Use letters, digits and . - _ @ +"),
            "email": gettext_lazy("For resetting your password. No one else sees it."),
        }
        widgets = {
            "username": forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
            "email": forms.EmailInput(attrs={"autocomplete": "email"}),
            "first_name": forms.TextInput(attrs={"autocomplete": "given-name"}),
            "last_name": forms.TextInput(attrs={"autocomplete": "family-name"}),
        }

    def clean_username(self) -> str:
        name = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise ValidationError(_("This username is taken. Choose another."))
        return name

    def clean_email(self) -> str:
        email = self.cleaned_data["email"]
        if email and User.objects.filter(email__iexact=email).exists():
            raise ValidationError(
                _("An account with this email address already exists. If it's yours, sign in instead.")
            )
        return email

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        first, second = cleaned.get("password1"), cleaned.get("password2")
        if first and second and first != second:
            self.add_error("password2", _("The passwords don't match."))
        elif first:
            try:
                password_validation.validate_password(first, self.instance)
            except ValidationError as refused:
                self.add_error("password1", refused)
        return cleaned

    def save(self, commit: bool = True) -> User:
        self.instance.set_password(self.cleaned_data["password1"])
        return super().save(commit)


class UserNameForm(forms.ModelForm):
    """The user's name as shown on pages."""

    class Meta:
        model = User
        fields = ("first_name", "last_name")
        labels = NewAccountForm.Meta.labels


class InvitationForm(forms.ModelForm):
    """A new invitation: the person, the role and how long the link works."""

    days = forms.TypedChoiceField(
        label=gettext_lazy("link valid for"),
        choices=[
            (1, gettext_lazy("1 day")),
            (7, gettext_lazy("1 week")),
            (30, gettext_lazy("1 month")),
        ],
        coerce=int,
        initial=7,
    )

    class Meta:
        model = Invitation
        fields = ("role", "member", "email", "is_for_many")
        labels = {"member": gettext_lazy("linked member")}
        help_texts = {
            "email": gettext_lazy("We'll send the link here. Leave empty to share it yourself as a link or QR code."),
            "member": gettext_lazy(
                "The person you invite will see their own page when they sign in. Leave empty if there is no "
                "member to link."
            ),
            "is_for_many": gettext_lazy(
                "For the role “member” only. Everyone scans the same code, for example from a poster."
            ),
        }

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.club = club
        self.fields["role"].choices = Role.choices  # type: ignore[attr-defined]
        self.fields["role"].initial = Role.ARBITER
        without = Member.objects.filter(club=club, user=None, erased_at=None).exclude_former()
        self.fields["member"].queryset = without  # type: ignore[attr-defined]
        self.fields["member"].empty_label = _("no linked member")  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("is_for_many") and (cleaned.get("role") != Role.MEMBER or cleaned.get("member")):
            self.add_error(
                "is_for_many", _("A link for several people only works for the role “member”, without a linked member.")
            )
        return cleaned


class RoleForm(forms.Form):
    """A role for a user of this club, found by username or email."""

    who = forms.CharField(
        label=gettext_lazy("username or email"),
        max_length=254,
        help_text=gettext_lazy("Someone who already has a role in this club. Send anyone else an invitation."),
    )
    role = forms.ChoiceField(label=gettext_lazy("role"), choices=Role.choices, initial=Role.ARBITER)

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    def clean_who(self) -> User:
        """Return the club's user with this username or email address.

        Only users of this club are found, so nobody learns who else has an account on the server.
        """
        name = self.cleaned_data["who"].strip()
        of_club = User.objects.filter(memberships__in=Membership.objects.filter(club=self.club)).distinct()
        found = of_club.filter(username__iexact=name).first() or of_club.filter(email__iexact=name).first()
        if found is None:
            raise ValidationError(_("No one in this club has that username or email. Invite them with the form above."))
        return found
