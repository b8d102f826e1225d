"""Reminders by email: recipients, once a day, as a background job that can be stopped or killed."""

from __future__ import annotations

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.core import mail
from django.utils import timezone
from pypdf import PdfReader

from clubs.finance.dues import reminders
from clubs.finance.dues.ledger import record_payment, reverse_ledger_entry
from clubs.finance.dues.reminder_texts import REMINDER_LEVELS, default_reminder_template, render_default_reminder
from clubs.finance.dues.reminders import (
    propose_reminders,
    reminder_email_address,
    send_reminder_emails,
    unsubscribe_token,
)
from clubs.finance.dues.views import reminders as view
from clubs.models import Member, PersonalDataAccess, Reminder, ReminderTemplate
from common.jobs import queue as jobs
from common.jobs.heartbeat import StopReason
from common.jobs.queue import JobStopped, run_job
from common.models import Job
from tests.clubs.member_scenario import make_book, owing, page
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_book)


def jan(cast: Cast) -> Member:
    return cast.members[5]


def remind(cast: Cast, *members: Member, who: str = "treasurer"):
    return cast.browser(who).post(page("overdue_reminders_send"), {"member": [m.pk for m in members]}, follow=True)


def test_nobody_is_reminded_who_owes_nothing_or_wants_none(cast):
    owing(jan(cast), 1000)
    Member.objects.update(no_reminders=True, email="a@b.example")
    remind(cast, *cast.members)
    assert mail.outbox == []


def test_what_is_not_due_yet_is_not_overdue(cast):
    owing(jan(cast), 1000, days=0)
    assert propose_reminders(cast.club, today=timezone.localdate()) == []


def test_a_minors_reminder_goes_to_the_guardian_in_the_clubs_language(cast):
    owing(jan(cast), 1050)
    Member.objects.filter(pk=jan(cast).pk).update(guardian_email="opiekun@poczta.example")
    cast.club.email = "klub@poczta.example"
    cast.club.save()
    assert "10.50" in cast.browser("treasurer").get(page("overdue_dues_list")).text
    remind(cast, jan(cast))
    (sent,) = mail.outbox
    assert (sent.to, sent.reply_to) == (["opiekun@poczta.example"], ["klub@poczta.example"])
    assert "10.50" in sent.body
    assert jan(cast).accounts.get().payment_reference in sent.body
    assert Reminder.objects.get().state == Reminder.State.SENT


def test_adults_get_their_own_letters_from_their_birthday(cast):
    today = timezone.localdate().replace(day=1)
    grown_up = Member(email="jan@poczta.example", guardian_email="opiekun@poczta.example")
    for birth, address in ((18, "jan@poczta.example"), (17, "opiekun@poczta.example")):
        grown_up.birth_date = today.replace(year=today.year - birth)
        assert reminder_email_address(grown_up, today=today) == address
    assert reminder_email_address(
        Member(email="jan@poczta.example", guardian_email="opiekun@poczta.example"), today=today
    ) == ("jan@poczta.example")


@pytest.mark.parametrize(
    ("host", "said"), [("mail.example", "1 reminder sent."), ("", "1 reminder saved as a file on the server.")]
)
def test_a_reminder_goes_once_a_day(cast, settings, host, said):
    settings.EMAIL_HOST = host
    owing(jan(cast), 1000)
    assert said in remind(cast, jan(cast)).text
    assert said not in remind(cast, jan(cast)).text
    assert len(mail.outbox) == 1


def test_a_reminder_that_failed_is_said_to_have_and_goes_later(cast, monkeypatch, settings):
    owing(jan(cast), 1000)
    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.message.EmailMessage.send", _no_server)
        assert "Not sent" in remind(cast, jan(cast)).text
    assert Reminder.objects.get().state == Reminder.State.FAILED
    remind(cast, jan(cast))
    assert Reminder.objects.get().state == Reminder.State.SENT
    assert len(mail.outbox) == 1


def _no_server(*_: object) -> None:
    raise ConnectionRefusedError


def test_reminders_are_declined_from_the_letter_without_signing_in(cast):
    owing(jan(cast), 1000)
    remind(cast, jan(cast))
    address = re.search(r"http://testserver(\S+/stop/)", mail.outbox[0].body)[1]
    visitor = cast.browser("visitor")
    visitor.get(address)
    assert not Member.objects.get(pk=jan(cast).pk).no_reminders, "mail programs open links by themselves"
    visitor.post(address)
    assert Member.objects.get(pk=jan(cast).pk).no_reminders
    for forged in ("x", unsubscribe_token(jan(cast)) + "x"):
        assert visitor.get(page("reminders_unsubscribe", forged)).status_code == 404


# -- Work in the background ------------------------------------------------------------------------------------------


@pytest.fixture
def three(cast) -> list[Member]:
    """Three members who owe money and have an email address."""
    members = cast.members[:3]
    for number, member in enumerate(members):
        Member.objects.filter(pk=member.pk).update(email=f"nr{number}@poczta.example")
        owing(member, 1000)
    return members


def test_many_letters_have_a_page_that_shows_how_far_they_are(cast, three, monkeypatch):
    monkeypatch.setattr(jobs, "_dispatch", lambda *_: None)
    monkeypatch.setattr(view, "MAX_WAIT_SECONDS", 0)
    answer = remind(cast, *three)
    job = Job.objects.get()
    assert answer.redirect_chain[-1][0] == f"/jobs/{job.pk}/"
    assert "Sending reminders" in answer.text
    assert set(Reminder.objects.values_list("state", flat=True)) == {Reminder.State.SENDING}
    assert mail.outbox == []
    assert run_job(job.pk, send_reminder_emails)
    assert len(mail.outbox) == 3
    assert cast.browser("treasurer").get(f"/jobs/{job.pk}/").headers["Location"] == page("overdue_dues_list")


def test_letters_that_went_before_the_worker_was_killed_do_not_go_again(cast, three, monkeypatch):
    monkeypatch.setattr(jobs, "_dispatch", lambda *_: None)
    monkeypatch.setattr(view, "MAX_WAIT_SECONDS", 0)
    remind(cast, *three)
    Reminder.objects.filter(member=three[0]).update(state=Reminder.State.SENT)
    run_job(Job.objects.get().pk, send_reminder_emails)
    assert sorted(message.to for message in mail.outbox) == [["nr1@poczta.example"], ["nr2@poczta.example"]]


def test_what_was_stopped_in_the_middle_can_be_sent_later(cast, three, monkeypatch):
    beats = []

    def stop_at_the_second(job, **_progress):
        beats.append(job)
        if len(beats) == 2:
            raise JobStopped(StopReason.CANCELLED)

    with monkeypatch.context() as patch:
        patch.setattr(reminders, "report_progress", stop_at_the_second)
        remind(cast, *three)
    assert len(mail.outbox) == 1
    assert sorted(Reminder.objects.values_list("state", flat=True)) == ["failed", "failed", "sent"]
    remind(cast, *three)
    assert len(mail.outbox) == 3
    assert set(Reminder.objects.values_list("state", flat=True)) == {Reminder.State.SENT}


def test_each_reminder_is_a_level_higher_until_something_is_paid(cast):
    owing(jan(cast), 90_00, days=100)
    today = timezone.localdate()
    for day, level in ((30, 1), (20, 2), (10, 3), (5, 3)):
        (proposed,) = propose_reminders(cast.club, today=today)
        assert proposed.level == level
        Reminder.objects.create(
            member=jan(cast), on=today - timedelta(days=day), level=level, amount=1, sent_to="a@b.example", state="sent"
        )
    Reminder.objects.create(member=jan(cast), on=today, level=1, amount=1, sent_to="a@b.example", state="failed")
    paid = record_payment(jan(cast), 1_00, method="cash", paid_on=today - timedelta(days=1), by=None)
    assert propose_reminders(cast.club, today=today)[0].level == 1
    reverse_ledger_entry(paid, reason="pomyłka", by=None)
    assert propose_reminders(cast.club, today=today)[0].level == 3, "a payment taken back was none"


def test_a_club_words_its_reminders_itself(cast):
    owing(jan(cast), 12_50)
    browser = cast.browser("treasurer")
    wrong = {"level1-subject": "Składka", "level1-text": "{imię} {kwota}", "level2-subject": "Sam temat"}
    said = browser.post(page("reminder_texts_edit"), wrong)
    assert said.status_code == 422
    assert "{imię}, {kwota}" in said.text
    right = {"level1-subject": "{club}: składka", "level1-text": "Cześć {name}, {amount} {reference} {account}"}
    assert browser.post(page("reminder_texts_edit"), right).status_code == 302
    remind(cast, jan(cast))
    (sent,) = mail.outbox
    assert sent.subject == f"{cast.club.name}: składka"
    assert sent.body.startswith(f"Cześć {jan(cast).given_name}, €12.50")
    assert "{name}" not in sent.body
    assert unsubscribe_token(jan(cast)).split(":")[0] in sent.body, "the way to decline stays, whatever the words"
    browser.post(page("reminder_texts_edit"), {})
    assert not ReminderTemplate.objects.exists()


def test_the_levels_are_worded_apart():
    values = {"name": "Jan", "amount": "1", "reference": "RF", "account": "", "club": "Klub"}
    assert len({render_default_reminder(level, values).text for level in REMINDER_LEVELS}) == len(REMINDER_LEVELS)
    assert all(render_default_reminder(level, values).subject.startswith("Klub: ") for level in REMINDER_LEVELS)
    assert all(render_default_reminder(level, values).text.endswith("Klub") for level in REMINDER_LEVELS), (
        "a letter says whose it is"
    )
    assert all("{amount}" in default_reminder_template(level).text for level in REMINDER_LEVELS)


def test_whom_no_e_mail_reaches_gets_a_letter_on_paper(cast):
    treasurer = cast.browser("treasurer")
    assert treasurer.get(page("print_dues_reminders")).status_code == 404, "nobody owes anything"
    Member.objects.update(email="a@b.example")
    Member.objects.filter(pk=jan(cast).pk).update(email="", guardian_email="", address="ul. Zmyślona 7\nSzachowo")
    owing(jan(cast), 1050), owing(cast.members[0], 2000)
    assert page("print_dues_reminders") in treasurer.get(page("overdue_dues_list")).text
    (letter,) = PdfReader(BytesIO(treasurer.get(page("print_dues_reminders")).content)).pages
    text = letter.extract_text()
    for expected in ("Jan Nikt", "Zmyślona 7", "10.50", jan(cast).accounts.get().payment_reference):
        assert expected in text
    assert PersonalDataAccess.objects.latest("pk").details == {"count": 1, "on": "paper", "dues": True}
    for _press in range(2):
        treasurer.post(page("paper_reminders_mark_delivered"))
    noted = Reminder.objects.get()
    assert (noted.member, noted.level, noted.sent_to, mail.outbox) == (jan(cast), 1, "", [])
    Reminder.objects.update(on=timezone.localdate() - timedelta(days=1))
    levels = {each.member: each.level for each in propose_reminders(cast.club, today=timezone.localdate())}
    assert levels == {jan(cast): 2, cast.members[0]: 1}
