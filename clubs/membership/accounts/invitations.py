"""Invitations: links that give a role in a club."""

from __future__ import annotations

import base64
import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from clubs.models import Club, Invitation, Member, Membership, Role, User
from clubs.request_types import parse_key
from common.emails.outbox import sender_address
from common.problems import OfficerProblem

_SIGNATURE_BYTES = 15


def create_invitation(
    club: Club,
    role: Role,
    *,
    by: User | None,
    valid_for: timedelta,
    member: Member | None = None,
    email: str = "",
    is_for_many: bool = False,
) -> Invitation:
    """Create an invitation. Anyone who opens its link in time gets the role."""
    return Invitation.objects.create(
        club=club,
        role=role,
        member=member,
        email=email,
        is_for_many=is_for_many,
        by=by,
        secret=secrets.token_hex(16),
        expires_at=timezone.now() + valid_for,
    )


def invitation_token(invitation: Invitation) -> str:
    """Return the token used in the invitation's URL: its primary key and a signature."""
    digest = salted_hmac("clubnight invitation", f"{invitation.pk}:{invitation.secret}", algorithm="sha256").digest()
    return f"{invitation.pk}.{base64.urlsafe_b64encode(digest[:_SIGNATURE_BYTES]).decode()}"


def invitation_path(invitation: Invitation) -> str:
    """Return the path of the invitation's link."""
    return reverse("invitation_accept", args=[invitation_token(invitation)])


def find_invitation_by_token(token: str) -> Invitation | None:
    """Return the invitation with this token, open or not, or None if there is none."""
    number = parse_key(token.partition(".")[0])
    found = Invitation.objects.select_related("club", "member__user", "by").filter(pk=number).first()
    if found is None or not constant_time_compare(token, invitation_token(found)):
        return None
    return found


@transaction.atomic
def accept_invitation(invitation: Invitation, user: User) -> None:
    """Give the role to the user and link the member to their account.

    Raises OfficerProblem if the invitation is no longer open.
    """
    held = Invitation.objects.select_for_update().select_related("club").get(pk=invitation.pk)
    if not held.is_open:
        raise OfficerProblem(_("This invitation has expired, or has been used or withdrawn. Ask for a new one."))
    if held.member_id is not None:
        _join(held, user)
    Membership.objects.get_or_create(user=user, club=held.club, role=held.role)
    Invitation.objects.filter(pk=held.pk).update(times_used=F("times_used") + 1)


def withdraw_invitation(invitation: Invitation) -> None:
    """Withdraw the invitation, so that its link stops working."""
    Invitation.objects.filter(pk=invitation.pk, withdrawn_at=None).update(withdrawn_at=timezone.now())


def send_invitation(invitation: Invitation, address: str) -> None:
    """Email the invitation link in the club's language. `address` is a full URL.

    Raises OSError if the email cannot be sent.
    """
    with translation.override(invitation.club.language):
        context = {"invitation": invitation, "club": invitation.club, "address": address}
        letter = EmailMessage(
            subject=" ".join((_("Invitation to %(club)s") % {"club": invitation.club.name}).split()),
            body=render_to_string("clubs/membership/accounts/mail/invitation.txt", context),
            from_email=sender_address(invitation.club.name),
            to=[invitation.email],
            reply_to=[invitation.club.email] if invitation.club.email else None,
        )
    letter.send()


def send_invitation_with_message(request: HttpRequest, invitation: Invitation) -> None:
    """Email the invitation and show the result as a message, even if the server has no mail set up."""
    try:
        send_invitation(invitation, request.build_absolute_uri(invitation_path(invitation)))
    except OSError:
        messages.error(request, _("We couldn't send the email. Share the link yourself, or try again later."))
        return
    if settings.EMAIL_HOST:
        messages.success(request, _("Invitation sent to %(email)s.") % {"email": invitation.email})
    else:
        messages.warning(request, _("This server can't send email. Share the link yourself."))


def _join(invitation: Invitation, user: User) -> None:
    member = Member.objects.select_for_update(of=("self",)).get(invitations=invitation)
    if member.user_id == user.pk:
        return
    if member.user_id is not None:
        raise OfficerProblem(_("%(name)s already has an account. Sign in with it.") % {"name": member.name})
    if Member.objects.filter(club=invitation.club, user=user).exists():
        raise OfficerProblem(_("Your account is already linked to another member of this club."))
    Member.objects.filter(pk=member.pk).update(user=user)
