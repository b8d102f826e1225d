"""Allauth adapters: sign-in rules, messages, throttling and two-factor settings."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.account.models import EmailAddress
from allauth.core import context as current
from allauth.mfa.adapter import DefaultMFAAdapter
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.membership.accounts.client_address import client_address
from clubs.membership.accounts.known_devices import known_device_token, remember_device
from clubs.membership.accounts.throttling import (
    AttemptLimit,
    TooManyAttempts,
    form_limits,
    record_attempt,
    record_success,
    sign_in_limits,
)
from clubs.models import User
from clubs.roles import clubs_of_user
from common.text.qr_codes import qr_code_svg

SUCCESS_MESSAGES = {
    "account/messages/password_changed.txt": gettext_lazy("Password changed."),
    "account/messages/password_set.txt": gettext_lazy("Password set."),
    "account/messages/email_confirmation_sent.txt": gettext_lazy("We've sent you an email. Open the link in it."),
    "account/messages/email_confirmed.txt": gettext_lazy("Email address confirmed."),
    "account/messages/email_deleted.txt": gettext_lazy("Your email address hasn't changed."),
    "account/messages/unverified_primary_email.txt": gettext_lazy(
        "Confirm the address first. Open the link in the email."
    ),
    "mfa/messages/totp_activated.txt": gettext_lazy("Two-factor authentication is now on."),
    "mfa/messages/totp_deactivated.txt": gettext_lazy("Two-factor authentication is now off."),
    "mfa/messages/recovery_codes_generated.txt": gettext_lazy(
        "Your new codes are active. The old ones no longer work."
    ),
    "mfa/messages/webauthn_added.txt": gettext_lazy("Passkey added."),
    "mfa/messages/webauthn_removed.txt": gettext_lazy("Passkey removed."),
    "usersessions/messages/sessions_logged_out.txt": gettext_lazy("Signed out everywhere else."),
}
"""Our texts for allauth's messages. Other messages are not shown because the page already shows the change."""

NOTIFICATION_SUBJECTS = {
    "account/email/password_changed": gettext_lazy("Your password was changed"),
    "account/email/password_reset": gettext_lazy("Your password was changed"),
    "account/email/password_set": gettext_lazy("Your password was changed"),
    "account/email/email_changed": gettext_lazy("Your email address was changed"),
    "account/email/email_confirm": gettext_lazy("Your email address was confirmed"),
    "account/email/email_deleted": gettext_lazy("An email address was removed from your account"),
    "mfa/email/totp_activated": gettext_lazy("Two-factor authentication was switched on"),
    "mfa/email/totp_deactivated": gettext_lazy("Two-factor authentication was switched off"),
    "mfa/email/recovery_codes_generated": gettext_lazy("New recovery codes were created"),
    "mfa/email/webauthn_added": gettext_lazy("A passkey was added to your account"),
    "mfa/email/webauthn_removed": gettext_lazy("A passkey was removed from your account"),
}


class AccountAdapter(DefaultAccountAdapter):
    """Sign-in by username or email. Accounts are created by invitation only."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": gettext_lazy("This account is disabled."),
        "username_password_mismatch": gettext_lazy("The username or password is wrong. Check both and try again."),
        "email_password_mismatch": gettext_lazy("The username or password is wrong. Check both and try again."),
        "enter_current_password": gettext_lazy("This isn't your current password."),
        "incorrect_password": gettext_lazy("This isn't your password."),
        "incorrect_code": gettext_lazy("This code is wrong or has expired. Enter the one your app shows now."),
        "email_taken": gettext_lazy("Another account already uses this email address."),
        "duplicate_email": gettext_lazy("This is already your email address."),
        "same_as_current": gettext_lazy("This is already your email address."),
        "invalid_password_reset": gettext_lazy("This link has expired or has already been used."),
        "rate_limited": gettext_lazy("You tried too many times in a row. Wait a minute and try again."),
        "too_many_login_attempts": gettext_lazy("You tried too many times in a row. Wait a minute and try again."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        self._counts = _counts(request, credentials)
        throttle_attempt(self._counts, _("You can reset your password by email at any time."))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        user = super().authenticate(request, **credentials)
        if user is not None:
            record_success(self._counts)
        return user

    def post_login(self, request: HttpRequest, user: Any, **more: Any) -> HttpResponse:
        response = super().post_login(request, user, **more)
        _hold_own_address(user)
        remember_device(request, response, user.pk)
        return response

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return the URL of the user's club if they have exactly one, otherwise the default URL."""
        own = clubs_of_user(request.user)
        return reverse("club", args=[own[0].slug]) if len(own) == 1 else super().get_login_redirect_url(request)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("own_account")

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        said = SUCCESS_MESSAGES.get(message_template or "")
        if said:
            messages.success(request, said)
        elif message:
            messages.add_message(request, level, message)

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Send a notice about an account change to the user, or to the address that was replaced."""
        about = NOTIFICATION_SUBJECTS.get(template_prefix)
        to = email or user.email
        if about and to:
            self.send_mail("account/email/notice", to, {"about": about, "user": user})

    def format_email_subject(self, subject: str) -> str:
        return f"Clubnight: {subject}"


class TwoFactorAdapter(DefaultMFAAdapter):
    """Two-factor sign-in with one-time codes and passkeys."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": AccountAdapter.error_messages["incorrect_code"],
    }

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        return _("Passkey")

    def get_totp_label(self, user: Any) -> str:
        return user.get_username()

    def get_totp_issuer(self) -> str:
        return f"Clubnight {current.request.get_host()}"

    def build_totp_svg(self, url: str) -> str:
        return qr_code_svg(url, scale=5, border=2)


def _hold_own_address(user: User) -> None:
    """Mark the account's address as verified. Allauth drops an unverified address when another is added."""
    if user.email:
        of_user = EmailAddress.objects.filter(user=user)
        if not of_user.filter(email__iexact=user.email).update(verified=True, primary=True):
            EmailAddress.objects.create(user=user, email=user.email.lower(), verified=True, primary=True)


def throttle_attempt(counts: tuple[AttemptLimit, ...], what_to_do: str = "") -> None:
    """Count an attempt. If the user must wait, raise ValidationError with the waiting time and `what_to_do`."""
    try:
        record_attempt(counts)
    except TooManyAttempts as wait:
        said = ngettext(
            "Too many failed attempts. You can try again in %(seconds)s second.",
            "Too many failed attempts. You can try again in %(seconds)s seconds.",
            wait.seconds,
        )
        raise ValidationError(f"{said % {'seconds': wait.seconds}} {what_to_do}".strip(), code="wait") from wait


def throttle_form(scope: str, address: str, free: int) -> None:
    """Count a public form sent from a network. If the user must wait, raise ValidationError with the waiting time.

    Nobody failed: many people at one place may have sent it.
    """
    try:
        record_attempt(form_limits(scope, address, free))
    except TooManyAttempts as wait:
        said = ngettext(
            "Many forms were sent from this network. You can send yours in %(seconds)s second.",
            "Many forms were sent from this network. You can send yours in %(seconds)s seconds.",
            wait.seconds,
        )
        raise ValidationError(said % {"seconds": wait.seconds}, code="wait") from wait


def _counts(request: HttpRequest, credentials: dict[str, Any]) -> tuple[AttemptLimit, ...]:
    if request.user.is_authenticated:
        # The user confirms their own password. Strangers must not slow that down.
        return (AttemptLimit(scope="session", subject=str(request.session.session_key), free_failures=5),)
    name = str(credentials.get("username") or credentials.get("email") or "")
    user = get_user_by_username(name) or next(iter(filter_users_by_email(name, for_login=True)), None)
    account = str(user.pk) if user else name.casefold()
    device = known_device_token(request, user.pk) if user else None
    return sign_in_limits(account, client_address(request), device)


def forget_failures(request: HttpRequest, user: User) -> None:
    """Reset the counts of failed sign-ins to the account, from this address and this device."""
    for device in {None, known_device_token(request, user.pk)}:
        record_success(sign_in_limits(str(user.pk), client_address(request), device))
