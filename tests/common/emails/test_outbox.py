"""Each email is sent once: a mail server that says no for ever, for now, or while another process has taken over."""

from __future__ import annotations

import uuid
from datetime import timedelta
from email.errors import HeaderParseError
from smtplib import SMTPDataError, SMTPRecipientsRefused

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.utils import timezone

from clubs.models import GroupLetter, LetterCopy
from common.emails.confirmation import clean_address, mailbox_condition
from common.emails.outbox import SEND_TASK, EmailClaimLost, create_sending_job, hold_row
from common.emails.smtp_delivery import MailServerConnection
from common.jobs.queue import create_job, enqueue_job
from tests.factories import make_event
from tournaments.models import OnlineEntry


@pytest.fixture
def rows(club) -> list[OnlineEntry]:
    event = make_event(club)
    return [
        OnlineEntry.objects.create(
            tournament=event, name=f"Gość, {letter}", email=f"{letter}@poczta.example", email_due="confirm"
        )
        for letter in "ab"
    ]


def send() -> None:
    enqueue_job(create_job(SEND_TASK, by=None))


def refuse_first(monkeypatch, error: Exception) -> None:
    """The mail server refuses the first email, and takes the others."""
    real = MailServerConnection.send_email

    def send_email(self, letter, hand_over) -> None:
        if letter.to == ["a@poczta.example"]:
            if isinstance(error, SMTPDataError):
                hand_over()
            raise error
        real(self, letter, hand_over)

    monkeypatch.setattr(MailServerConnection, "send_email", send_email)


@pytest.mark.parametrize("error", [SMTPRecipientsRefused({"a": (550, b"no such user")}), SMTPDataError(554, b"spam")])
def test_an_address_that_is_refused_for_good_is_not_tried_again(rows, monkeypatch, error):
    refuse_first(monkeypatch, error)
    send()
    assert [each.to for each in mail.outbox] == [["b@poczta.example"]]
    assert not OnlineEntry.objects.exclude(email_due="").exists()


@pytest.mark.parametrize("error", [SMTPRecipientsRefused({"a": (451, b"later")}), SMTPDataError(452, b"full")])
def test_one_that_is_refused_for_now_is_tried_again_later(rows, monkeypatch, error):
    with monkeypatch.context() as busy:
        refuse_first(busy, error)
        send()
        send()
    waiting = OnlineEntry.objects.exclude(email_due="").get()
    assert waiting.email_attempts == 1
    assert waiting.email_due_at > timezone.now()
    OnlineEntry.objects.update(email_due_at=timezone.now())
    send()
    send()
    assert [each.to[0] for each in mail.outbox] == ["b@poczta.example", "a@poczta.example"]


@pytest.mark.parametrize("error", [OperationalError("database is locked"), ImportError("a bug")])
def test_a_busy_database_or_a_bug_loses_no_email_and_delays_no_other(rows, monkeypatch, error):
    with monkeypatch.context() as busy:
        refuse_first(busy, error)
        send()
    assert [each.to for each in mail.outbox] == [["b@poczta.example"]]
    waiting = OnlineEntry.objects.exclude(email_due="").get()
    assert waiting.email_due_at > timezone.now()
    OnlineEntry.objects.update(email_due_at=timezone.now())
    send()
    assert mail.outbox[-1].to == ["a@poczta.example"]


@pytest.mark.parametrize("error", [UnicodeEncodeError("ascii", "ą", 0, 1, "no"), HeaderParseError("no")])
def test_an_email_that_cannot_be_written_is_given_up(rows, monkeypatch, error):
    refuse_first(monkeypatch, error)
    send()
    assert not OnlineEntry.objects.exclude(email_due="").exists()


def test_a_process_that_another_one_took_over_from_sends_nothing(rows, monkeypatch):
    real = MailServerConnection.send_email

    def send_email(self, letter, hand_over) -> None:
        OnlineEntry.objects.filter(email=letter.to[0]).update(email_due_at=timezone.now())
        monkeypatch.setattr(MailServerConnection, "send_email", real)
        real(self, letter, hand_over)

    monkeypatch.setattr(MailServerConnection, "send_email", send_email)
    send()
    assert sorted(each.to[0] for each in mail.outbox) == ["a@poczta.example", "b@poczta.example"]


def test_forms_sent_while_emails_are_sent_add_no_jobs(rows):
    assert create_sending_job() == create_sending_job()


def test_a_letter_to_many_does_not_delay_a_confirmation(rows, club):
    letter = GroupLetter.objects.create(
        club=club, form_key=uuid.uuid4(), texts=[{"language": "en", "subject": "Hello", "text": "Hello"}]
    )
    long_ago = timezone.now() - timedelta(hours=1)
    for number in range(3):
        LetterCopy.objects.create(
            letter=letter, name="Gość", email=f"nr{number}@poczta.example", email_due="letter", email_due_at=long_ago
        )
    send()
    assert {each.to[0] for each in mail.outbox[:2]} == {"a@poczta.example", "nr0@poczta.example"}
    assert len(mail.outbox) == 5


def test_a_change_of_the_row_needs_the_claim(rows):
    first = rows[0]
    OnlineEntry.objects.filter(pk=first.pk).update(email_due="state")
    with pytest.raises(EmailClaimLost):
        hold_row(first, token_hash="x")


@pytest.mark.parametrize(
    ("address", "same"),
    [("a@poczta.example", True), ("a+x@poczta.example", True), ("ab@poczta.example", False), ("a@inna.example", False)],
)
def test_tags_belong_to_one_mailbox(rows, address, same):
    found = OnlineEntry.objects.filter(mailbox_condition("email", address), email="a@poczta.example")
    assert found.exists() is same


@pytest.mark.parametrize("variant", ["a.nn.a@gmail.com", "anna+x@gmail.com", "an.na+y@googlemail.com"])
def test_gmail_ignores_dots(rows, variant):
    OnlineEntry.objects.filter(pk=rows[0].pk).update(email=variant)
    OnlineEntry.objects.filter(pk=rows[1].pk).update(email="annab@gmail.com")
    assert OnlineEntry.objects.get(mailbox_condition("email", "anna@gmail.com")).email == variant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Anna@\uff47mail.com", "anna@gmail.com"),
        ("anna@gm\u00adail.com", "anna@gmail.com"),
        ("anna@gma\ufe00il\u3002com", "anna@gmail.com"),
        ("anna@ŻÓŁW.example", "anna@żółw.example"),
        ("", ""),
    ],
)
def test_a_domain_written_with_other_letters_is_the_same(typed, meant):
    assert clean_address(typed) == meant


@pytest.mark.parametrize("wrong", ["a@xn--gmail-.com", "a@\ue000.example", '"a b"@poczta.example'])
def test_a_domain_that_no_mail_server_reads_is_refused(wrong):
    with pytest.raises(ValidationError):
        clean_address(wrong)
