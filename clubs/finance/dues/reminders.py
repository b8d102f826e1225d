"""Reminders to pay: composed, previewed, sent once per member and day, and logged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from typing import Any
from urllib.parse import urljoin

from django.core import signing
from django.core.mail import EmailMessage, get_connection
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy

from clubs.finance.dues.balances import OverdueCharge, member_balances, overdue_charges
from clubs.finance.dues.ledger import pending_collection_dates
from clubs.finance.dues.payment_qr_codes import payment_qr_code, payment_qr_code_data_uri
from clubs.finance.dues.reminder_texts import (
    REMINDER_LEVELS,
    ReminderText,
    club_reminder_templates,
    render_reminder_text,
)
from clubs.models import Club, LedgerEntry, Member, Reminder, ReminderTemplate, User
from common.emails.outbox import sender_address
from common.jobs.heartbeat import StopReason
from common.jobs.kinds import JobKind, JobStage, register_job_kind
from common.jobs.queue import JobStopped, create_job, report_progress
from common.locking import lock_row
from common.models import Job
from common.text.amounts import Cents, format_money
from common.text.name_order import name_in_spoken_order

SEND_REMINDERS_TASK = register_job_kind(
    "clubs.tasks.send_reminders",
    JobKind(
        title=gettext_lazy("Sending reminders"), stages={"letters": JobStage(words=gettext_lazy("Sending emails"))}
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedReminder:
    """A reminder proposed for a member with overdue dues.

    `sent_to` is empty if the member has no email address or has turned reminders off.
    """

    member: Member
    amount: Cents
    sent_to: str
    latest: Reminder | None
    level: int
    collected_on: date | None = None
    """The date of a pending direct debit."""

    @property
    def can_be_sent(self) -> bool:
        return bool(self.sent_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderEmail:
    """The text of an email reminder."""

    to: str
    subject: str
    body: str


def propose_reminders(club: Club, *, today: date) -> list[ProposedReminder]:
    """Return a proposed reminder for everyone with overdue dues, the largest amount first. Five queries."""
    overdue = {pk: balance.overdue for pk, balance in member_balances(club, today=today).items() if balance.overdue}
    members = club.members.filter(pk__in=overdue).select_related("club").prefetch_related("reminders", "accounts")
    paid = _last_payments(club)
    collecting = pending_collection_dates(club)
    proposed = [
        ProposedReminder(
            member=member,
            amount=overdue[member.pk],
            sent_to=reminder_email_address(member, today=today),
            latest=next(iter(member.reminders.all()), None),
            level=_next_level(member, paid.get(member.pk)),
            collected_on=collecting.get(member.pk),
        )
        for member in members
    ]
    return sorted(proposed, key=lambda each: -each.amount)


def _next_level(member: Member, last_paid_on: date | None) -> int:
    """Return the next level: one more than the reminders sent since the last payment, up to the highest level."""
    sent = [
        each
        for each in member.reminders.all()
        if each.state == Reminder.State.SENT and (last_paid_on is None or each.on >= last_paid_on)
    ]
    return min(len(sent), REMINDER_LEVELS[-1] - 1) + 1


def reminder_email_address(member: Member, *, today: date) -> str:
    """Return the address for reminders: for minors, the guardian's if known. Empty if reminders are turned off."""
    return "" if member.no_reminders else member.contact_email_on(today)


def compose_reminder_email(
    reminder: ProposedReminder | Reminder, *, site: str, own: Mapping[int, ReminderTemplate]
) -> ReminderEmail:
    """Compose an email reminder in the club's language, from the club's `own` texts if it has any.

    `site` is the server's URL, such as https://chess.example/.
    """
    member = reminder.member
    words = _words(reminder, own)
    with translation.override(member.club.language):
        stop = render_to_string("clubs/finance/dues/mail/unsubscribe.txt", {"address": _stop_address(member, site)})
        return ReminderEmail(to=reminder.sent_to, subject=words.subject, body=f"{words.text}\n\n{stop}")


def _words(reminder: ProposedReminder | Reminder, own: Mapping[int, ReminderTemplate]) -> ReminderText:
    member = reminder.member
    club = member.club
    with translation.override(club.language):
        values = {
            "name": member.given_name or member.family_name,
            "amount": format_money(reminder.amount, club.currency),
            "reference": member.accounts.all()[0].payment_reference,
            "account": club.bank_account,
            "club": club.name,
        }
        return render_reminder_text(own, reminder.level, values)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperReminder:
    """A printed reminder to deliver or post.

    `qr_code_data_uri` is empty if there is no QR code. `items` are the unpaid charges with due date and amount.
    `account` is empty if unknown.
    """

    name: str
    address: tuple[str, ...]
    subject: str
    text: str
    qr_code_data_uri: str
    items: tuple[tuple[str, date, str], ...]
    formatted_amount: str
    account: str
    reference: str

    @property
    def paragraphs(self) -> list[str]:
        """The paragraphs of the text. The last one closes the letter: what is owed goes before it."""
        return re.split(r"\n\s*\n", self.text.strip())


def compose_paper_reminders(club: Club, *, today: date) -> list[PaperReminder]:
    """Return printed reminders in the club's language for members who get no email, sorted by name."""
    own = club_reminder_templates(club)
    waiting = sorted(_not_reached(club, today), key=lambda each: each.member.name)
    charges = overdue_charges(club, [each.member for each in waiting], today=today)
    return [_on_paper(each, own, charges.get(each.member.pk, [])) for each in waiting]


def has_paper_reminders(club: Club, *, today: date) -> bool:
    """Return True if a member with overdue dues gets no email."""
    return bool(_not_reached(club, today))


def _not_reached(club: Club, today: date) -> list[ProposedReminder]:
    return [each for each in propose_reminders(club, today=today) if not each.can_be_sent]


def _on_paper(
    reminder: ProposedReminder, own: Mapping[int, ReminderTemplate], charges: Iterable[OverdueCharge]
) -> PaperReminder:
    member = reminder.member
    currency, reference = member.club.currency, member.accounts.all()[0].payment_reference
    words = _words(reminder, own)
    with translation.override(member.club.language):
        return PaperReminder(
            name=name_in_spoken_order(member.name),
            address=tuple(filter(None, (line.strip() for line in member.address.splitlines()))),
            subject=words.subject,
            text=words.text,
            qr_code_data_uri=payment_qr_code_data_uri(member.club, reminder.amount, reference),
            items=tuple(
                (each.entry.text, each.entry.due_on or each.entry.booked_on, format_money(each.unpaid_amount, currency))
                for each in charges
            ),
            formatted_amount=format_money(reminder.amount, currency),
            account=member.club.bank_account,
            reference=reference,
        )


@transaction.atomic
def mark_paper_reminders_delivered(club: Club, *, today: date, by: User) -> int:
    """Record that paper reminders were delivered, once per member and day. Return how many were recorded."""
    lock_row(Club, club.pk)
    new = [
        Reminder(member=each.member, on=today, level=each.level, amount=each.amount, state=Reminder.State.SENT, by=by)
        for each in _not_reached(club, today)
        if each.latest is None or each.latest.on != today
    ]
    Reminder.objects.bulk_create(new)
    return len(new)


@transaction.atomic
def create_reminder_job(
    club: Club, chosen: Iterable[ProposedReminder], *, today: date, by: User, site: str, then: str
) -> Job | None:
    """Create the job that sends these reminders. Return None if all have already been sent today.

    Each reminder is saved before it is sent, so two clicks or two treasurers send it only once a day. A failed one can
    be sent again. `then` is the URL to open when the job is done.
    """
    claimed = [reminder.pk for proposed in chosen if (reminder := _claimed(proposed, today, by)) is not None]
    if not claimed:
        return None
    return create_job(
        SEND_REMINDERS_TASK, by=by, club=club, arguments={"reminders": claimed, "site": site, "next": then}
    )


def send_reminder_emails(job: Job) -> None:
    """Send the job's remaining reminders.

    If the process is stopped after sending an email but before saving that, the email is sent twice.
    """
    waiting = Reminder.objects.filter(pk__in=job.arguments["reminders"], state=Reminder.State.SENDING)
    reminders = list(waiting.select_related("member__club").prefetch_related("member__accounts"))
    own = club_reminder_templates(reminders[0].member.club) if reminders else {}
    connection = get_connection(fail_silently=False)
    try:
        for number, reminder in enumerate(reminders):
            report_progress(job, done=number, total=len(reminders), stage="letters")
            reminder.state = _sent(reminder, job.arguments["site"], own, connection)
            reminder.save(update_fields=["state"])
    except JobStopped as stopped:
        if stopped.reason is not StopReason.TAKEN:
            waiting.update(state=Reminder.State.FAILED)
        raise


def _sent(reminder: Reminder, site: str, own: Mapping[int, ReminderTemplate], connection: Any) -> Reminder.State:
    text = compose_reminder_email(reminder, site=site, own=own)
    club = reminder.member.club
    message = EmailMessage(
        text.subject,
        text.body,
        from_email=sender_address(club.name),
        to=[text.to],
        reply_to=[club.email] if club.email else None,
        headers={"List-Unsubscribe": f"<{_stop_address(reminder.member, site)}>"},
        connection=connection,
    )
    code = payment_qr_code(club, reminder.amount, reminder.member.accounts.all()[0].payment_reference)
    if code is not None:
        picture = BytesIO()
        code.save(picture, kind="png", scale=5, border=4)
        message.attach("payment.png", picture.getvalue(), "image/png")
    try:
        message.send()
    except OSError:  # includes every SMTPException
        return Reminder.State.FAILED
    return Reminder.State.SENT


def _stop_address(member: Member, site: str) -> str:
    return urljoin(site, reverse("reminders_unsubscribe", args=[member.club.slug, unsubscribe_token(member)]))


def unsubscribe_token(member: Member) -> str:
    """Return the token for a member's unsubscribe link."""
    return signing.dumps(member.pk, salt=__name__)


def member_from_unsubscribe_token(club_slug: str, token: str) -> Member | None:
    """Return the member with this unsubscribe token, or None if it is forged.

    The token never expires, because links in old emails must work.
    """
    try:
        pk = signing.loads(token, salt=__name__)
    except signing.BadSignature:
        return None
    return Member.objects.filter(pk=pk, club__slug=club_slug).select_related("club").first()


def _claimed(proposed: ProposedReminder, today: date, by: User) -> Reminder | None:
    """Save a reminder to be sent. Return None if another process sends it or it was sent today."""
    try:
        with transaction.atomic():
            return Reminder.objects.create(
                member=proposed.member,
                on=today,
                level=proposed.level,
                amount=proposed.amount,
                sent_to=proposed.sent_to,
                by=by,
            )
    except IntegrityError:
        failed = Reminder.objects.filter(member=proposed.member, on=today, state=Reminder.State.FAILED)
        changes = {"sent_to": proposed.sent_to, "amount": proposed.amount, "level": proposed.level, "by": by}
        if failed.update(state=Reminder.State.SENDING, **changes):
            return Reminder.objects.get(member=proposed.member, on=today)
        return None


def _last_payments(club: Club) -> dict[int, date]:
    """Return the date of each member's last payment that was not reversed, by key. One query."""
    payments = LedgerEntry.objects.filter(club=club, kind=LedgerEntry.Kind.PAYMENT, corrects=None, corrected_by=None)
    return dict(payments.values_list("account__member").annotate(Max("booked_on")).order_by())
