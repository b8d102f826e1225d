"""Emails about applications, and texts that tell the sender what an application's status means."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import date
from urllib.parse import urljoin

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.payment_qr_codes import payment_qr_code_data_uri
from clubs.membership.applications.links import status_token
from clubs.models import LedgerEntry, Member, MembershipApplication
from clubs.time_zones import time_zone_of_club
from common.emails.confirmation import CONFIRMATION_LIFETIME, hash_token
from common.emails.outbox import hold_row, new_email
from common.text.amounts import format_money

_State = MembershipApplication.State


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDues:
    """The dues of new members: lines with text, due date and amount. `qr_code` is empty if there is nothing to pay."""

    lines: tuple[tuple[str, date, str], ...]
    account: str
    reference: str
    qr_code: str
    mandate: str
    """The reference of the mandate for collecting them. Empty if there is none."""


def describe_application(application: MembershipApplication) -> str:
    """Return a sentence or two about the application's status and what happens next."""
    said = {"club": application.club.name}
    sentences = {
        _State.UNCONFIRMED: "",
        _State.OPEN: _("%(club)s has your application and will write to you."),
        _State.ACCEPTED: _("%(club)s has accepted your application. Welcome."),
        _State.REFUSED: _("%(club)s couldn't accept your application."),
        _State.WITHDRAWN: _("Your application has been withdrawn."),
    }
    sentence = sentences[_State(application.state)] % said
    if application.reason:
        sentence += " " + _("Reason: %(reason)s") % {"reason": application.reason}
    return sentence


def new_members(application: MembershipApplication) -> list[Member]:
    """Return the members that the applicants became, the payer first."""
    members = [each.member for each in application.people.select_related("member__club") if each.member is not None]
    return sorted(members, key=lambda member: (member.family_payer_id is not None, member.pk))


def first_dues(application: MembershipApplication) -> FirstDues | None:
    """Return the dues of the new members for the season in which they joined, or None if none are charged."""
    members = new_members(application)
    if not members or application.decided_at is None:
        return None
    payer, club = members[0], application.club
    day = timezone.localdate(application.decided_at)
    charges = LedgerEntry.objects.filter(
        account__member=payer,
        kind=LedgerEntry.Kind.DUE,
        season__starts_on__lte=day,
        season__ends_on__gte=day,
        corrects=None,
        corrected_by=None,
    )
    if not charges:
        return None
    reference = payer.accounts.order_by("-pk")[0].payment_reference
    mandate = payer.mandates.filter(ended_on=None).first()
    owed = 0 if mandate else balance_of_member(payer, today=timezone.localdate()).amount_owed
    return FirstDues(
        lines=tuple(
            (each.text, each.due_on or each.booked_on, format_money(each.amount, club.currency)) for each in charges
        ),
        account=club.bank_account,
        reference=reference,
        qr_code=payment_qr_code_data_uri(club, owed, reference),
        mandate=mandate.reference if mandate else "",
    )


def compose_application_email(application: MembershipApplication) -> EmailMessage:
    """Return the email that is due, in the language in which the person used the form."""
    club = application.club
    with translation.override(application.language or club.language), timezone.override(time_zone_of_club(club)):
        is_confirmation = application.email_due == MembershipApplication.EmailKind.CONFIRM
        context = _confirmation(application) if is_confirmation else _state_context(application)
        body = render_to_string("clubs/membership/applications/mail/application.txt", {"club": club, **context})
    return new_email(
        subject=str(context["subject"]),
        body=body,
        to=application.email,
        reply_to=club.email,
        site=application.site,
        sender=club.name,
    )


def _confirmation(application: MembershipApplication) -> dict[str, object]:
    """Return the texts of the confirmation email. The token is made now, and only its hash is stored."""
    token, ends_at = secrets.token_urlsafe(32), timezone.now() + CONFIRMATION_LIFETIME
    hold_row(application, token_hash=hash_token(token), token_ends_at=ends_at)
    names = "; ".join(each.name for each in application.people.all())
    said = {
        "club": application.club.name,
        "names": names,
        "time": date_format(timezone.localtime(ends_at), "SHORT_DATETIME_FORMAT"),
    }
    return {
        "subject": _("%(club)s: confirm your application") % said,
        "sentences": [
            _("Somebody used this address to apply to join %(club)s: %(names)s.") % said,
            _("Open this page and confirm. The club won't see the application until you do.") % said,
            _("The link works until %(time)s.") % said,
        ],
        "address": _address(application, "application_confirm", token),
        "last_words": _("If you weren't expecting this, ignore this email."),
    }


def _state_context(application: MembershipApplication) -> dict[str, object]:
    club = application.club
    is_accepted = application.state == _State.ACCEPTED
    said = {"club": club.name, "state": application.get_state_display()}
    return {
        "subject": (_("Welcome to %(club)s") if is_accepted else _("%(club)s: application %(state)s")) % said,
        "sentences": [describe_application(application)],
        "welcome": club.membership_welcome if is_accepted else "",
        "members": new_members(application) if is_accepted else (),
        "dues": first_dues(application) if is_accepted else None,
        "address": _address(application, "application_status", status_token(application)),
    }


def _address(application: MembershipApplication, name: str, token: str) -> str:
    return urljoin(application.site, reverse(name, args=[application.club.slug, token]))
