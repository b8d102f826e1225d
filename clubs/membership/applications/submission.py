"""Sending and confirming an application."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.membership.accounts.secretary_emails import secretary_addresses
from clubs.models import ADULT_AGE, Applicant, ApplicationNotice, Club, MembershipApplication
from clubs.roles import OFFICER_ROLES, Visitor, roles_in_club
from common.emails.confirmation import MAX_CONFIRMATIONS_A_DAY, mailbox_condition
from common.emails.outbox import create_sending_job
from common.emails.smtp_delivery import is_email_configured
from common.jobs.queue import enqueue_job
from common.locking import lock_row
from common.problems import OfficerProblem
from common.text.name_search import NameWords, name_search_words

NOTICE_DUE = "notice"
_State = MembershipApplication.State


def is_minor(born: date, *, on: date) -> bool:
    """Return True for a person under 18."""
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day)) < ADULT_AGE


def contact_name(application: MembershipApplication) -> str:
    """Return the name of the person who sent the application: the guardian, or the first adult who joins."""
    return application.guardian_name or next((each.spoken_name for each in _adults(application)), "")


def called(application: MembershipApplication) -> str:
    """Return how letters call the person who sent the application."""
    return application.guardian_name or next((each.given_name for each in _adults(application)), "")


def is_form_open(club: Club, user: Visitor) -> bool:
    """Return True if people can apply. Without a mail server only an officer can, to try the form."""
    can_confirm = is_email_configured() or bool(roles_in_club(user, club) & OFFICER_ROLES)
    return club.takes_applications and can_confirm


@transaction.atomic
def submit_application(application: MembershipApplication, people: Iterable[Applicant]) -> None:
    """Save an application, and email its address a request to confirm it.

    Does nothing if the address got too many such emails today without confirming, or too many of its applications
    wait for the club's decision. The sender isn't told, as it may not be their address.
    """
    lock_row(Club, application.club_id)
    unconfirmed = Q(state=_State.UNCONFIRMED, sent_at__gt=timezone.now() - timedelta(days=1))
    waiting = Q(state=_State.OPEN, club=application.club_id)
    asked = MembershipApplication.objects.filter(mailbox_condition("email", application.email), unconfirmed | waiting)
    if asked.count() >= MAX_CONFIRMATIONS_A_DAY:
        return
    application.set_email_due(MembershipApplication.EmailKind.CONFIRM)
    application.save()
    for person in people:
        person.application = application
        person.save()
    enqueue_job(create_sending_job())


@transaction.atomic
def confirm_application(application: MembershipApplication) -> MembershipApplication:
    """Confirm the address, so that the secretary sees the application.

    The club gets an email, unless an earlier one is still unsent. Raises OfficerProblem if the link was used or has
    expired, or all its people are in open applications from the same mailbox.
    """
    lock_row(Club, application.club_id)
    application = MembershipApplication.objects.select_related("club").get(pk=application.pk)
    now = timezone.now()
    if application.state != _State.UNCONFIRMED or not application.token_ends_at or application.token_ends_at <= now:
        raise OfficerProblem(_("This link has expired or has already been used."))
    if is_waiting_already(application):
        raise OfficerProblem(_("The club already has this application."))
    application.state, application.confirmed_at = _State.OPEN, now
    application.token_hash, application.token_ends_at = "", None
    application.set_email_due(MembershipApplication.EmailKind.STATE)
    application.save()
    unsent = ApplicationNotice.objects.filter(application__club=application.club_id).exclude(email_due="")
    told = set(unsent.values_list("email", flat=True))
    ApplicationNotice.objects.bulk_create(
        ApplicationNotice(application=application, email=email, email_due=NOTICE_DUE)
        for email in secretary_addresses(application.club)
        if email not in told
    )
    return application


def is_waiting_already(application: MembershipApplication) -> bool:
    """Return True if all its people are in applications from the same mailbox that wait for a decision.

    From another address they reach the secretary: a stranger must not block an application, nor learn of one.
    """
    waiting = Applicant.objects.filter(
        mailbox_condition("application__email", application.email),
        application__club=application.club_id,
        application__state=_State.OPEN,
    )
    return set(map(identity, application.people.all())) <= set(map(identity, waiting))


def identity(person: Applicant) -> tuple[NameWords, date]:
    """Return what is the same for a person in two applications."""
    return name_search_words(person.name), person.birth_date


def _adults(application: MembershipApplication) -> list[Applicant]:
    today = timezone.localdate()
    return [each for each in application.people.all() if not is_minor(each.birth_date, on=today)]
