"""URLs of sign-in, the user's own account, invitations and browser preferences.

Allauth's URLs are listed one by one, so that no others are reachable.
"""

from __future__ import annotations

from allauth.account import views as account
from allauth.mfa.base import views as second_step
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkeys
from allauth.usersessions import views as sessions
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, include, path, re_path
from django.utils.translation import gettext_lazy as _
from django.views.generic import RedirectView

from clubs.membership.accounts.views import deferred_posts, invitation_links, own_account, roles_and_invitations
from common.navigation import MenuLink, MenuSlot, register_menu_links

own_account_urls: list[URLPattern] = [
    path("", own_account.own_account, name="own_account"),
    path("sent/", deferred_posts.deferred_posts, name="deferred_posts"),
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("new/", account.signup, name="account_signup"),
    path("confirm/", account.reauthenticate, name="account_reauthenticate"),
    path("confirm/code/", second_step.reauthenticate, name="mfa_reauthenticate"),
    path("email/", account.email, name="account_email"),
    path("email/sent/", account.email_verification_sent, name="account_email_verification_sent"),
    path("email/<str:key>/", account.confirm_email, name="account_confirm_email"),
    path("password/", account.password_change, name="account_change_password"),
    path("password/set/", account.password_set, name="account_set_password"),
    path("password/forgotten/", account.password_reset, name="account_reset_password"),
    path("password/forgotten/sent/", account.password_reset_done, name="account_reset_password_done"),
    path("password/forgotten/done/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    re_path(
        r"^password/forgotten/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        own_account.PasswordResetView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("sessions/", sessions.list_usersessions, name="usersessions_list"),
    path("second-step/", second_step.index, name="mfa_index"),
    path("second-step/set-up/", totp.activate_totp, name="mfa_activate_totp"),
    path("second-step/off/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("confirm/passkey/", passkeys.reauthenticate_webauthn, name="mfa_reauthenticate_webauthn"),
    path("second-step/passkeys/", RedirectView.as_view(pattern_name="mfa_index"), name="mfa_list_webauthn"),
    path("second-step/passkeys/add/", passkeys.add_webauthn, name="mfa_add_webauthn"),
    path("second-step/passkeys/<int:pk>/remove/", passkeys.remove_webauthn, name="mfa_remove_webauthn"),
    path("second-step/recovery/", recovery_codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("second-step/recovery/new/", recovery_codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("second-step/recovery/codes.txt", recovery_codes.download_recovery_codes, name="mfa_download_recovery_codes"),
]

club_role_urls: list[URLPattern] = [
    path("", roles_and_invitations.club_roles, name="club_roles"),
    path("roles/", roles_and_invitations.role_give, name="role_give"),
    path("roles/<int:membership>/take/", roles_and_invitations.role_remove, name="role_remove"),
    path("invitations/<int:invitation>/", roles_and_invitations.invitation_detail, name="invitation_detail"),
    path("invitations/<int:invitation>/code.svg", roles_and_invitations.invitation_qr_code, name="invitation_qr_code"),
    path(
        "invitations/<int:invitation>/withdraw/", roles_and_invitations.invitation_withdraw, name="invitation_withdraw"
    ),
]

urlpatterns = [
    path("sign-in/", account.login, name="account_login"),
    path("sign-in/second-step/", second_step.authenticate, name="mfa_authenticate"),
    path("sign-in/passkey/", login_not_required(passkeys.login_webauthn), name="mfa_login_webauthn"),
    path("sign-out/", account.logout, name="account_logout"),
    path("account/", include(own_account_urls)),
    path("join/<str:token>/", invitation_links.invitation_accept, name="invitation_accept"),
    path("language/", own_account.language_set, name="language_set"),
    path("look/", own_account.colour_scheme_set, name="colour_scheme_set"),
    path("<slug:club>/settings/people/", include(club_role_urls)),
]

register_menu_links(
    MenuLink(
        slot=MenuSlot.NEW_CLUB,
        name="people",
        title=_("Invite other officers"),
        url_name="club_roles",
        position=30,
        is_done=lambda c: c["club"].invitations.exists() or c["club"].memberships.count() > 1,
    )
)
