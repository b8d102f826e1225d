"""Notifications are sent once, whatever fails; one click stops them, and they are erased with the person."""

from __future__ import annotations

import smtplib
from datetime import timedelta

import pytest
from django.conf import settings as configured
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Member
from pairing.rounds.lifecycle.transitions import unpublish_round
from tests.factories import make_member, published
from tests.tournaments.notifications.people import SITE, by_letter, entry_of, letters_to, look_again
from tournaments.check_in.personal_links import event_link_token
from tournaments.entries.enrolment import enter_members
from tournaments.models import Notification, NotificationChannel
from tournaments.notifications import delivery
from tournaments.notifications.preferences import add_push_device
from tournaments.notifications.tokens import channel_url
from tournaments.privacy.personal_data import collect_personal_data, erase_person
from tournaments.problems import ArbiterProblem


def refuse(_server: object) -> None:
    raise ConnectionRefusedError("no")


# -- Faults ------------------------------------------------------------------------------------------------------------


def test_while_the_mail_server_is_down_letters_wait_and_go_once(event, monkeypatch):
    for number in range(4):
        by_letter(entry_of(event, number))
    with monkeypatch.context() as down:
        down.setattr(delivery.MailServerConnection, "open_connection", refuse)
        published(event, 1)
        look_again()
    assert mail.outbox == []
    assert set(Notification.objects.values_list("state", "attempts")) == {("waiting", 2)}
    assert "ConnectionRefusedError" in Notification.objects.first().error
    look_again()
    look_again()
    assert [len(letters_to(number)) for number in range(4)] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("error", "state", "letters"),
    [
        (smtplib.SMTPDataError(451, b"later"), "sent", 1),
        (smtplib.SMTPDataError(550, b"no such box"), "failed", 0),
        (smtplib.SMTPServerDisconnected("gone"), "handed", 0),
    ],
)
def test_what_becomes_of_a_letter_whose_end_was_on_its_way(event, monkeypatch, error, state, letters):
    """Refused temporarily: again. Refused: never. Response lost: never twice."""

    def send_and_break(self, letter, hand_over):
        hand_over()
        raise error

    by_letter(entry_of(event, 1))
    with monkeypatch.context() as breaking:
        breaking.setattr(delivery.MailServerConnection, "send_email", send_and_break)
        published(event, 1)
    look_again()
    assert (Notification.objects.get().state, len(mail.outbox)) == (state, letters)


def test_whoever_stood_still_sends_nothing_once_another_is_at_it(event, monkeypatch):
    send_letter = delivery.MailServerConnection.send_email

    def slow(self, letter, hand_over):
        Notification.objects.update(claim="another")
        return send_letter(self, letter, hand_over)

    by_letter(entry_of(event, 1))
    monkeypatch.setattr(delivery.MailServerConnection, "send_email", slow)
    published(event, 1)
    assert mail.outbox == []
    assert Notification.objects.get().claim == "another"


def test_what_is_too_old_is_given_up_and_forgotten_later(event, monkeypatch):
    by_letter(entry_of(event, 1))
    with monkeypatch.context() as waiting:
        waiting.setattr(delivery, "is_email_configured", lambda: False)
        published(event, 1)
    Notification.objects.update(give_up_at=timezone.now() - timedelta(seconds=1))
    look_again()
    assert (mail.outbox, Notification.objects.get().state) == ([], "failed")
    Notification.objects.update(made_at=timezone.now() - timedelta(days=31))
    look_again()
    assert not Notification.objects.exists()


def test_more_than_some_an_hour_wait(event, monkeypatch):
    monkeypatch.setattr(delivery, "MAX_PER_HOUR", 1)
    by_letter(entry_of(event, 1))
    shown = published(event, 1)
    unpublish_round(shown, by=None, reason="x")
    look_again()
    assert len(mail.outbox) == 1
    Notification.objects.filter(state="sent").update(sent_at=timezone.now() - timedelta(hours=2))
    look_again()
    assert len(mail.outbox) == 2


# -- Stopping, and what is kept ----------------------------------------------------------------------------------------


def test_the_mail_programs_own_button_unsubscribes(event):
    way = by_letter(entry_of(event, 1))
    program = Client(enforce_csrf_checks=True)
    stop = channel_url(way, "notification_channel_stop")
    assert program.get(stop).status_code == 200
    assert NotificationChannel.objects.get().pairings
    assert program.post(stop, {"List-Unsubscribe": "One-Click"}).status_code == 200
    published(event, 1)
    assert mail.outbox == []
    for wrong in ("w1.AAAAAAAAAAAAAAAA", f"w{way.pk}", "w", "x1.y", f"n{way.pk}.{stop.split('.')[-1][:-6]}"):
        assert program.post(f"/told/{wrong}/stop/").status_code == 404


def test_stopped_while_a_letter_waits_it_does_not_go(event, monkeypatch):
    way = by_letter(entry_of(event, 1))
    with monkeypatch.context() as waiting:
        waiting.setattr(delivery, "is_email_configured", lambda: False)
        published(event, 1)
    Client().post(channel_url(way, "notification_channel_edit"), {"results": "on"})
    look_again()
    assert (mail.outbox, Notification.objects.get().state) == ([], "dropped")


def test_it_is_in_ones_own_file_and_erased_with_the_person(event, push_service, secretary):
    entry = entry_of(event, 1)
    by_letter(entry)
    add_push_device(entry, push_service.device(), ["pairings"], site=SITE)
    published(event, 1)
    data = collect_personal_data(entry.member)
    assert [each["by"] for each in data["told_by"]] == ["mail", "push"]
    assert len(data["events"][0]["told"]) == 2
    event.rounds.all().update(state="finished")
    erase_person(Member.objects.get(pk=entry.member_id), in_results=True, by=secretary)
    assert (NotificationChannel.objects.count(), Notification.objects.count()) == (0, 0)


# -- Links for all -----------------------------------------------------------------------------------------------------


def test_links_go_to_all_who_have_an_address_once_a_day(event, arbiter, club):
    enter_members(event, [make_member(club, "Bez, Adresu")], by=None)
    Member.objects.filter(family_name="Figura", given_name="Nr3").update(email="")
    by_letter(entry_of(event, 2))
    stopped = NotificationChannel.objects.get()
    stopped.links = False
    stopped.save()
    client = Client()
    client.force_login(arbiter)
    path = reverse("link_distribution", args=[club.slug, event.slug])
    text = client.get(path).text
    assert "Send links to 2 of 5 players" in text
    assert f"/p/m{entry_of(event, 3).member_id}." in text
    client.post(path)
    client.post(path)
    assert sorted(each.to[0] for each in mail.outbox) == ["nr0@poczta.example", "nr1@poczta.example"]
    assert f"/p/m{entry_of(event, 0).member_id}." in letters_to(0)[0]


def test_what_kept_the_links_from_going_is_said_where_they_were_asked_for(event, arbiter, club, monkeypatch):
    def cannot(_job: object) -> None:
        raise ArbiterProblem("The ink is dry.")

    monkeypatch.setattr("tournaments.tasks.notification_job.notify_players", cannot)
    client = Client()
    client.force_login(arbiter)
    page = client.post(reverse("link_distribution", args=[club.slug, event.slug]), follow=True)
    assert page.redirect_chain[-1][0] == reverse("link_distribution", args=[club.slug, event.slug])
    assert "The ink is dry." in page.text
    assert "The links are being sent" not in page.text


def test_where_nothing_is_set_up_the_secretary_is_told_so(event, arbiter, club, settings):
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "", "clubnight@localhost"
    client = Client()
    client.force_login(arbiter)
    text = client.get(reverse("link_distribution", args=[club.slug, event.slug])).text
    assert "CLUBNIGHT_MAIL" in text
    assert "CLUBNIGHT_MAIL_FROM" in text
    settings.PUSH_KEY_FILE = configured.BASE_DIR / "manage.py" / "no-folder"
    assert "CLUBNIGHT_PUSH_KEY" in client.get(reverse("link_distribution", args=[club.slug, event.slug])).text
    own = Client().get(reverse("personal_notifications", args=[event_link_token(entry_of(event, 1))])).text
    assert "By email" not in own
    assert "This server can't send notifications yet." in own
