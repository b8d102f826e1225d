"""The API: public data only, the same for everyone, sent again only after a change."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Member
from pairing.pages.standings.prize_giving import EVERYONE, PrizesOfList, prize_sheet, publish_prizes, set_prizes
from pairing.public.api import view_decorator
from tests.factories import draft_of, make_event, make_member, played, published
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast
from tournaments.audit_log.actions import officer_only_actions
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.models import Game, LogEntry, PrizeFund, Round
from tournaments.results.recording import enter_result

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def make_rows() -> Cast:
    """An event with one round finished and one published."""
    cache.clear()
    cast = make_cast()
    played(cast.event, 1)
    published(cast.event, 2)
    return cast


made_once, cast = make_module_fixtures(make_rows)


def places(cast: Cast, name: str, *more: int) -> str:
    return reverse(f"api_{name}", args=[cast.club.slug, cast.event.slug, *more])


def asked(address: str, browser: Client | None = None, **more: Any) -> Any:
    answer = (browser or Client()).get(address, **more)
    assert answer.status_code == 200, answer.content
    return answer.json()


def of_event(cast: Cast) -> list[str]:
    return [
        places(cast, "event"),
        places(cast, "players"),
        places(cast, "player", 1),
        places(cast, "round", 1),
        places(cast, "standings"),
        places(cast, "workings", 1, 1),
        places(cast, "crosstable"),
    ]


# -- What is not told -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["visitor", "member", "secretary"])
def test_a_private_event_notifies_nobody(cast, who):
    """Not for its own people either: a cached answer may reach others."""
    cast.event.is_public = False
    cast.event.save()
    browser = cast.browser(who)
    assert [browser.get(address).status_code for address in of_event(cast)] == [404] * 7
    assert asked(reverse("api_events", args=[cast.club.slug]), browser)["rows"] == []
    assert asked(reverse("api_calendar", args=[cast.club.slug]), browser)["rows"] == []


@pytest.mark.parametrize("who", ["visitor", "secretary"])
def test_a_draft_notifies_nobody(cast, who):
    draft = cast.event.rounds.get(number=2)
    Round.objects.filter(pk=draft.pk).update(state=Round.State.DRAFT, published_at=timezone.now())
    browser = cast.browser(who)
    assert browser.get(places(cast, "round", 2)).status_code == 404
    assert browser.get(places(cast, "standings"), {"after": 2}).status_code == 404
    assert browser.get(places(cast, "workings", 2, 1)).status_code == 404
    told = asked(places(cast, "event"), browser)
    assert told["rounds"][1] | {"starts_at": None} == {
        "number": 2,
        "state": "to_come",
        "is_provisional": False,
        "starts_at": None,
        "published_at": None,
        "round": None,
    }
    assert len(asked(places(cast, "player", 1), browser)["rounds"]) == 1


def test_notifications_have_no_more_data_than_the_starting_list(cast):
    """Members who refused publication have initials already: names are those of the entry."""
    first = cast.event.entries.get(tpn=1)
    first.name, first.birth, first.fide_id, first.remark = "D., E.", "1987-06-05", "99887766", "owes two pints"
    first.save()
    whole = json.dumps([asked(address) for address in of_event(cast)])
    assert "D., E." in whole
    assert "Domys" not in whole
    for secret in ("1987", "99887766", "pints", '"birth', '"member', '"email'):
        assert secret not in whole


def test_fide_ids_are_of_events_that_fide_rates_and_of_players_who_did_not_refuse(cast):
    one, other = cast.event.entries.get(tpn=1), cast.event.entries.get(tpn=2)
    one.fide_id, other.fide_id = "99887766", "99887755"
    other.member = make_member(
        cast.club, "Nikt, Jan", publication_consent=Member.Consent.REFUSED, publication_consent_on="2026-01-01"
    )
    one.save(), other.save()
    assert {each["fide_id"] for each in asked(places(cast, "players"))["rows"]} == {""}
    cast.event.fide_rated = True
    cast.event.save()
    told = asked(places(cast, "players"))["rows"]
    assert {each["number"]: each["fide_id"] for each in told if each["fide_id"]} == {1: "99887766"}
    assert [asked(places(cast, "player", number))["fide_id"] for number in (1, 2)] == ["99887766", ""]


def test_prizes_are_told_once_everyone_may_see_them(cast):
    assert Client().get(places(cast, "prizes")).status_code == 404
    assert asked(places(cast, "event"))["prizes"] is None
    lists = [PrizesOfList(category=EVERYONE, prizes=(5000, 2000), things=("", "a book"))]
    set_prizes(cast.event, lists, sharing=PrizeFund.PrizeSharing.PLACE, one_prize_each=True, by=None)
    assert cast.browser("secretary").get(places(cast, "prizes")).status_code == 404
    publish_prizes(cast.event, publish=True, by=None)
    told = asked(asked(places(cast, "event"))["prizes"])
    assert (told["currency"], told["is_final"]) == (cast.club.currency, False)
    (everyone,) = told["lists"]
    table = prize_sheet(cast.event).lists[0].lines
    assert [(each["number"], each["amount"], each["in_kind"]) for each in everyone["prizes"]] == [
        (line.player.tpn, f"{line.amount.cents / 100:.2f}", line.amount.in_kind) for line in table
    ]
    assert {each["amount"] for each in everyone["prizes"]} <= {"50.00", "20.00", "35.00"}


@pytest.mark.parametrize(
    ("address", "query", "status"),
    [
        ("players", {"page": "0"}, 422),
        ("players", {"page_size": "201"}, 422),
        ("players", {"page": "x"}, 422),
        ("standings", {"after": "x"}, 422),
        ("standings", {"language": "\0"}, 400),
        ("standings", {"after": "3"}, 404),
        ("standings", {"after": "-1"}, 404),
        ("standings", {"after": "9" * 40}, 404),
        ("crosstable", {"after": "3"}, 404),
    ],
)
def test_what_cannot_be_asked_for_is_refused_with_a_reason(cast, address, query, status):
    answer = Client().get(places(cast, address), query)
    assert answer.status_code == status
    assert answer.json()["detail"].startswith(f"{next(iter(query))}: " if status == 422 else ""), (
        "what was not understood"
    )
    assert answer.json()["detail"]
    assert "ETag" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/nothing/",
        "/api/v2/clubs/",
        "/api/v1/clubs/none/",
        "/api/v1/clubs/a/b/rounds/1/",
        "/api/v1/clubs/a%0Ab/c/",
    ],
)
def test_other_addresses_answer_as_json_too(cast, path):
    answer = Client().get(path)
    assert (answer.status_code, answer.json()) == (404, {"detail": "Not Found"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize(("address", "status"), [("/api/v1/", 405), ("/api/v1/clubs/", 405), ("/api/v1/nothing/", 404)])
def test_nothing_can_be_sent(method, address, status):
    """A program has no token against forged requests, and is told the same."""
    answer = getattr(Client(enforce_csrf_checks=True), method)(address, {"name": "x"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/json")
    assert set(answer.json()) == {"detail"}
    assert answer.headers.get("Allow", "") == ("GET, HEAD, OPTIONS" if status == 405 else "")


def test_whoever_asks_too_often_waits(cast, monkeypatch):
    monkeypatch.setattr(view_decorator, "MAX_REQUESTS_PER_MINUTE", 2)
    browser = Client()
    answers = [browser.get(reverse("api_clubs")) for _each in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert answers[-1].headers["Retry-After"] == "60"
    assert answers[-1].headers["Cache-Control"] == "no-store"
    assert answers[-1].json() == {"detail": "Too many requests."}
    assert Client(REMOTE_ADDR="198.51.100.7").get(reverse("api_clubs")).status_code == 200


# -- What is --------------------------------------------------------------------------------------------------------


def test_from_the_root_to_every_answer(cast):
    """Every URL appears in an earlier answer."""
    root = asked("/api/v1/")
    (club,) = [each for each in asked(root["clubs"])["rows"] if each["slug"] == cast.club.slug]
    (line,) = asked(club["events"])["rows"]
    event = asked(line["event"])
    assert (event["name"], event["progress"], event["rounds_published"]) == (cast.event.name, "running", 2)
    assert [each["state"] for each in event["rounds"][:3]] == ["finished", "published", "to_come"]
    players = asked(event["players"])
    assert players["count"] == cast.event.entries.count()
    this_round = asked(event["rounds"][0]["round"], data={"reasons": "true"})
    table = asked(event["standings"])
    assert table["after_round"] == 2
    values = asked(table["rows"][0]["workings"])
    assert [each["code"] for each in values] == [each["code"] for each in table["columns"][1:]]
    assert [each["value"] for each in values] == table["rows"][0]["values"][1:]
    assert this_round["boards"][0]["reasons"][0]["article"]
    assert Client().get(event["page"]).status_code == 200


def test_boards_are_those_of_the_page(cast):
    told = asked(places(cast, "round", 1))
    rows = Game.objects.filter(round__tournament=cast.event, round__number=1).order_by("board")
    assert [(each["white"]["name"], each["black"]["name"], each["result"]) for each in told["boards"]] == [
        (game.white.name, game.black.name, game.result) for game in rows
    ]
    assert told["boards"][0]["reasons"] == []


def test_pages_of_a_list_hold_everybody_once(cast):
    address, seen = f"{places(cast, 'players')}?page_size=2", []
    while address:
        told = asked(address)
        seen += [each["number"] for each in told["rows"]]
        address = told["next"]
    assert seen == list(range(1, cast.event.entries.count() + 1))


def test_pages_of_a_round_hold_every_board_once_and_its_byes_at_the_end(cast):
    enter_pasted_list(cast.event, "Później, Ewa; 1500", by=None)  # too late for round 2: no game there
    address, boards, byes = f"{places(cast, 'round', 2)}?page_size=1", [], []
    while address:
        told = asked(address)
        boards += [each["board"] for each in told["boards"]]
        byes.append(len(told["byes"]))
        address = told["next"]
    assert boards == list(range(1, cast.round(2).games.count() + 1))
    assert byes == [0] * (len(boards) - 1) + [1]


def test_a_player_is_identified_by_number(cast):
    told = asked(places(cast, "player", 2))
    assert (told["number"], told["name"]) == (2, cast.event.entries.get(tpn=2).name)


def test_a_table_that_cannot_be_made_is_not_there_and_why(cast):
    cast.event.tie_breaks = ["NONE"]
    cast.event.save()
    answer = Client().get(places(cast, "standings"))
    assert (answer.status_code, answer.json()) == (404, {"detail": "Clubnight doesn't know the tie-break NONE."})


def test_a_crosstable_names_opponents_by_their_lines(cast):
    table, cross = asked(places(cast, "standings")), asked(places(cast, "crosstable"))
    assert [each["number"] for each in cross["rows"]] == [each["number"] for each in table["rows"]]
    assert [each["line"] for each in cross["rows"]] == list(range(1, len(cross["rows"]) + 1))
    by_line = {each["line"]: each["number"] for each in cross["rows"]}
    cells = [cell for each in cross["rows"] for cell in each["rounds"] if cell["opponent"]]
    assert cells
    assert all(by_line[cell["opponent_line"]] == cell["opponent"] for cell in cells)
    second = asked(places(cast, "crosstable"), data={"page": "2", "page_size": "1"})
    assert second["rows"] == cross["rows"][1:2], "lines are those of the whole table"


def test_the_calendar_has_the_evenings_of_public_events(cast, club):
    address = asked(reverse("api_club", args=[club.slug]))["calendar"]
    day = date(2026, 12, 4)
    make_event(club, city="Open", starts_on=day, ends_on=day)
    make_event(club, city="Secret", starts_on=day, is_public=False)
    evening = make_event(club, city="Winter")
    at = timezone.make_aware(datetime(2026, 12, 3, 18, 30))
    evening.rounds.filter(number=2).update(starts_at=at)
    rows = asked(address)["rows"]
    assert [(each["place"], each["round"], each["first_day"]) for each in rows] == [
        ("Winter", 2, None),
        ("Open", None, "2026-12-04"),
    ]
    assert datetime.fromisoformat(rows[0]["starts_at"]) == at
    assert asked(rows[0]["event"])["city"] == "Winter"


def test_events_changed_since_a_time(cast):
    address = reverse("api_events", args=[cast.club.slug])
    (line,) = asked(address)["rows"]
    assert asked(line["event"])["changed_at"] == line["changed_at"]
    last = datetime.fromisoformat(line["changed_at"])
    assert [each["slug"] for each in asked(address, data={"changed_since": last.isoformat()})["rows"]] == [line["slug"]]
    later = (last + timedelta(seconds=1)).isoformat()
    assert asked(address, data={"changed_since": later})["rows"] == []
    for long_ago in ("0001-01-01T00:00:00+14:00", "1900-01-01T00:00:00Z"):
        assert asked(address, data={"changed_since": long_ago})["count"] == 1
    assert asked(address, data={"changed_since": "9999-12-31T23:59:59-14:00"})["count"] == 0
    for wrong in ("yesterday", "2026-11-20T18:00:00", "1e30"):
        assert Client().get(address, {"changed_since": wrong}).status_code == 422


def test_what_only_officers_see_is_no_change(cast):
    before = asked(places(cast, "event"))["changed_at"]
    hidden = officer_only_actions()[0]
    LogEntry.objects.create(tournament=cast.event, action=hidden, at=timezone.now() + timedelta(hours=1))
    assert asked(places(cast, "event"))["changed_at"] == before


def test_a_bye_has_its_reasons(club):
    event = make_event(club, players=5)
    published(event, 1)
    (bye,) = asked(reverse("api_round", args=[club.slug, event.slug, 1]), data={"reasons": "true"})["byes"]
    why = bye["reasons"][0]
    assert (why["kind"], why["players"]) == ("bye", [bye["player"]["number"]])
    assert bye["player"]["name"] in why["text"]


def test_a_table_leads_to_workings_once_there_is_something_to_work_out(cast, club):
    rows = asked(places(cast, "standings"))["rows"]
    assert all(each["workings"] for each in rows)
    assert Client().get(places(cast, "workings", 1, len(rows) + 1)).status_code == 404
    event = make_event(club, players=4)
    draft_of(event, 1)
    told = asked(reverse("api_standings", args=[club.slug, event.slug]))
    assert [each["number"] for each in told["rows"]] == [1, 2, 3, 4]
    assert [each["workings"] for each in told["rows"]] == [None] * 4, "no round is published yet"


def test_sentences_are_in_the_language_asked_for_whatever_the_browser_wishes(cast):
    address = places(cast, "round", 1)
    polish = asked(address, data={"reasons": "true", "language": "pl"}, HTTP_ACCEPT_LANGUAGE="de")
    english = asked(address, data={"reasons": "true", "language": "xx"}, HTTP_ACCEPT_LANGUAGE="de")
    one, other = (told["boards"][0]["reasons"][0] for told in (polish, english))
    assert one["article"] == other["article"]
    assert one["text"] != other["text"]
    assert Client().get(address, {"language": "pl"}).headers["Content-Language"] == "pl"


def test_everyone_gets_the_same_and_no_cookie(cast):
    for address in [*of_event(cast), reverse("api_clubs"), reverse("api_description")]:
        answers = [cast.browser(who).get(address) for who in ("visitor", "secretary")]
        assert answers[0].content == answers[1].content
        assert not answers[0].cookies
        assert answers[0].headers["Cache-Control"] == "public, no-cache"


# -- Sent again -----------------------------------------------------------------------------------------------------


def test_it_is_made_again_only_after_something_was_done(cast, django_assert_num_queries):
    address = places(cast, "standings")
    first = Client().get(address)
    mark = first.headers["ETag"]
    with django_assert_num_queries(1):
        again = Client().get(address, headers={"If-None-Match": mark})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["Access-Control-Allow-Origin"] == "*"
    game = Game.objects.filter(round__tournament=cast.event, round__number=2).first()
    enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    changed = Client().get(address, headers={"If-None-Match": mark})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != mark
    polish = Client().get(address, {"language": "pl"}, headers={"If-None-Match": changed.headers["ETag"]})
    assert polish.status_code == 200


def test_a_mark_says_nothing_of_an_event_that_is_no_longer_public(cast):
    mark = Client().get(places(cast, "event")).headers["ETag"]
    cast.event.is_public = False
    cast.event.save()
    assert Client().get(places(cast, "event"), headers={"If-None-Match": mark}).status_code == 404


def test_lists_of_clubs_and_events_have_a_mark_of_their_contents(cast):
    address = reverse("api_events", args=[cast.club.slug])
    mark = Client().get(address).headers["ETag"]
    assert Client().get(address, headers={"If-None-Match": mark}).status_code == 304
    make_event(cast.club)
    assert Client().get(address, headers={"If-None-Match": mark}).status_code == 200


def test_pages_of_other_sites_may_ask(cast):
    address = places(cast, "round", 1)
    before = Client().options(
        address, headers={"Origin": "https://club.example", "Access-Control-Request-Method": "GET"}
    )
    assert before.status_code == 204
    assert "If-None-Match" in before.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in before.headers
    told = Client().get(address)
    assert told.headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in told.headers["Access-Control-Expose-Headers"]
    head = Client().head(address)
    assert (head.status_code, head.content, head.headers["ETag"]) == (200, b"", told.headers["ETag"])
