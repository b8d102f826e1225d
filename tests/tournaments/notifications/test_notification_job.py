"""Players get each notification that concerns them once, in their language, and no others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from common.models import Job
from pairing.rounds.lifecycle.transitions import publish_round, unpublish_round
from pairing.rounds.proposals.proposal_actions import adopt_proposal, propose_pairing
from tests.factories import draft_of, make_event, make_member, player, published, round_of
from tests.tournaments.notifications.people import SITE, by_letter, entry_of, letters_to, look_again
from tournaments.check_in.byes import sign_up_as_player
from tournaments.check_in.personal_links import event_link_token, renew_personal_link
from tournaments.entries.enrolment import enter_members
from tournaments.models import Bye, CheckIn, Game, Notification, NotificationChannel
from tournaments.notifications.notification_job import NOTIFY_TASK, has_notifications_to_send
from tournaments.notifications.preferences import PREFERENCE_FIELDS, add_push_device
from tournaments.notifications.tokens import channel_url, evening_answer_url
from tournaments.results.player_reporting import report_result
from tournaments.results.recording import correct_result, enter_result, finish_round

# -- What is not told ----------------------------------------------------------------------------------------------


def test_nobody_is_notified_without_asking_and_no_job_is_made(event):
    published(event, 1)
    assert (mail.outbox, Notification.objects.count(), Job.objects.filter(task=NOTIFY_TASK).count()) == ([], 0, 0)


def test_a_draft_a_finished_round_and_other_kinds_send_nothing(event):
    by_letter(entry_of(event, 1), "results", "evenings")
    draft_of(event, 1)
    assert not Notification.objects.exists()
    shown = publish_round(round_of(event, 1), by=None, version=round_of(event, 1).version)
    for game in shown.games.all():
        enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    finish_round(shown, by=None)
    assert not Notification.objects.exists()


def test_without_a_mail_server_nothing_piles_up(event, settings):
    settings.EMAIL_HOST = ""
    by_letter(entry_of(event, 1))
    published(event, 1)
    assert (mail.outbox, Notification.objects.count()) == ([], 0)


def test_a_new_link_ends_devices(event, secretary, push_service):
    entry = entry_of(event, 1)
    add_push_device(entry, push_service.device(), PREFERENCE_FIELDS, site=SITE)
    renew_personal_link(entry, by=secretary)
    published(event, 1)
    assert push_service.shown() == []


# -- Pairings --------------------------------------------------------------------------------------------------------


def test_a_published_pairing_is_sent_once_with_board_colour_and_opponent(event):
    entry = entry_of(event, 1)
    by_letter(entry)
    shown = published(event, 1)
    game = shown.games.filter(white=entry).first() or shown.games.get(black=entry)
    other, colour = (game.black, "White") if game.white_id == entry.pk else (game.white, "Black")
    publish_round(shown, by=None, version=shown.version)
    look_again()
    (letter,) = mail.outbox
    assert f"You have {colour} against {other.name} on board {game.board}." in letter.body
    assert letter.to == ["nr1@poczta.example"]
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    way = NotificationChannel.objects.get()
    assert (
        letter.extra_headers["List-Unsubscribe"]
        == f"<{SITE.rstrip('/')}{channel_url(way, 'notification_channel_stop')}>"
    )
    assert f"{SITE}p/m{entry.member_id}." in letter.body


def test_a_pairing_published_again_unchanged_notifies_those_who_heard_of_it(event):
    by_letter(entry_of(event, 1))
    shown = published(event, 1)
    taken = unpublish_round(shown, by=None, reason="wrong list")
    look_again()
    assert "no longer apply" in letters_to(1)[-1]
    publish_round(taken, by=None, version=taken.version)
    look_again()
    assert len(letters_to(1)) == 3
    assert "Your pairing has changed. Round 1 is published" in letters_to(1)[-1]


def test_a_pairing_withdrawn_before_it_was_sent_is_one_message(event, settings):
    """In the pause between two emails: only the final state is sent, and nothing that was sent already."""
    by_letter(entry_of(event, 1))
    shown = published(event, 1)
    assert len(mail.outbox) == 1
    taken = unpublish_round(shown, by=None, reason="wrong list")
    publish_round(taken, by=None, version=taken.version)
    assert len(mail.outbox) == 1
    look_again()
    assert len(mail.outbox) == 1
    assert set(Notification.objects.values_list("state", flat=True)) == {"sent", "dropped"}


def test_a_replaced_pairing_notifies_those_it_changes(club, secretary):
    event = make_event(club)
    enter_members(
        event,
        [make_member(club, f"Figura, Nr{n}", rating=2000 - n, email=f"nr{n}@poczta.example") for n in range(7)],
        by=None,
    )
    for number in range(7):
        by_letter(entry_of(event, number))
    shown = published(event, 1)
    before = {number: len(letters_to(number)) for number in range(7)}
    boards = {frozenset((game.white_id, game.black_id)): (game.board, game.white_id) for game in shown.games.all()}
    away = shown.byes.get().entry
    proposal = propose_pairing(shown.pk, absent=[away.pk], present=[], by=secretary)
    adopt_proposal(proposal, by=secretary, reason="ill")
    look_again()
    after = {
        frozenset((game.white_id, game.black_id)): (game.board, game.white_id)
        for game in round_of(event, 1).games.all()
    }
    same = {key for pair in boards.keys() & after.keys() if boards[pair] == after[pair] for key in pair}
    assert same
    for number in range(7):
        entry = entry_of(event, number)
        told = len(letters_to(number)) - before[number]
        assert told == (0 if entry.pk in same else 1), entry.name


def test_a_guest_is_notified_only_at_a_confirmed_address(club):
    event = make_event(club, players=4)
    guest = player(event, 1)
    client, path = Client(), reverse("personal_notifications", args=[event_link_token(guest)])
    assert client.post(path, {"email": "not an address", "pairings": "on"}).status_code == 422
    assert client.post(path, {"pairings": "on"}).status_code == 422
    client.post(path, {"email": "gosc@poczta.example", "pairings": "on"})
    (letter,) = mail.outbox
    assert letter.to == ["gosc@poczta.example"]
    published(event, 1)
    assert len(mail.outbox) == 1
    address = letter.body.split()[-1]
    client.get(address)
    assert NotificationChannel.objects.get().confirmed_at is None
    client.post(address)
    unpublish_round(round_of(event, 1), by=None, reason="x")
    shown = round_of(event, 1)
    publish_round(shown, by=None, version=shown.version)
    assert [each.to for each in mail.outbox[1:]] == [["gosc@poczta.example"]]


# -- Results ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def game(event) -> Game:
    for number in range(4):
        by_letter(entry_of(event, number), "results")
    return published(event, 1).games.select_related("white", "black").get(board=1)


def of_board(game: Game) -> list[list[str]]:
    return [letters_to(int(each.name[-1])) for each in (game.white, game.black)]


def test_a_dispute_notifies_both_players_once(game):
    report_result(game.white, game, "1-0", revision=game.revision)
    assert mail.outbox == []
    report_result(game.black, game, "0-1", revision=game.revision)
    report_result(game.black, game, "0-1", revision=game.revision)
    assert [len(each) for each in of_board(game)] == [1, 1]
    assert len(mail.outbox) == 2
    assert "You reported a win, but so did your opponent." in of_board(game)[0][0]


def test_an_overruled_report_sends_the_arbiters_reason(game, arbiter):
    report_result(game.white, game, "1-0", revision=game.revision)
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=arbiter, reason="both score sheets")
    assert [len(each) for each in of_board(game)] == [1, 0]
    assert "The arbiter has set the result of your game: a draw. Reason: both score sheets" in of_board(game)[0][0]


def test_a_confirmed_result_notifies_nobody(game):
    report_result(game.white, game, "1-0", revision=game.revision)
    report_result(game.black, game, "1-0", revision=game.revision)
    assert mail.outbox == []


def test_a_changed_or_corrected_result_notifies_both_players(game, arbiter, event):
    for each in round_of(event, 1).games.all():
        enter_result(each, Game.Result.WHITE_WINS, revision=each.revision, by=arbiter)
    assert mail.outbox == []
    game.refresh_from_db()
    enter_result(game, Game.Result.BLACK_WINS, revision=game.revision, by=arbiter)
    assert [len(each) for each in of_board(game)] == [1, 1]
    finish_round(round_of(event, 1), by=arbiter)
    game.refresh_from_db()
    correct_result(game, Game.Result.DRAW, revision=game.revision, by=arbiter, reason="read again")
    look_again()
    assert "a draw. Reason: read again" in of_board(game)[1][-1]
    assert len(mail.outbox) == 4


# -- Evenings --------------------------------------------------------------------------------------------------------


@pytest.fixture
def evening(event):
    event.rounds.filter(number=1).update(starts_at=timezone.now() + timedelta(hours=20))
    by_letter(entry_of(event, 1), "evenings")
    return round_of(event, 1)


def test_players_are_reminded_once_and_decline_with_one_tap(event, evening):
    look_again()
    look_again()
    (letter,) = mail.outbox
    message = Notification.objects.get()
    address = evening_answer_url(message)
    assert address in letter.body
    client = Client(enforce_csrf_checks=True)
    assert "you get ½ point (your first bye of 2)." in client.get(address).text
    assert not Bye.objects.exists()
    assert client.post(address).status_code == 200
    assert Bye.objects.get().entry == entry_of(event, 1)
    client.post(f"{address}?answer=coming")
    assert CheckIn.objects.get().is_coming
    assert not Bye.objects.exists()
    assert client.post(f"/told/n{message.pk}.AAAAAAAAAAAAAAAA/cannot/").status_code == 404
    assert not has_notifications_to_send()


def test_a_reminders_link_ends_with_the_players_link(event, evening, client):
    """Somebody else may have the whole email."""
    look_again()
    address = evening_answer_url(Notification.objects.get())
    renew_personal_link(entry_of(event, 1), by=None)
    assert client.get(address).status_code == client.post(address).status_code == 404
    assert not Bye.objects.exists()
    assert client.get(evening_answer_url(Notification.objects.get())).status_code == 200


def test_nobody_is_reminded_of_an_evening_far_off_over_or_not_theirs(event, evening):
    for hours in (-1, 1, 60):
        event.rounds.filter(number=1).update(starts_at=timezone.now() + timedelta(hours=hours))
        assert not has_notifications_to_send()
    event.rounds.filter(number=1).update(starts_at=timezone.now() + timedelta(hours=20))
    Bye.objects.create(round=evening, entry=entry_of(event, 1), kind="Z")
    assert not has_notifications_to_send()


def test_with_a_deadline_for_byes_one_is_reminded_before_it(event, evening):
    event.rounds.filter(number=1).update(starts_at=timezone.now() + timedelta(hours=60))
    event.bye_deadline_hours = 48
    event.save()
    look_again()
    assert len(mail.outbox) == 1


def test_the_arbiter_reminds_players_without_an_answer_once_a_day(event, evening, secretary):
    by_letter(entry_of(event, 2), "evenings")
    sign_up_as_player(entry_of(event, 2), evening)
    browser = Client()
    browser.force_login(secretary)
    address = reverse("silent_players_remind", args=[event.club.slug, event.slug, 1])
    for _ in range(2):
        page = browser.post(address, follow=True).text
    assert "1 player gets a reminder today." in page
    assert entry_of(event, 3).name in page.partition("ask them yourself")[2].partition("<")[0]
    asked = Notification.objects.get(facts__asked=True)
    assert asked.entry == entry_of(event, 1)
    (letter,) = [each for each in mail.outbox if "Are you coming?" in each.body]
    assert evening_answer_url(asked) in letter.body
    assert Client().post(address).status_code == 401
    assert Notification.objects.filter(facts__asked=True).count() == 1
