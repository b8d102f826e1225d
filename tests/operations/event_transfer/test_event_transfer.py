"""An event moves to another server halfway: what is refused, and that it continues as it would have."""

from __future__ import annotations

import copy
import json
import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError
from django.utils import timezone

from clubs.models import ExpectedPayment, Member, PersonalDataAccess, Role, User
from operations.event_transfer import event_import
from operations.event_transfer.event_export import render_event_file
from operations.event_transfer.event_import import find_existing_events, import_event
from operations.event_transfer.file_format import EventFile
from operations.event_transfer.file_reader import read_event_file
from operations.integrity.event_checks import check_events
from pairing.models import HallMessage
from pairing.rounds.lifecycle.transitions import publish_round
from pairing.rounds.manual.arrangement import swap_colours
from pairing.rounds.manual.changes import change_draft_manually
from pairing.rounds.manual.undo import undo_step
from tests.factories import draft_of, make_club, make_event, make_member, make_user, played, player, published, round_of
from tests.module_fixtures import make_club_and_secretary_fixtures, make_module_fixtures
from tournaments.check_in.byes import grant_requested_bye
from tournaments.check_in.presence import set_check_in_state
from tournaments.entries.enrolment import enter_members, enter_pasted_list, forbid_pair, withdraw_player
from tournaments.events.event_deletion import delete_event, restore_event
from tournaments.models import (
    Entry,
    EntryFee,
    Game,
    LogEntry,
    OnlineEntry,
    OnlineEntrySettings,
    Prize,
    PrizeFund,
    ResultCheck,
    ResultClaim,
    Tournament,
)
from tournaments.problems import ArbiterProblem
from tournaments.results.recording import correct_result, enter_result, finish_round


def event_in_mid_evening() -> Tournament:
    """Two rounds finished, one result corrected, and the third a draft edited by hand."""
    club = make_club()
    secretary = make_user("secretary", club, Role.SECRETARY)
    event = make_event(club, players=8, rounds=5)
    enter_members(event, [make_member(club, "Skoczek, Ewa", 1840, fide_id=990001)], by=secretary)
    forbid_pair(player(event, 1), player(event, 2), by=secretary, remark="siostry")
    played(event, 1)
    played(event, 2)
    shown = round_of(event, 2)
    game = shown.games.get(board=1)
    wanted = Game.Result.DRAW if game.result != Game.Result.DRAW else Game.Result.WHITE_WINS
    correct_result(game, wanted, revision=game.revision, by=secretary, reason="kartka")
    ResultClaim.objects.create(game=game, entry=game.white, result="1-0", at=timezone.now())
    ResultCheck.objects.create(game=game, result="1-0", by=secretary, at=timezone.now())
    fund = PrizeFund.objects.create(tournament=event)
    Prize.objects.create(fund=fund, place=1, cents=5000)
    HallMessage.objects.create(tournament=event, text="przerwa", until=timezone.now() + timedelta(hours=1))
    form = OnlineEntrySettings.objects.create(tournament=event, places=6, questions=["Obiad?"])
    EntryFee.objects.create(settings=form, name="Wszyscy", amount=2000, early_amount=1500)
    fee = ExpectedPayment.objects.create(
        club=event.club, amount=2000, purpose="Wpisowe", marked_paid_on=timezone.localdate()
    )
    entered = {"state": "entered", "entry": player(event, 6), "fee": 2000, "payment": fee, "queue_number": 1}
    entered |= {"shows_name": True, "answers": [["Obiad?", "tak"]]}
    OnlineEntry.objects.create(tournament=event, name="Pionek, Nr006", **entered)
    OnlineEntry.objects.create(tournament=event, name="Czeka, Ktoś", state="waiting", queue_number=2)
    grant_requested_bye(player(event, 5), round_of(event, 4), "H", by=secretary)
    set_check_in_state(player(event, 6), round_of(event, 3), "here", by=secretary)
    draft = draft_of(event, 3)
    change_draft_manually(draft, swap_colours(1), by=secretary, version=draft.version)
    return event


made_once, event = make_module_fixtures(event_in_mid_evening)
club, secretary = make_club_and_secretary_fixtures()


def plain(event: Tournament) -> dict[str, object]:
    """The file, without its date and program version."""
    told = json.loads(render_event_file(event))
    told.pop("made_at")
    return told


def taken_in(event: Tournament, *, club=None, by=None) -> Tournament:
    club = club or make_club("laptop", "Laptop")
    by = by or make_user("traveller", club, Role.SECRETARY)
    return import_event(club, read_event_file(render_event_file(event)), filename="x.json", by=by).event


def pairs(event: Tournament, number: int) -> list[tuple[int, str, str, str]]:
    games = event.rounds.get(number=number).games.order_by("board")
    return [(game.board, game.white.name, game.black.name, str(game.reasons)) for game in games]


def test_what_is_taken_in_gives_the_same_file(event):
    told, other = plain(event), taken_in(event)
    again = plain(other)
    line = again["log"].pop()
    assert line["action"] == "event brought in"
    # Users of the other server are only names here, and non-members stay non-members; everything else is equal.
    assert [one["name"] for one in again["people"]][: len(told["people"])] == [one["name"] for one in told["people"]]
    for one in (told, again):
        one.pop("people")
        one.pop("club")
        for part in (*one["players"],):
            part.pop("member")
        for each in one["rounds"]:
            for part in (
                *each["boards"],
                *each["door"],
                *each["second_readings"],
                *each["steps"],
                *each["restore_points"],
            ):
                part.pop("entered_by", None)
                part.pop("by", None)
    assert again == told
    assert list(check_events(Tournament.objects.filter(pk=other.pk))) == []


def finish(event: Tournament, number: int) -> None:
    """Pair the round if it is not paired yet, and let the higher rated player win every game."""
    this_round = round_of(event, number)
    if this_round.state == "waiting":
        this_round = published(event, number)
    for game in this_round.games.select_related("white", "black"):
        result = "1-0" if game.white.rating >= game.black.rating else "0-1"
        enter_result(game, result, revision=game.revision, by=None)
    finish_round(this_round, by=None)


def test_the_evening_goes_on_as_it_would_have(event):
    """Both copies continue with the same results: the same boards for the same reasons, to the end."""
    other = taken_in(event)
    for each in (event, other):
        draft = round_of(each, 3)
        publish_round(draft, by=None, version=draft.version)
    assert pairs(event, 3) == pairs(other, 3)
    for number in (3, 4, 5):
        for each in (event, other):
            finish(each, number)
        assert pairs(event, number) == pairs(other, number)
    assert event.rounds.filter(state="finished").count() == other.rounds.filter(state="finished").count() == 5


def test_rounds_keep_the_numbers_of_before_late_entries_after_the_move(event):
    """Two late entries in round 2; the players of the other server have other keys."""
    other = make_event(event.club, players=4)
    played(other, 1)
    enter_pasted_list(other, "Kot, Ala; 2400\nPies, Azor; 1985", by=None)
    played(other, 2)
    moved = taken_in(round_of(other, 1).tournament)
    assert [each["to_round"] for each in moved.earlier_numbers] == [1]
    keys = {str(entry.pk): entry.name for entry in moved.entries.all()}
    numbers = {keys[key]: number for key, number in moved.earlier_numbers[0]["numbers"].items()}
    assert numbers == {f"Pionek, Nr{number:03}": number for number in range(1, 5)} | {"Kot, Ala": 5, "Pies, Azor": 6}
    assert moved.entries.get(name="Kot, Ala").tpn == 1


def test_a_draft_is_undone_after_the_move(event, secretary):
    other = taken_in(event)
    for each, by in ((event, secretary), (other, User.objects.get(username="traveller"))):
        this_round = round_of(each, 3)
        undo_step(this_round, by=by, version=this_round.version)
    assert pairs(event, 3) == pairs(other, 3)


def test_members_are_found_in_the_book_again_and_the_log_blames_nobody_here(event, club, secretary, arbiter):
    other = taken_in(event, club=club, by=arbiter)
    assert other.slug != event.slug
    assert other.entries.get(name="Skoczek, Ewa").member == event.entries.get(name="Skoczek, Ewa").member
    assert not other.log.filter(actor=secretary).exists()
    assert other.log.filter(details__by_name="secretary").exists()
    mine = taken_in(event, club=club, by=secretary)
    assert mine.log.filter(actor=secretary).count() > 1


@pytest.fixture
def is_light(monkeypatch) -> None:
    """The page imports event files itself, without a worker."""
    monkeypatch.setattr("common.jobs.import_steps.is_light", lambda _data: True)
    monkeypatch.setattr("operations.event_transfer.file_reader.is_light", lambda _data: True)


def test_an_event_that_comes_back_counts_once_and_takes_the_place_of_the_one_that_stayed(
    event, client, secretary, is_light
):
    """The event was elsewhere for a round. Changes here meanwhile are not lost silently; its old URL leads to it."""
    away = taken_in(event)
    draft = round_of(away, 3)
    publish_round(draft, by=None, version=draft.version)
    finish(away, 3)
    client.force_login(secretary)
    address = f"/{event.club.slug}/events/bring-in/"

    def looked_at() -> tuple[dict[str, str], str, list[int]]:
        shown = client.post(address, {"file": SimpleUploadedFile("x.json", render_event_file(away))})
        (button,) = re.findall(r'name="instead_of" value="([^"]*)"', shown.text)
        same = [each.lines_not_in_file for each in shown.context["same"]]
        return {"token": shown.context["token"]}, button, same

    token, _button, same = looked_at()
    assert same == [0]
    assert client.post(address, token).status_code == 302
    beside = Tournament.objects.latest("pk")
    assert (event.rated_as, beside.rated_as) == ("standard", "")
    assert "already does" in client.get(f"/{event.club.slug}/{beside.slug}/").text
    delete_event(beside, by=secretary, typed=beside.name)

    token, button, _same = looked_at()
    withdraw_player(player(event, 8), 4, by=secretary)
    refused = client.post(address, token | {"instead_of": button})
    assert "This event has changed since you opened this page. Check it again" in refused.text
    token, button, same = looked_at()
    assert same == [1]
    assert client.post(address, token | {"instead_of": f"{away.pk} x"}).status_code == 422
    assert Tournament.objects.filter(club=event.club).get() == event

    assert client.post(address, token | {"instead_of": button}).status_code == 302
    back = Tournament.objects.get(club=event.club)
    assert (back.slug, back.rated_as, round_of(back, 3).state) == (event.slug, "standard", "finished")
    restored = restore_event(event.club, event.pk, by=secretary)
    found = [(each.code, each.where) for each in check_events(Tournament.objects.filter(club=event.club))]
    assert found == [("event-counted-twice", f"pod-wieza/{back.slug}, pod-wieza/{restored.slug}")]


@pytest.mark.one_database
def test_members_who_refuse_publication_come_into_a_public_event_with_their_initials(event, club, secretary):
    data = render_event_file(event)
    Member.objects.update(publication_consent=Member.Consent.REFUSED, publication_consent_on=timezone.localdate())
    for is_public, name in ((True, "S., E."), (False, "Skoczek, Ewa")):
        file = read_event_file(broken(json.loads(data), "event", "is_public", value=is_public))
        brought = import_event(club, file, filename="x.json", by=secretary).event
        assert brought.entries.get(fide_id="990001").name == name


def broken(told: dict, *path: object, value: object) -> bytes:
    """The file with one place changed."""
    changed = copy.deepcopy(told)
    part = changed
    for step in path[:-1]:
        part = part[step]
    if value is None:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return json.dumps(changed).encode()


def refusal(event: Tournament, data: bytes, by: User) -> str:
    try:
        import_event(event.club, read_event_file(data), filename="x.json", by=by)
    except ArbiterProblem as problem:
        return problem.message
    return ""


@pytest.mark.usefixtures("files_are_read_here")
def test_a_file_that_is_not_one_is_refused_with_a_sentence_and_nothing_is_written(event, secretary):
    told = json.loads(render_event_file(event))
    board = ("rounds", 0, "boards", 0)
    hostile = [
        b"",
        b"{}",
        b"[" * 200_000,
        b"\xff\xfe{}",
        b'{"format": "clubnight-event", "version": 1, "made_at": NaN}',
        broken(told, "format", value="clubnight-backup"),
        broken(told, "version", value=2),
        broken(told, "event", "system", value="swiss"),
        broken(told, "event", "name", value=""),
        broken(told, "event", "name", value="x" * 400),
        broken(told, "event", "name", value="a\0b"),
        broken(told, "event", "is_demo", value=True),
        broken(told, "event", "rounds_announced", value=3),
        broken(told, "event", "tie_breaks", value=["<script>"]),
        broken(told, "event", "point_system", value="9-9-9"),
        broken(told, "event", "point_system", value="3-1-0"),
        broken(told, "rounds", 0, "decision", value=9000),
        broken(told, "event", "readings", value={"none": "none"}),
        broken(told, "event", "is_public", value="yes"),
        broken(
            told,
            "event",
            "earlier_systems",
            value=[{"to_round": 1, "system": "none", "procedure": "", "had_bye": False}],
        ),
        broken(
            told,
            "event",
            "earlier_numbers",
            value=[{"to_round": 1, "numbers": {"77": 1}, "accelerated_players": None}],
        ),
        broken(told, "players", 0, "rating", value=9999),
        broken(told, "players", 0, "rating", value=10**400),
        broken(told, "players", 0, "sex", value="?"),
        broken(told, "players", 1, "tpn", value=1),
        broken(told, "rounds", 0, "number", value=2),
        broken(told, "rounds", 0, "state", value="published?"),
        broken(told, "rounds", 0, "scores", value={"77": 1}),
        broken(told, *board, "white", value=99),
        broken(told, *board, "black", value=99),
        broken(told, "kept_apart", 0, "second", value=told["kept_apart"][0]["first"]),
        broken(told, *board, "white", value=told["rounds"][0]["boards"][1]["white"]),
        broken(told, *board, "white", value=told["rounds"][0]["boards"][0]["black"]),
        broken(told, *board, "result", value="2-0"),
        broken(told, *board, "result", value=""),
        broken(told, *board, "correction", value=9000),
        broken(told, *board, "reasons", value=[{"article": "1", "kind": "none", "players": [], "facts": {}}]),
        broken(told, "rounds", 2, "state", value="waiting"),
        broken(told, "log", 0, "by", value=50),
        broken(told, "log", 0, "at", value="yesterday"),
        broken(told, "log", 0, "at", value="9999-12-31T23:59:59-23:00"),
        broken(told, "log", value=None),
    ]
    assert "newer version" in refusal(event, broken(told, "version", value=2), secretary)
    before = Tournament.objects.count(), Entry.objects.count(), LogEntry.objects.count()
    for number, data in enumerate(hostile):
        assert refusal(event, data, secretary), number
        assert (Tournament.objects.count(), Entry.objects.count(), LogEntry.objects.count()) == before, number


@pytest.mark.one_database
def test_what_the_tables_refuse_is_told_in_one_line(event, secretary, monkeypatch):
    def refuse(_event: int) -> None:
        raise DatabaseError("a duplicate\nDETAIL: Key (1, 2)")

    monkeypatch.setattr(event_import, "schedule_event_rating", refuse)
    said = refusal(event, render_event_file(event), secretary)
    assert "a duplicate" in said
    assert "DETAIL" not in said


@pytest.mark.one_database
def test_a_player_at_two_boards_is_refused_by_name_before_anything_is_tried(event):
    """So that the preview does not promise what the constraints refuse."""
    told = json.loads(render_event_file(event))
    first, second = told["rounds"][0]["boards"][:2]
    name = told["players"][second["white"] - 1]["name"]
    there = ("rounds", 0, "boards", 0)
    for data, place, word in (
        (broken(told, *there, "white", value=second["white"]), "rounds.0.boards.1", name),
        (broken(told, *there, "white", value=first["black"]), "rounds.0.boards.0", "more than once in round 1"),
        (broken(told, *there, "board", value=second["board"]), "rounds.0.boards.1", f"board {second['board']} is"),
    ):
        with pytest.raises(ArbiterProblem, match="more than once") as refused:
            read_event_file(data)
        assert place in refused.value.message
        assert word in refused.value.message


def test_online_entries_are_the_secretarys(event, client, secretary, arbiter, is_light):
    """An arbiter's file leaves them out, and an arbiter can't bring in any, as neither page nor table shows them."""
    address = f"/{event.club.slug}/{event.slug}/take-along.json"
    client.force_login(arbiter)
    told = json.loads(client.get(address).content)
    assert (told["online_entries"], told["entry_form"]) == ([], None)
    assert PersonalDataAccess.objects.count() == 0
    client.force_login(secretary)
    whole = client.get(address).content
    assert len(json.loads(whole)["online_entries"]) == 2
    assert PersonalDataAccess.objects.get().user == secretary
    for user, forms in ((arbiter, 1), (secretary, 2)):
        client.force_login(user)
        shown = client.post(f"/{event.club.slug}/events/bring-in/", {"file": SimpleUploadedFile("x.json", whole)})
        client.post(f"/{event.club.slug}/events/bring-in/", {"token": shown.context["token"]})
        assert OnlineEntrySettings.objects.count() == forms
        assert OnlineEntry.objects.count() == 2 * forms


@pytest.mark.parametrize("is_with_entries", [True, False])
def test_a_replaced_event_keeps_its_online_entries_with_their_payments(event, secretary, is_with_entries):
    """What the player was sent stays valid: the reference of their payment, and the link to their entry."""
    online = event.online_entries.get(entry__isnull=False)
    OnlineEntry.objects.filter(pk=online.pk).update(email="nr6@poczta.example")
    payment, payments = online.payment, ExpectedPayment.objects.count()
    file = read_event_file(render_event_file(event, with_online_entries=is_with_entries))
    (same,) = find_existing_events(event.club, file)
    new = import_event(event.club, file, filename="x.json", by=secretary, instead_of=event.pk, seen=same.seen).event
    assert new.pk != event.pk
    moved = new.online_entries.get(pk=online.pk)
    assert (moved.payment, moved.email) == (payment, "nr6@poczta.example")
    assert (moved.entry.name, moved.entry.tournament) == ("Pionek, Nr006", new)
    assert (OnlineEntry.objects.count(), ExpectedPayment.objects.count()) == (2, payments)
    assert (new.entry_form.places, new.entry_form.fees.count()) == (6, 1)


def test_repeated_clicks_are_taken_once(event, client, secretary, settings, tmp_path, is_light):
    settings.VAR_DIR = tmp_path
    client.force_login(secretary)
    answer = client.get(f"/{event.club.slug}/{event.slug}/take-along.json")
    assert EventFile.model_validate_json(answer.content).event.name == event.name
    address = f"/{event.club.slug}/events/bring-in/"
    bad = client.post(address, {"file": SimpleUploadedFile("x.json", b"{}")})
    assert bad.status_code == 422
    shown = client.post(address, {"file": SimpleUploadedFile("x.json", answer.content)})
    token = {"token": shown.context["token"]}
    assert Tournament.objects.count() == 1
    assert client.post(address, token).status_code == 302
    again = client.post(address, token)
    assert again.status_code == 422
    assert "This file was already imported, or is no longer available." in again.text
    assert Tournament.objects.count() == 2
    for page in ("", "players/", "log/", "standings/", "rounds/2/"):
        assert client.get(f"/{event.club.slug}/{Tournament.objects.latest('pk').slug}/{page}").status_code == 200
