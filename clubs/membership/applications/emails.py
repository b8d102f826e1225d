"""Emails about applications, and texts that tell the sender what an application's status means."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import date
from urllib.parse import urljoin

from django.core.mail import EmailMessage
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.payment_qr_codes import payment_qr_code_data_uri
from clubs.membership.applications.decisions import is_from_member, member_to_invite
from clubs.membership.applications.links import status_token
from clubs.membership.applications.submission import called
from clubs.models import ApplicationNotice, LedgerEntry, Member, MembershipApplication
from clubs.time_zones import time_zone_of_club
from common.emails.confirmation import CONFIRMATION_LIFETIME, hash_token
from common.emails.outbox import hold_row, new_email
from common.text.amounts import format_money
from common.text.placeholders import fill_placeholders

_State = MembershipApplication.State


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDues:
    """The dues of new members: lines with name, text, due date and amount.

    `total` is what is still to be paid by transfer. It and `qr_code` are empty if that is nothing.
    """

    lines: tuple[tuple[str, str, date, str], ...]
    total: str
    account: str
    reference: str
    qr_code: str
    mandate: str
    """The reference of the mandate for collecting them. Empty if there is none."""


def describe_application(application: MembershipApplication) -> str:
    """Return a sentence or two about the application's status and what happens next.

    Only the member's own address is told that somebody is a member.
    """
    said = {"club": application.club.name}
    sentences = {
        _State.UNCONFIRMED: "",
        _State.OPEN: _("%(club)s has your application and will write to you."),
        _State.ACCEPTED: _("%(club)s has accepted your application. Welcome."),
        _State.REFUSED: _("%(club)s couldn't accept your application."),
        _State.KNOWN: _("You are already a member of %(club)s, so your application changes nothing."),
        _State.WITHDRAWN: _("Your application has been withdrawn."),
    }
    sentence = sentences[_State(application.state)] % said
    if application.state == _State.KNOWN and not is_from_member(application):
        sentence = _("Contact %(club)s about your application.") % said
    if application.reason:
        sentence += " " + _("Reason: %(reason)s") % {"reason": application.reason}
    return sentence


def new_members(application: MembershipApplication) -> list[Member]:
    """Return the members that the applicants became, the payer first."""
    members = [each.member for each in application.people.select_related("member__club") if each.member is not None]
    return sorted(members, key=lambda member: (member.family_payer_id is not None, member.pk))


def first_dues(application: MembershipApplication) -> FirstDues | None:
    """Return the dues of the new members for the season in which they joined, or None if none are charged.

    Other people whose dues the payer pays, and old debts, are left out.
    """
    members = new_members(application)
    if not members or application.decided_at is None:
        return None
    payer, club = members[0], application.club
    day = timezone.localdate(application.decided_at)
    charges = LedgerEntry.objects.filter(
        Q(on_behalf_of=None) | Q(on_behalf_of__member__in=members),
        account__member=payer,
        kind=LedgerEntry.Kind.DUE,
        season__starts_on__lte=day,
        season__ends_on__gte=day,
        corrects=None,
        corrected_by=None,
    ).select_related("on_behalf_of__member")
    if not charges:
        return None
    order = [member.pk for member in members]

    def place(charge: LedgerEntry) -> tuple[date, int, int]:
        member = charge.on_behalf_of.member if charge.on_behalf_of else payer
        return charge.due_on or charge.booked_on, order.index(member.pk), charge.pk

    reference = payer.accounts.order_by("-pk")[0].payment_reference
    mandate = payer.mandates.filter(ended_on=None).first()
    balance = balance_of_member(payer, today=timezone.localdate()).amount_owed
    owed = 0 if mandate else min(balance, sum(each.amount for each in charges))
    return FirstDues(
        lines=tuple(
            (
                spoken_name(each.on_behalf_of.member if each.on_behalf_of else payer),
                each.text,
                each.due_on or each.booked_on,
                format_money(each.amount, club.currency),
            )
            for each in sorted(charges, key=place)
        ),
        total=format_money(owed, club.currency) if owed > 0 else "",
        account=club.bank_account,
        reference=reference,
        qr_code=payment_qr_code_data_uri(club, owed, reference),
        mandate=mandate.reference if mandate else "",
    )


def spoken_name(member: Member) -> str:
    """Return the name as people say it: given name, family name."""
    return f"{member.given_name} {member.family_name}".strip()


def welcome_text(application: MembershipApplication) -> str:
    """Return the club's text for new members, with its placeholders filled in."""
    club = application.club
    return fill_placeholders(club.membership_welcome, {"name": called(application), "club": club.name})


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


def compose_notice_email(notice: ApplicationNotice) -> EmailMessage:
    """Return the email to an officer about a confirmed application, in the club's language."""
    application, club = notice.application, notice.application.club
    with translation.override(club.language):
        said = {"club": club.name, "names": _names(application)}
        context = {
            "sentences": [_("%(names)s applied for membership.") % said],
            "way": _("See the application and decide here:"),
            "address": urljoin(application.site, reverse("applications_review", args=[club.slug])),
        }
        return new_email(
            subject=_("%(club)s: new application for membership") % said,
            body=render_to_string("clubs/membership/applications/mail/application.txt", {"club": club, **context}),
            to=notice.email,
            reply_to=application.email,
            site=application.site,
            sender=club.name,
        )


def _confirmation(application: MembershipApplication) -> dict[str, object]:
    """Return the texts of the confirmation email. The token is made now, and only its hash is stored."""
    token, ends_at = secrets.token_urlsafe(32), timezone.now() + CONFIRMATION_LIFETIME
    hold_row(application, token_hash=hash_token(token), token_ends_at=ends_at)
    said = {
        "club": application.club.name,
        "names": _names(application),
        "time": date_format(timezone.localtime(ends_at), "SHORT_DATETIME_FORMAT"),
    }
    return {
        "subject": _("%(club)s: confirm your application") % said,
        "called": called(application),
        "sentences": [
            _("We received an application from this address to join %(club)s.") % said,
            _("It is for %(names)s.") % said,
            _("The club can decide once you confirm it. The link works until %(time)s.") % said,
        ],
        "way": _("Confirm the application here:"),
        "address": _address(application, "application_confirm", token),
        "last_words": _("If you weren't expecting this, ignore this email."),
    }


def _state_context(application: MembershipApplication) -> dict[str, object]:
    club = application.club
    is_accepted = application.state == _State.ACCEPTED
    ways = {
        _State.OPEN: _("See or withdraw your application here:"),
        _State.ACCEPTED: _("See your dues and create an account here:")
        if member_to_invite(application)
        else _("See your application here:"),
    }
    sentences = [describe_application(application)]
    if application.state in (_State.REFUSED, _State.KNOWN) and club.email:
        sentences.append(_("Reply to this email if you have a question."))
    return {
        "subject": (_("Welcome to %(club)s") if is_accepted else _("%(club)s: your application")) % {"club": club.name},
        "called": called(application),
        "sentences": sentences,
        "welcome": welcome_text(application) if is_accepted else "",
        "members": new_members(application) if is_accepted else (),
        "dues": first_dues(application) if is_accepted else None,
        "way": ways.get(_State(application.state), _("See your application here:")),
        "address": _address(application, "application_status", status_token(application)),
    }


def _names(application: MembershipApplication) -> str:
    return ", ".join(each.spoken_name for each in application.people.all())


def _address(application: MembershipApplication, name: str, token: str) -> str:
    return urljoin(application.site, reverse(name, args=[application.club.slug, token]))
