"""A device that knows its player: what it can see and do, and that no public page contains any of it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Member, Role
from pairing.rounds.lifecycle.transitions import publish_round
from tests.factories import draft_of, make_event, make_member, make_user, played, player, published, round_of
from tournaments.check_in.personal_links import event_link_url, personal_link_url, renew_personal_link
from tournaments.entries.enrolment import enter_members
from tournaments.live_updates.board_marks import load_board_version_marks
from tournaments.models import Game
from tournaments.results.player_reporting import report_result
from tournaments.results.recording import enter_result


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Clear the cache: an event of another test may have had the same key."""
    caches["parts"].clear()


@pytest.fixture
def event(club):
    return make_event(club, players=6, players_report_results=True)


@pytest.fixture
def members(club):
    return [make_member(club, f"Figura, Nr{number}", rating=2000 - number) for number in range(4)]


def of_members(club, members, name="Czwartek", **fields):
    event = make_event(club, players_report_results=True, **fields)
    event.name = name
    event.save()
    enter_members(event, members, by=None)
    return event


def address(event, name: str = "my_event_page") -> str:
    return reverse(name, args=[event.club.slug, event.slug])


def entry_of(event, member):
    return event.entries.get(member=member)


def said(event, entry) -> Client:
    """A device on which a player has chosen their name."""
    client = Client()
    assert client.post(address(event), {"entry": entry.pk}).status_code == 302
    return client


def by_link(path: str) -> Client:
    """A device that has opened a link."""
    client = Client()
    assert client.get(path).status_code == 200
    return client


def may_report(client, event) -> bool:
    return 'name="result"' in client.get(address(event)).content.decode()


# -- What it must not open ----------------------------------------------------------------------------------------


def test_a_word_reports_nothing_and_shows_no_report(event):
    game = published(event, 1).games.get(board=1)
    report_result(game.black, game, "1-0", revision=game.revision)
    client = said(event, game.white)
    for path in (address(event), address(event, "my_board")):
        html = client.get(path).content.decode()
        assert game.black.name in html
        assert "reports" not in html
        assert "/p/" not in html
    assert not may_report(client, event)
    holder = by_link(event_link_url(game.white))
    assert "Your opponent reported" in holder.get(address(event, "my_board")).content.decode()
    assert may_report(holder, event)


def test_a_cookie_that_is_not_ours_is_nobodys(event):
    published(event, 1)
    client = said(event, player(event, 1))
    good = client.cookies["me"].value
    assert client.get(address(event, "my_board")).status_code == 200
    for bad in ("", "x", good[:-2], good.replace(":", "", 1), "W10:1:1"):
        client.cookies["me"] = bad
        assert client.get(address(event, "my_board")).status_code == 204


def test_nobody_is_remembered_who_does_not_play(event, club):
    other = make_event(club, players=2)
    client = Client()
    for wrong in (player(other, 1).pk, 0, "x", "9" * 30):
        assert client.post(address(event), {"entry": wrong}).status_code == 422
    assert "me" not in client.cookies


def test_a_forged_form_is_refused(event):
    client = Client(enforce_csrf_checks=True)
    assert client.post(address(event), {"entry": player(event, 1).pk}).status_code == 403
    assert client.post(reverse("my_device_forget")).status_code == 403


def test_an_event_that_is_not_public_opens_by_its_link_alone(club, members):
    hidden, shown = of_members(club, members, is_public=False), of_members(club, members, name="Piątek")
    entry = entry_of(hidden, members[0])
    stranger, word = Client(), said(shown, entry_of(shown, members[0]))
    for path in (address(hidden), address(hidden, "my_board")):
        assert stranger.get(path).status_code == 404
        assert word.get(path).status_code == 404
    assert stranger.post(address(hidden), {"entry": entry.pk}).status_code == 404
    assert by_link(event_link_url(entry)).get(address(hidden)).status_code == 200


def test_the_link_of_one_event_acts_in_no_other_and_a_new_link_ends_it(club, members, secretary):
    first, second = of_members(club, members), of_members(club, members, name="Piątek")
    for each in (first, second):
        published(each, 1)
    entry = entry_of(first, members[0])
    client = by_link(event_link_url(entry))
    assert may_report(client, first)
    assert not may_report(client, second)
    renew_personal_link(entry_of(second, members[0]), by=secretary)
    assert not may_report(client, first)
    assert client.get(event_link_url(entry)).status_code == 404


def test_members_who_refuse_publication_are_not_found_in_other_events(club, members):
    first, second = of_members(club, members), of_members(club, members, name="Piątek")
    published(second, 1)
    Member.objects.filter(pk=members[0].pk).update(
        publication_consent=Member.Consent.REFUSED, publication_consent_on=timezone.localdate()
    )
    client = said(first, entry_of(first, members[0]))
    assert client.get(address(second, "my_board")).status_code == 204
    assert said(first, entry_of(first, members[1])).get(address(second, "my_board")).status_code == 200


def test_pages_for_everyone_have_nothing_of_it(event):
    game = published(event, 1).games.get(board=1)
    clients = Client(), said(event, game.white), by_link(event_link_url(game.white))
    for name, args in (("round", [1]), ("standings", []), ("tournament", [])):
        path = reverse(name, args=[event.club.slug, event.slug, *args])
        answers = [client.get(path) for client in clients]
        texts = {
            re.sub(r'(csrfmiddlewaretoken" value="|csrftoken": "|stream=")[^"]*', r"\1", each.content.decode())
            for each in answers
        }
        assert len(texts) == 1
        assert len({each.headers.get("ETag") for each in answers}) == 1
        assert not any({"me", "knows-me"} & set(each.cookies) for each in answers)


def test_what_is_ones_own_is_kept_by_no_cache(event):
    client = said(event, player(event, 1))
    for path in (address(event), address(event, "my_board"), reverse("my_page")):
        answer = client.get(path)
        assert {"private", "no-store"} <= set(answer.headers["Cache-Control"].split(", "))
        assert "noindex" in answer.headers["X-Robots-Tag"]
    assert client.cookies["me"]["httponly"]
    assert client.cookies["me"]["samesite"] == "Lax"


# -- What it shows -------------------------------------------------------------------------------------------------


def test_said_once_the_board_is_pinned_and_forgotten_in_one_tap(event):
    played(event, 1)
    game = published(event, 2).games.get(board=2)
    client = Client()
    assert client.get(address(event, "my_board")).status_code == 204
    assert game.black.name in client.get(address(event)).content.decode()
    client = said(event, game.black)
    pinned = client.get(address(event, "my_board")).content.decode()
    assert "Round 2, board 2" in pinned
    assert "You have Black" in pinned
    assert f"You have Black against {game.white.name} on board 2." in pinned
    assert 'class="piece black"' in pinned
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    assert "½:½" in client.get(address(event, "my_board")).content.decode().replace(" ", "").replace("–", ":").replace(
        "-", ":"
    )
    answer = client.post(reverse("my_device_forget"))
    assert (answer.status_code, answer.headers["Clear-Site-Data"]) == (302, '"storage"')
    assert client.get(address(event, "my_board")).status_code == 204


def test_a_family_on_one_device(event):
    published(event, 1)
    client = said(event, player(event, 1))
    client.post(address(event), {"entry": player(event, 5).pk})
    html = client.get(address(event, "my_board")).content.decode()
    assert html.index("Nr005") < html.index("Nr001")
    assert (
        "Nr001"
        in client.get(address(event), {"player": player(event, 1).pk}).content.decode().partition("<h1>")[2][:40]
    )
    assert (
        "Nr005"
        in client.get(address(event), {"player": player(event, 2).pk}).content.decode().partition("<h1>")[2][:40]
    )


def test_a_bye_and_what_is_next(club):
    event = make_event(club, players=3)
    played(event, 1)
    second = round_of(event, 2)
    second.starts_at = timezone.now() + timedelta(days=3)
    second.save()
    bye = event.rounds.get(number=1).byes.get()
    html = said(event, bye.entry).get(address(event, "my_board")).content.decode()
    assert "not playing this round" in html
    assert "Next:" in html
    assert "Round 2" in html


def test_a_signed_in_player_sees_no_less_than_by_the_personal_link(club, members):
    event = of_members(club, members)
    published(event, 1)
    user = make_user("gracz", club, Role.MEMBER)
    Member.objects.filter(pk=members[0].pk).update(user=user)
    client = Client()
    client.force_login(user)
    own, linked = client.get(address(event)), Client().get(event_link_url(entry_of(event, members[0])))
    parts = [
        re.findall(
            r'<section|<button[^>]*name="result" value="[^"]*"|<details',
            each.content.decode().partition('id="mine"')[2],
        )
        for each in (own, linked)
    ]
    assert parts[0] == parts[1]
    assert may_report(client, event)
    assert "data-ask" in client.get(reverse("standings", args=[club.slug, event.slug])).content.decode()


def test_after_reporting_a_signed_in_player_is_back_on_their_page(club, members):
    event = of_members(club, members)
    published(event, 1)
    user = make_user("gracz", club, Role.MEMBER)
    Member.objects.filter(pk=members[0].pk).update(user=user)
    client = Client()
    client.force_login(user)
    html = client.get(address(event)).content.decode()
    action = re.search(r'action="(/p/[^"]*/result/)"', html)
    form = html[action.start() :].partition("</form>")[0]
    fields = dict(re.findall(r'name="(round|seen|back)" value="([^"]*)"', form))
    answer = client.post(action[1], fields | {"result": "1-0"})
    assert answer.url == address(event)
    assert entry_of(event, members[0]).claims.get().result == "1-0"


# -- One address for life -----------------------------------------------------------------------------------------


def test_the_address_of_a_person_leads_to_their_current_page(club, members):
    old = of_members(club, members)
    played(old, 1)
    entry = entry_of(old, members[0])
    for_life = personal_link_url(entry)
    client = by_link(for_life)
    assert may_report(client, old) is False
    new = of_members(club, members, name="Piątek")
    game = published(new, 1).games.get(board=1)
    assert personal_link_url(entry_of(new, members[0])) == for_life
    assert "Piątek" in client.get(for_life).content.decode()
    assert client.get(reverse("my_page")).url == address(new)
    assert may_report(client, new)
    of_members(club, members, name="Sobota")
    assert client.get(reverse("my_page")).url == address(new), "the one being played, not the one made last"
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    assert Client().get(reverse("my_page")).status_code == 200


def test_a_wrong_address_of_a_person_opens_nothing(club, members):
    event = of_members(club, members)
    entry = entry_of(event, members[0])
    good = personal_link_url(entry)
    for bad in (good[:-2] + "/", good.replace("/p/m", "/p/"), f"/p/m{members[1].pk}.{good.partition('.')[2]}", "/p/m/"):
        assert Client().get(bad).status_code == 404
    Member.objects.filter(pk=members[0].pk).update(erased_at=timezone.now())
    assert Client().get(good).status_code == 404


# -- Whom news concern --------------------------------------------------------------------------------------------


def test_marks_change_for_the_board_alone(event):
    event = make_event(event.club, players=6, players_report_results=True)  # its rounds' keys differ from their numbers
    this_round = published(event, 1)
    before = load_board_version_marks(event)
    game = this_round.games.get(board=2)
    report_result(game.white, game, "1-0", revision=game.revision)
    reported = load_board_version_marks(event)
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    entered = load_board_version_marks(event)
    boards = [re.findall("...", each.boards) for each in (before, reported, entered)]
    assert len({each[1] for each in boards}) == 3
    assert len({tuple(each[::2]) for each in boards}) == 1
    assert before.rounds == reported.rounds == entered.rounds


def test_drafts_change_no_mark_and_publishing_does(event):
    played(event, 1)
    before = load_board_version_marks(event)
    draft = draft_of(event, 2)
    assert load_board_version_marks(event) == before
    publish_round(draft, by=None, version=draft.version)
    assert load_board_version_marks(event).rounds != before.rounds
    assert load_board_version_marks(event).published == 2


# -- On the home screen, and without a connection --------------------------------------------------------------------


def test_what_a_device_keeps_says_for_whom(event, secretary):
    """Public pages for everyone, personal pages under a mark of their own, and nothing else of a signed-in user."""
    published(event, 1)
    own = [event_link_url(player(event, number)) for number in (1, 2)]
    marks = []
    for path in own:
        client = by_link(path)
        marks.append(client.get(path).headers["Keep-Offline"])
        assert client.get(path).headers["Keep-Offline"] == marks[-1]
    assert len(set(marks)) == 2
    first_of_another = client.get(own[0]).headers["Keep-Offline"]
    assert first_of_another == client.get(own[0]).headers["Keep-Offline"] != marks[-1]
    rounds = reverse("round", args=[event.club.slug, event.slug, 1])
    assert Client().get(rounds).headers["Keep-Offline"] == "all"
    officer = Client()
    officer.force_login(secretary)
    assert "Keep-Offline" not in officer.get(rounds).headers
    assert officer.post(reverse("account_logout")).headers["Clear-Site-Data"] == '"storage"'


# -- Outside the event ---------------------------------------------------------------------------------------------


def test_the_front_page_and_the_clubs_page_lead_to_ones_own_board_and_strangers_see_nobody(event, club, members):
    other = of_members(club, members)
    entry = player(event, 1)
    device = said(event, entry)
    for path in ("/", reverse("club", args=[club.slug])):
        known, stranger = device.get(path), Client().get(path)
        assert f"<strong>{entry.name}</strong>" in known.text
        assert address(event) in known.text
        assert "ETag" not in known.headers
        assert entry.name not in stranger.text
        assert address(event) not in stranger.text
        assert device.get(path, headers={"If-None-Match": stranger.headers["ETag"]}).status_code == 200
    assert address(other) not in device.get("/").text


def test_a_family_answers_on_one_phone_and_only_for_those_whose_links_it_opened(event, club):
    first, second, stranger = (player(event, number) for number in (1, 2, 3))
    event.rounds.filter(number=1).update(starts_at=timezone.now() + timedelta(days=3))
    device = said(event, stranger)
    for entry in (first, second):
        device.get(event_link_url(entry))
    places = {
        "home": "/",
        "club": reverse("club", args=[club.slug]),
        "event": f"{address(event, 'my_board')}?coming",
        "me": f"{address(event)}?player={first.pk}",
    }
    for back, path in places.items():
        page = device.get(path).text
        forms = re.findall(r'action="(/p/[^"]*/bye/)"', page)
        assert set(forms) == {f"{event_link_url(entry)}bye/" for entry in (first, second)}, path
        assert re.findall(r'name="back" value="([^"]*)"', page).count(back) >= 2 or back == "me"
    answer = device.post(f"{event_link_url(second)}bye/", {"round": 1, "answer": "away", "back": "club"})
    assert answer.url == places["club"]
    assert "You get ½ point (your first bye of 2)." in device.get(places["club"]).text
    sent = {"round": 1, "answer": "coming", "back": "me", "player": first.pk}
    assert device.post(f"{event_link_url(second)}bye/", sent).url == f"{places['me']}&settled=1"
    assert list(event.rounds.get(number=1).check_ins.values_list("entry", "is_coming")) == [(second.pk, True)]
    assert not re.search(r'action="/p/', Client().get(places["club"]).text)


def test_after_the_game_nothing_says_that_one_has_a_colour(event):
    game = published(event, 1).games.get(board=1)
    device = said(event, game.white)
    pages = (address(event), address(event, "my_board"))
    assert all("You have White" in device.get(path).text for path in pages)
    enter_result(game, "1-0", revision=game.revision, by=None)
    for path in pages:
        before_why = device.get(path).text.partition('<details class="why">')[0]
        assert "You have White" not in before_why
        assert "White" in before_why


def test_notifications_are_offered_only_where_one_can_be_sent(event, settings, monkeypatch):
    device = by_link(event_link_url(player(event, 1)))
    monkeypatch.setattr("tournaments.notifications.preferences.is_push_available", lambda: False)
    settings.EMAIL_HOST = ""
    assert "/messages/" not in device.get(address(event)).text
    settings.EMAIL_HOST = "mail.example.org"
    assert "/messages/" in device.get(address(event)).text


# -- Several players on one device ----------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_card_of_a_familys_second_member_opens_their_own_page(order, club, members):
    event = of_members(club, members)
    client = said(event, entry_of(event, members[order[0]]))
    client.post(address(event), {"entry": entry_of(event, members[order[1]]).pk})
    for where in (reverse("club", args=[club.slug]), reverse("home")):
        text = client.get(where).text
        (link,) = re.findall(rf'href="({re.escape(address(event))}[^"]*)"', text)
        shown = next(each for each in members[:2] if each.name in text)
        assert f"<h1>{shown.name}</h1>" in client.get(link).text
