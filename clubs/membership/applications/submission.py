"""Sending and confirming an application."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import ADULT_AGE, Applicant, Club, MembershipApplication
from common.emails.confirmation import MAX_CONFIRMATIONS_A_DAY, mailbox_condition
from common.emails.outbox import create_sending_job
from common.jobs.queue import enqueue_job
from common.locking import lock_row
from common.problems import OfficerProblem
from common.text.name_search import NameWords, name_search_words

_State = MembershipApplication.State


def is_minor(born: date, *, on: date) -> bool:
    """Return True for a person under 18."""
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day)) < ADULT_AGE


def contact_name(application: MembershipApplication) -> str:
    """Return the name of the person who sent the application: the guardian, or the first adult who joins."""
    today = timezone.localdate()
    adults = [each for each in application.people.all() if not is_minor(each.birth_date, on=today)]
    return application.guardian_name or (adults[0].name if adults else "")


@transaction.atomic
def submit_application(application: MembershipApplication, people: Iterable[Applicant]) -> None:
    """Save an application, and email its address a request to confirm it.

    Does nothing if the address got too many such emails today without confirming. The sender isn't told, as it may
    not be their address.
    """
    lock_row(Club, application.club_id)
    asked = MembershipApplication.objects.filter(
        mailbox_condition("email", application.email),
        state=_State.UNCONFIRMED,
        sent_at__gt=timezone.now() - timedelta(days=1),
    )
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

    Raises OfficerProblem if the link has been used or has expired, or all its people are on another open application.
    """
    lock_row(Club, application.club_id)
    application = MembershipApplication.objects.select_related("club").get(pk=application.pk)
    now = timezone.now()
    if application.state != _State.UNCONFIRMED or not application.token_ends_at or application.token_ends_at <= now:
        raise OfficerProblem(_("This link has expired or has already been used."))
    waiting = Applicant.objects.filter(application__club=application.club_id, application__state=_State.OPEN)
    if set(map(_identity, application.people.all())) <= set(map(_identity, waiting)):
        raise OfficerProblem(_("The club already has this application."))
    application.state, application.confirmed_at = _State.OPEN, now
    application.token_hash, application.token_ends_at = "", None
    application.set_email_due(MembershipApplication.EmailKind.STATE)
    application.save()
    return application


def _identity(person: Applicant) -> tuple[NameWords, date]:
    return name_search_words(person.name), person.birth_date
