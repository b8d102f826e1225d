"""Changes by the API: only with a token that allows them, as the arbiter's pages make them, and never twice."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Role
from pairing.models import ApiToken
from pairing.public.api import changes as changes_module
from pairing.public.api import view_decorator
from pairing.public.api_tokens.tokens import create_token, revoke_token
from tests.factories import make_club, make_event, make_member, make_user, played, published
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast
from tournaments.audit_log.sentences import log_line_sentence
from tournaments.entries import enrolment
from tournaments.models import Bye, CheckIn, Game, Round, Tournament

pytestmark = [pytest.mark.django_db]
EVERYTHING = tuple(ApiToken.Scope.values)


def make_rows() -> Cast:
    """An event with one round finished and one published."""
    cast = make_cast()
    played(cast.event, 1)
    published(cast.event, 2)
    return cast


made_once, cast = make_module_fixtures(make_rows)


@pytest.fixture(autouse=True)
def no_requests_yet() -> None:
    cache.clear()


class Bot:
    """A program with a token, or without one."""

    def __init__(self, text: str = "") -> None:
        self.headers = {"Authorization": f"Bearer {text}"} if text else {}
        self.browser = Client()

    def send(self, method: str, address: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        sent = body if isinstance(body, str | bytes) else json.dumps({} if body is None else body)
        answer = self.browser.generic(
            method, address, sent, content_type="application/json", headers=self.headers | headers
        )
        return answer.status_code, (answer.json() if answer.content else None)


def bot(cast: Cast, *scopes: str, **more: Any) -> Bot:
    _token, text = create_token(
        more.pop("club", cast.club),
        name=more.pop("name", "Results bot"),
        scopes=scopes or EVERYTHING,
        tournament=more.pop("tournament", None),
        expires_at=more.pop("expires_at", timezone.now() + timedelta(days=1)),
        by=cast.secretary,
        site="https://chess.example/",
    )
    return Bot(text)


def place(cast: Cast, name: str, *more: int, event: Tournament | None = None) -> str:
    event = event or cast.event
    return reverse(f"api_{name}", args=[event.club.slug, event.slug, *more])


def result(game: Game, wanted: str, **more: Any) -> dict[str, Any]:
    return {"game": game.pk, "revision": game.revision, "result": wanted} | more


def changes(cast: Cast) -> list[tuple[str, str, Any]]:
    """Every endpoint that needs a token, with a body that it would take."""
    game = cast.round(2).games.get(board=1)
    entry = cast.entry(0)
    return [
        ("GET", place(cast, "entries"), None),
        ("POST", place(cast, "entries"), {"players": [{"name": "Nowy, Ktoś"}]}),
        ("POST", place(cast, "entry_withdraw", entry.pk), {}),
        ("POST", place(cast, "entry_return", entry.pk), {}),
        ("PUT", place(cast, "presence", 3, entry.pk), {"state": "absent"}),
        ("PUT", place(cast, "result", 2, 1), result(game, "1-0")),
    ]


def state(cast: Cast) -> tuple[Any, ...]:
    event = cast.event
    return (
        event.entries.count(),
        event.log.count(),
        list(Game.objects.filter(round__tournament=event).order_by("pk").values_list("result", "revision")),
        CheckIn.objects.count(),
        Bye.objects.count(),
    )


# -- What must not happen -------------------------------------------------------------------------------------------


def refused(cast: Cast, program: Bot, status: int, *, but: tuple[int, ...] = ()) -> None:
    before = state(cast)
    answers = [program.send(*each) for number, each in enumerate(changes(cast)) if number not in but]
    assert [code for code, _said in answers] == [status] * (6 - len(but)), answers
    assert all(set(said) == {"detail"} for _code, said in answers)
    assert state(cast) == before


def test_nothing_without_a_token(cast):
    refused(cast, Bot(), 401)


@pytest.mark.parametrize("text", ["x", "clubnight_x", "clubnight_" + "a" * 43, "ż", "'; --", "clubnight_\x7f"])
def test_nothing_with_a_made_up_token(cast, text):
    refused(cast, Bot(text), 401)


def test_a_session_gives_no_rights(cast):
    """Otherwise another site could make the arbiter's browser enter results."""
    program = Bot()
    program.browser = cast.browser("secretary")
    refused(cast, program, 401)


def test_nothing_with_a_revoked_token_at_once(cast):
    program = bot(cast)
    assert program.send("GET", place(cast, "entries"))[0] == 200
    revoke_token(ApiToken.objects.get(), by=cast.secretary)
    refused(cast, program, 401)
    # Not even what everyone may read: a program should notice.
    assert program.send("GET", place(cast, "event"))[0] == 401


def test_nothing_with_an_expired_token(cast):
    program = bot(cast, expires_at=timezone.now() - timedelta(seconds=1))
    refused(cast, program, 401)
    assert program.send("GET", place(cast, "entries"))[1] == {"detail": "This token has expired."}


def test_other_scopes_do_not_count(cast):
    refused(cast, bot(cast, "read", name="a"), 403, but=(0,))
    refused(cast, bot(cast, "entries:write", name="b"), 403, but=(0, 1, 2, 3, 4))
    refused(cast, bot(cast, "results:write", name="c"), 403, but=(5,))


def test_another_clubs_token_finds_nothing_not_even_a_public_event(cast):
    refused(cast, bot(cast, club=Club.objects.get(slug="elsewhere")), 404)


def test_a_token_for_one_event_is_for_no_other(cast):
    refused(cast, bot(cast, tournament=make_event(cast.club)), 404)


def test_other_peoples_players_boards_and_rounds_are_not_found(cast):
    program, other = bot(cast), make_event(make_club("dalej", "Dalej"))
    stranger = other.entries.create(name="Obcy, Gracz")
    for method, address, body in (
        ("POST", place(cast, "entry_withdraw", stranger.pk), {}),
        ("POST", place(cast, "entry_return", stranger.pk), {}),
        ("PUT", place(cast, "presence", 3, stranger.pk), {"state": "here"}),
        ("PUT", place(cast, "presence", 99, cast.entry(0).pk), {"state": "here"}),
        ("PUT", place(cast, "result", 2, 99), {"game": 1, "revision": 0, "result": "1-0"}),
        ("PUT", place(cast, "result", 99, 1), {"game": 1, "revision": 0, "result": "1-0"}),
        ("GET", reverse("api_entries", args=[cast.club.slug, "nowhere"]), None),
    ):
        assert program.send(method, address, body)[0] == 404, address


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "null",
        b"\xff\xfe",
        {},
        {"players": []},
        {"players": [{"name": ""}]},
        {"players": [{"name": "   "}]},
        {"players": [{"name": "12"}]},
        {"players": [{"name": "Zły\x00, Znak"}]},
        {"players": [{"name": "Zły\ud800, Znak"}]},
        {"players": [{"name": "Zły\u202e, Znak"}]},
        {"players": [{"name": "Dobry, Gracz"}, {"name": "Zły, Gracz", "title": "XX"}]},
        {"players": [{"name": "Zły, Gracz", "rating": 9999}]},
        {"players": [{"name": "Zły, Gracz", "fide_id": "12x"}]},
        {"players": [{"name": "Zły, Gracz", "birth": "2001-02-30"}]},
        {"players": [{"name": "Zły, Gracz", "club": "a\x00b"}]},
        {"players": [{"name": "Zły, Gracz", "member": 1}]},
        {"players": [{"name": f"Gracz {n}"} for n in range(501)]},
        {"players": [{"name": "Dobry, Gracz"}], "from_round": 0},
    ],
)
def test_what_cannot_be_read_enters_nobody(cast, body):
    before = state(cast)
    code, said = bot(cast).send("POST", place(cast, "entries"), body)
    assert code in (400, 422), said
    assert set(said) == {"detail"}
    assert state(cast) == before


def test_too_large_a_body_is_not_read(cast):
    code, _said = bot(cast).send("POST", place(cast, "entries"), "x" * (view_decorator.MAX_BODY_BYTES + 1))
    assert code == 413


def test_one_token_has_a_limit_from_all_its_addresses(cast, monkeypatch):
    monkeypatch.setattr(view_decorator, "MAX_REQUESTS_PER_MINUTE", 3)
    program = bot(cast)
    codes = []
    for number in range(4):
        program.browser = Client(REMOTE_ADDR=f"203.0.113.{number}")
        codes.append(program.send("GET", place(cast, "entries"))[0])
    assert codes == [200, 200, 200, 429]


def test_an_address_that_guesses_has_a_limit(cast, monkeypatch):
    monkeypatch.setattr(view_decorator, "MAX_REQUESTS_PER_MINUTE", 3)
    assert [Bot("clubnight_x").send("GET", place(cast, "entries"))[0] for _n in range(4)] == [401, 401, 401, 429]


@pytest.mark.parametrize(("method", "name", "more"), [("DELETE", "entries", ()), ("POST", "result", (2, 1))])
def test_other_methods_are_refused_with_those_that_are_possible(cast, method, name, more):
    answer = Client().generic(method, place(cast, name, *more))
    assert (answer.status_code, set(answer.json())) == (405, {"detail"})
    assert method not in answer.headers["Allow"]


def test_a_web_page_of_another_site_cannot_send_a_token(cast):
    answer = Client().options(place(cast, "entries"), headers={"Access-Control-Request-Headers": "authorization"})
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    assert "authorization" not in answer.headers["Access-Control-Allow-Headers"].lower()
    assert "POST" not in answer.headers["Access-Control-Allow-Methods"]


# -- Reading with a token ---------------------------------------------------------------------------------------------


def test_a_token_reads_its_own_clubs_private_events_and_no_cache_stores_them(cast):
    Tournament.objects.filter(pk=cast.event.pk).update(is_public=False)
    reader = bot(cast, "read")
    answer = reader.browser.get(place(cast, "round", 2), headers=reader.headers)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert "Authorization" in answer.headers["Vary"]
    told = reader.browser.get(reverse("api_events", args=[cast.club.slug]), headers=reader.headers)
    assert [each["slug"] for each in told.json()["rows"]] == [cast.event.slug]
    for other in (
        Bot(),
        bot(cast, "results:write", name="b"),
        bot(cast, "read", club=Club.objects.get(slug="elsewhere")),
        bot(cast, "read", name="c", tournament=make_event(cast.club)),
    ):
        assert other.send("GET", place(cast, "round", 2))[0] == 404


def test_a_token_reads_no_draft(cast):
    Round.objects.filter(pk=cast.round(2).pk).update(state=Round.State.DRAFT)
    program = bot(cast)
    assert program.send("GET", place(cast, "round", 2))[0] == 404
    game = cast.round(2).games.get(board=1)
    assert program.send("PUT", place(cast, "result", 2, 1), result(game, "1-0"))[0] == 409
    assert program.send("PUT", place(cast, "result", 2, 99), result(game, "1-0"))[0] == 409


# -- Results ----------------------------------------------------------------------------------------------------------


def test_a_result_is_entered_with_what_the_round_says_and_the_log_names_the_token(cast):
    program = bot(cast, "results:write")
    board = Bot().send("GET", place(cast, "round", 2))[1]["boards"][0]
    sent = {"game": board["game"], "revision": board["revision"], "result": "1/2"}
    code, told = program.send("PUT", place(cast, "result", 2, 1), sent)
    assert (code, told["result"], told["revision"]) == (200, "1/2", 1)
    assert cast.round(2).games.get(board=1).result == Game.Result.DRAW
    line = cast.event.log.first()
    assert (line.actor, line.details["by_program"]) == (None, "Results bot (API)")
    assert "½–½" in log_line_sentence(line)
    page = cast.browser("arbiter").get(reverse("tournament_log", args=[cast.club.slug, cast.event.slug]))
    assert "Results bot (API)" in page.content.decode()
    assert ApiToken.objects.get().last_used_at is not None


def test_the_name_of_a_program_is_in_no_other_line(cast):
    program = bot(cast)
    game = cast.round(2).games.get(board=1)
    assert program.send("PUT", place(cast, "result", 2, 1), result(game, "1-0"))[0] == 200
    published_again = cast.browser("arbiter").post(
        reverse("board_result", args=[cast.club.slug, cast.event.slug, 2, 1]),
        {"result-1": "0-1", "seen-1": f"{game.pk}.1 1-0"},
    )
    assert published_again.status_code == 302
    assert "by_program" not in cast.event.log.first().details


def test_the_same_result_twice_is_one_result_and_another_is_a_conflict(cast):
    program, game = bot(cast), cast.round(2).games.get(board=1)
    address = place(cast, "result", 2, 1)
    assert [program.send("PUT", address, result(game, "1-0"))[0] for _n in range(2)] == [200, 200]
    assert cast.event.log.filter(action="result entered").filter(details__board=1, round=cast.round(2)).count() == 1
    code, said = program.send("PUT", address, result(game, "0-1"))
    assert code == 409
    assert "Board 1" in said["detail"]
    assert cast.round(2).games.get(board=1).result == "1-0"


def test_a_result_never_reaches_another_game(cast):
    game, other = cast.round(2).games.get(board=1), cast.round(2).games.get(board=2)
    code, _said = bot(cast).send("PUT", place(cast, "result", 2, 1), result(other, "1-0"))
    assert code == 409
    assert {each.result for each in (*Game.objects.filter(pk__in=[game.pk, other.pk]),)} == {""}


def test_a_finished_round_is_corrected_and_needs_a_result(cast):
    program, game = bot(cast), cast.round(1).games.get(board=1)
    wanted = "0-1" if game.result != "0-1" else "1-0"
    assert program.send("PUT", place(cast, "result", 1, 1), result(game, ""))[0] == 409
    code, told = program.send("PUT", place(cast, "result", 1, 1), result(game, wanted, reason="Slip misread"))
    assert (code, told["result"]) == (200, wanted)
    line = cast.event.log.filter(action="result corrected").first()
    assert (line.details["reason"], line.details["by_program"]) == ("Slip misread", "Results bot (API)")


@pytest.mark.parametrize("wanted", ["2-0", "1-0 ", "½", None, 1])
def test_only_results_are_results(cast, wanted):
    game = cast.round(2).games.get(board=1)
    assert bot(cast).send("PUT", place(cast, "result", 2, 1), result(game, wanted))[0] == 422


# -- Players ----------------------------------------------------------------------------------------------------------


def test_players_are_entered_once_however_often_they_are_sent(cast):
    program = bot(cast, "entries:write")
    sent = {"players": [{"name": "Nowy, Ktoś", "rating": 1500, "club": "Gdzieś"}, {"name": "Nikt, Jan"}]}
    code, told = program.send("POST", place(cast, "entries"), sent)
    assert code == 201
    assert [(each["name"], each["rating"], each["from_round"]) for each in told["entered"]] == [("Nowy, Ktoś", 1500, 3)]
    assert told["already_entered"] == ["Nikt, Jan"]
    assert program.send("POST", place(cast, "entries"), sent) == (
        200,
        {"entered": [], "already_entered": ["Nowy, Ktoś", "Nikt, Jan"]},
    )
    assert cast.event.entries.filter(name="Nowy, Ktoś", club_name="Gdzieś").count() == 1
    listed = program.send("GET", place(cast, "entries"))[1]
    assert listed["count"] == 7
    assert {each["id"] for each in listed["rows"]} == set(cast.event.entries.values_list("pk", flat=True))


def test_a_name_is_entered_as_it_is_sent_and_a_member_as_a_member(cast):
    make_member(cast.club, "Członek, Nowy", rating=1700)
    sent = {"players": [{"name": "Członek, Nowy"}, {"name": "Gość Bez Przecinka"}]}
    code, _told = bot(cast).send("POST", place(cast, "entries"), sent)
    assert code == 201
    assert cast.event.entries.get(name="Członek, Nowy").rating == 1700
    assert cast.event.entries.filter(name="Gość Bez Przecinka", member=None).exists()


def test_two_members_of_one_name_are_not_guessed(cast):
    for _n in range(2):
        make_member(cast.club, "Bliźniak, Jan")
    code, said = bot(cast).send("POST", place(cast, "entries"), {"players": [{"name": "Bliźniak, Jan"}]})
    assert code == 422
    assert "2 members" in said["detail"]


def test_a_player_is_withdrawn_once_and_returns(cast):
    program, entry = bot(cast), cast.entry(0)
    address = place(cast, "entry_withdraw", entry.pk)
    assert program.send("POST", address, {"from_round": 2})[0] == 409
    for _n in range(2):
        code, told = program.send("POST", address, {})
        assert (code, told["withdrawn_from_round"]) == (200, 3)
    assert cast.event.log.filter(action="player withdrawn").count() == 1
    for _n in range(2):
        code, told = program.send("POST", place(cast, "entry_return", entry.pk), {})
        assert (code, told["withdrawn_from_round"]) == (200, None)
    assert cast.event.log.filter(action="player returned").count() == 1


def test_an_absence_is_recorded_and_cleared(cast):
    program, entry = bot(cast), cast.entry(0)
    address = place(cast, "presence", 3, entry.pk)
    assert program.send("PUT", address, {"state": "absent"}) == (200, {"state": "absent"})
    assert Bye.objects.get(round=cast.round(3), entry=entry).kind == Bye.Kind.ABSENT
    assert program.send("PUT", address, {"state": ""})[0] == 200
    assert not Bye.objects.filter(round=cast.round(3), entry=entry).exists()
    assert program.send("PUT", place(cast, "presence", 2, entry.pk), {"state": "here"})[0] == 409
    assert program.send("PUT", address, {"state": "maybe"})[0] == 422


def test_entries_wait_for_no_officer_to_have_an_account(cast):
    """A token acts for the club, also after the secretary who made it has left."""
    program = bot(cast)
    cast.secretary.delete()
    make_user("next", cast.club, Role.SECRETARY)
    assert program.send("POST", place(cast, "entries"), {"players": [{"name": "Nowy, Ktoś"}]})[0] == 201


def test_an_event_has_only_so_many_players(cast, monkeypatch):
    monkeypatch.setattr(enrolment, "MAX_PLAYERS", cast.event.entries.count() + 1)
    program = bot(cast)
    for name, status in (("Nowy, Pierwszy", 201), ("Nowy, Drugi", 409)):
        code, _said = program.send("POST", place(cast, "entries"), {"players": [{"name": name}]})
        assert code == status
    # Nobody is entered twice, so this is no error.
    assert program.send("POST", place(cast, "entries"), {"players": [{"name": "Nowy, Pierwszy"}]})[0] == 200


def test_a_board_that_is_gone_after_its_result_was_entered_is_a_conflict(cast, monkeypatch):
    sheet = changes_module.pairing_sheet
    monkeypatch.setattr(changes_module, "pairing_sheet", lambda *args, **_more: sheet(*args, first=1000, last=1000))
    game = cast.round(2).games.get(board=1)
    assert bot(cast).send("PUT", place(cast, "result", 2, 1), result(game, "1-0"))[0] == 409
