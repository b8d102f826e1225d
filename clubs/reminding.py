"""Reminders to pay, by e-mail: written, shown before they go, sent one a day and person, and logged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.core import signing
from django.core.mail import EmailMessage, get_connection
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.utils import translation

from clubs.amounts import Cents, money
from clubs.ledger import balances
from clubs.models import Club, Member, Reminder, User

ADULT = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedReminder:
    """Somebody who owes what is overdue. `sent_to` is empty where there is no address or none is wanted."""

    member: Member
    overdue: Cents
    sent_to: str
    latest: Reminder | None

    @property
    def can_be_sent(self) -> bool:
        return bool(self.sent_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A reminder as it will be read."""

    to: str
    subject: str
    body: str


def overdue_members(club: Club, *, today: date) -> list[ProposedReminder]:
    """Everyone with overdue dues, the largest sum first; three queries."""
    overdue = {pk: balance.overdue for pk, balance in balances(club, today=today).items() if balance.overdue}
    members = club.members.filter(pk__in=overdue).prefetch_related("reminders", "accounts")
    proposed = [
        ProposedReminder(
            member=member,
            overdue=overdue[member.pk],
            sent_to=address_of(member, today=today),
            latest=next(iter(member.reminders.all()), None),
        )
        for member in members
    ]
    return sorted(proposed, key=lambda each: -each.overdue)


def address_of(member: Member, *, today: date) -> str:
    """Where reminders go: to a minor's guardian where one is known. Nowhere for those who want none."""
    if member.no_reminders:
        return ""
    age = member.age_on(today)
    is_minor = age is not None and age < ADULT
    return (is_minor and member.guardian_email) or member.email


def letter(club: Club, reminder: ProposedReminder, *, stop_address: str) -> Letter:
    """The reminder in the club's language. `stop_address` leads to the page on which reminders are declined."""
    with translation.override(club.language):
        context = {
            "club": club,
            "member": reminder.member,
            "overdue": money(reminder.overdue, club.currency),
            "reference": reminder.member.accounts.all()[0].reference,
            "stop_address": stop_address,
        }
        return Letter(
            to=reminder.sent_to,
            subject=" ".join(render_to_string("clubs/mail/reminder_subject.txt", context).split()),
            body=render_to_string("clubs/mail/reminder.txt", context),
        )


def send_reminders(
    club: Club, chosen: Iterable[tuple[ProposedReminder, str]], *, today: date, by: User
) -> list[Reminder]:
    """Send the reminders, each with its stop address, and answer what became of them.

    Each is written down before it goes, so that one pressed twice, or by two treasurers, goes once a day; one that
    failed can be sent again.
    """
    sent = []
    connection = get_connection(fail_silently=False)
    for proposed, stop_address in chosen:
        reminder = _claimed(proposed, today, by)
        if reminder is None:
            continue
        text = letter(club, proposed, stop_address=stop_address)
        message = EmailMessage(
            text.subject,
            text.body,
            to=[text.to],
            reply_to=[club.email] if club.email else None,
            headers={"List-Unsubscribe": f"<{stop_address}>"},
            connection=connection,
        )
        try:
            message.send()
            reminder.state = Reminder.State.SENT
        except OSError:  # every SMTPException is one
            reminder.state = Reminder.State.FAILED
        reminder.save(update_fields=["state"])
        sent.append(reminder)
    return sent


def stop_token(member: Member) -> str:
    """What stands in the address on which a member declines reminders without signing in."""
    return signing.dumps(member.pk, salt=__name__)


def member_of_stop_token(club_slug: str, token: str) -> Member | None:
    """Whose address it is; None for a forged one. It does not wear out: old letters must work."""
    try:
        pk = signing.loads(token, salt=__name__)
    except signing.BadSignature:
        return None
    return Member.objects.filter(pk=pk, club__slug=club_slug).select_related("club").first()


def _claimed(proposed: ProposedReminder, today: date, by: User) -> Reminder | None:
    """The reminder's row, ours to send; None if somebody sends or has sent it today."""
    try:
        with transaction.atomic():
            return Reminder.objects.create(
                member=proposed.member, on=today, amount=proposed.overdue, sent_to=proposed.sent_to, by=by
            )
    except IntegrityError:
        failed = Reminder.objects.filter(member=proposed.member, on=today, state=Reminder.State.FAILED)
        if failed.update(state=Reminder.State.SENDING, sent_to=proposed.sent_to, amount=proposed.overdue, by=by):
            return Reminder.objects.get(member=proposed.member, on=today)
        return None
