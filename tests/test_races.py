"""Pairs of actions on a round, an entry and a line of the ledger, at one instant, in two connections.

Whatever the order in which they come through, nothing may crash, contradict itself or be lost that was acknowledged.
`CLUBNIGHT_RACES=200 pytest tests/test_races.py` runs every pair 200 times; CLUBNIGHT_DATABASE says on which database.
Unless told, each runs once; on SQLite, where one writer waits for the other whatever he writes, every third does.
"""

from __future__ import annotations

import os
import random
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement

import pytest
from django.db import connection
from django.utils import timezone

from clubs.models import Club, LedgerEntry, Member, Season
from clubs.money.charging import charge_season
from clubs.money.ledger import charge, pay, take_back
from clubs.problems import OfficerProblem
from pairing.by_hand.arrangement import swap, turn_colours
from pairing.by_hand.changes import change_by_hand
from pairing.by_hand.undo import undo
from pairing.doctor.events import broken_events
from pairing.doctor.money import broken_books
from pairing.rounds.pairing import discard_draft, pair_round, publish, unpublish
from tests.factories import make_club, make_event, make_member, make_user, played, player, published, round_of
from tournaments.door.byes import mark_absent, request_bye
from tournaments.door.check_in import check_in_by_player, close_check_in
from tournaments.entries.correcting import change_entry
from tournaments.entries.entering import enter_members, remove_entry, withdraw
from tournaments.models import Bye, Game, LogEntry, Round, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.results.recording import correct_result, enter_result, finish_round, reopen_round
from tournaments.results.reporting import report_result
from tournaments.results.second_reading import read_again

TIMES = int(os.environ.get("CLUBNIGHT_RACES") or 1)
EVERY = 3 if connection.vendor == "sqlite" and "CLUBNIGHT_RACES" not in os.environ else 1
PLAYERS = 6

Action = Callable[[], object]
Actions = Mapping[str, Action]


# -- What can be done, by the state it begins from -------------------------------------------------------------------


def on_a_waiting_round(event: Tournament, secretary) -> Actions:
    """Round 2, round 1 being finished."""
    played(event, 1)
    first, second = round_of(event, 1), round_of(event, 2)
    game = first.games.get(board=1)
    one = player(event, 1)
    guest = make_member(event.club, "Nowy, Gość")
    return {
        "pair": lambda: pair_round(second.pk, by=secretary),
        "bye": lambda: request_bye(one, second, Bye.Kind.HALF_POINT, by=secretary),
        "absent": lambda: mark_absent(one, second, by=secretary),
        "here": lambda: check_in_by_player(one, second),
        "close the door": lambda: close_check_in(second, not_seen={one.pk}, left_out=set(), by=secretary),
        "withdraw": lambda: withdraw(one, 2, by=secretary),
        "enter": lambda: enter_members(event, [guest], by=secretary),
        "change": lambda: change_entry(one, by=secretary, rating=1234),
        "reopen": lambda: reopen_round(first, by=secretary),
        "correct": lambda: correct_result(game, "0-1", revision=game.revision, by=secretary),
    }


def on_a_draft(event: Tournament, secretary) -> Actions:
    """Round 2, paired and changed by hand once."""
    played(event, 1)
    first = round_of(event, 1)
    draft = pair_round(round_of(event, 2).pk, by=secretary).round
    change_by_hand(draft, turn_colours(1), by=secretary, version=draft.version)
    draft.refresh_from_db()
    version = draft.version
    one, other = (draft.games.get(board=board).white_id for board in (1, 2))
    game = first.games.get(board=1)
    late = enter_members(event, [make_member(event.club, "Nowy, Gość")], by=secretary, from_round=2)[0]
    return {
        "publish": lambda: publish(draft, by=secretary, version=version),
        "discard": lambda: discard_draft(draft, by=secretary, version=version),
        "swap": lambda: change_by_hand(draft, swap(one, other), by=secretary, version=version),
        "undo": lambda: undo(draft, by=secretary, version=version),
        "remove the late one": lambda: remove_entry(late, by=secretary),
        "reopen": lambda: reopen_round(first, by=secretary),
        "correct": lambda: correct_result(game, "0-1", revision=game.revision, by=secretary),
    }


def on_a_published_round(event: Tournament, secretary) -> Actions:
    """Round 1 without results."""
    this_round = published(event, 1)
    game = this_round.games.get(board=1)
    for board in (2, 3):
        Game.objects.filter(round=this_round, board=board).delete()
    return {
        "White wins": lambda: enter_result(game, "1-0", revision=0, by=secretary),
        "Black wins": lambda: enter_result(game, "0-1", revision=0, by=secretary),
        "White reports": lambda: report_result(game.white, game, "1-0", revision=0),
        "Black reports": lambda: report_result(game.black, game, "1-0", revision=0),
        "finish": lambda: finish_round(this_round, by=secretary),
        "take back": lambda: unpublish(this_round, by=secretary, reason="race"),
        "publish": lambda: publish(this_round, by=secretary, version=this_round.version),
    }


def on_a_round_with_results(event: Tournament, secretary) -> Actions:
    """Round 1, every board with a result."""
    this_round = published(event, 1)
    for game in this_round.games.all():
        enter_result(game, "1/2", revision=0, by=secretary)
    game = this_round.games.get(board=1)
    return {
        "take the result back": lambda: enter_result(game, "", revision=1, by=secretary),
        "White wins": lambda: enter_result(game, "1-0", revision=1, by=secretary),
        "White reports": lambda: report_result(game.white, game, "1-0", revision=1),
        "read again": lambda: read_again(game, "1-0", by=secretary),
        "finish": lambda: finish_round(this_round, by=secretary),
        "take back": lambda: unpublish(this_round, by=secretary, reason="race"),
    }


def on_a_finished_round(event: Tournament, secretary) -> Actions:
    """Round 1, over."""
    played(event, 1)
    this_round = round_of(event, 1)
    game = this_round.games.get(board=1)
    second = round_of(event, 2)
    return {
        "reopen": lambda: reopen_round(this_round, by=secretary),
        "White wins": lambda: correct_result(game, "0-1", revision=game.revision, by=secretary),
        "draw": lambda: correct_result(game, "1/2", revision=game.revision, by=secretary),
        "take the result back": lambda: enter_result(game, "", revision=game.revision, by=secretary),
        "read again": lambda: read_again(game, "1-0", by=secretary),
        "pair": lambda: pair_round(second.pk, by=secretary),
        "finish": lambda: finish_round(this_round, by=secretary),
    }


def on_a_ledger(event: Tournament, secretary) -> Actions:
    """A member who has been charged and has paid."""
    club, today = event.club, timezone.localdate()
    member: Member = make_member(club, "Nikt, Jan")
    season = Season.objects.create(
        club=club,
        name="2026",
        starts_on=today.replace(month=1, day=1),
        ends_on=today.replace(month=12, day=31),
        due_on=today,
    )
    season.fee_classes.create(name="Wszyscy", amount=12000)
    line = pay(member, 5000, method="cash", paid_on=today, by=secretary)
    key = uuid.uuid4()
    return {
        "pay": lambda: pay(member, 1000, method="cash", paid_on=today, by=secretary),
        "pay by one form": lambda: pay(member, 2000, method="cash", paid_on=today, by=secretary, form_key=key),
        "charge": lambda: charge(member, 3000, text="kubek", due_on=today, by=secretary),
        "charge the season": lambda: charge_season(season, by=secretary),
        "take back": lambda: take_back(line, reason="race", by=secretary),
    }


STATES = {
    each.__name__: each
    for each in (
        on_a_waiting_round,
        on_a_draft,
        on_a_published_round,
        on_a_round_with_results,
        on_a_finished_round,
        on_a_ledger,
    )
}
NAMES = {
    "on_a_waiting_round": "pair,bye,absent,here,close the door,withdraw,enter,change,reopen,correct",
    "on_a_draft": "publish,discard,swap,undo,remove the late one,reopen,correct",
    "on_a_published_round": "White wins,Black wins,White reports,Black reports,finish,take back,publish",
    "on_a_round_with_results": "take the result back,White wins,White reports,read again,finish,take back",
    "on_a_finished_round": "reopen,White wins,draw,take the result back,read again,pair,finish",
    "on_a_ledger": "pay,pay by one form,charge,charge the season,take back",
}
PAIRS = [
    (state, one, other)
    for state, names in NAMES.items()
    for one, other in combinations_with_replacement(names.split(","), 2)
]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("state", "one", "other"), PAIRS[::EVERY])
def test_two_at_one_instant(state, one, other):
    secretary = make_user("secretary")
    for turn in range(TIMES):
        club = make_club(f"club-{turn}")
        event = make_event(club, players=PLAYERS, players_check_in=True, players_report_results=True)
        actions = STATES[state](event, secretary)
        assert set(actions) == set(NAMES[state].split(","))
        outcomes = race(actions[one], actions[other])
        wrong = [error for error in outcomes if not isinstance(error, None | ArbiterProblem | OfficerProblem)]
        assert wrong == [], f"turn {turn}: {one} / {other}"
        found = [*broken_events(Tournament.objects.filter(pk=event.pk)), *broken_books(Club.objects.filter(pk=club.pk))]
        assert found == [], f"turn {turn}: {one} / {other}, {outcomes}"
        assert_results_are_those_of_the_log(event)
        assert_acknowledged(state, event, {one: outcomes[0], other: outcomes[1]})


def race(*actions: Action) -> list[Exception | None]:
    """What each of the actions ended with, all begun at one instant."""
    start = threading.Barrier(len(actions))
    ended: dict[int, Exception | None] = {}

    def act(place: int, action: Action, wait: float) -> None:
        try:
            connection.ensure_connection()
            start.wait()
            time.sleep(wait)
            action()
        except Exception as error:
            ended[place] = error
        else:
            ended[place] = None
        finally:
            connection.close()

    # Some begin a little later than the other, so that all overlaps are seen.
    waits = [random.choice((0, 0, 0.001, 0.003, 0.006)) for _action in actions]
    threads = [
        threading.Thread(target=act, args=(place, action, wait))
        for place, (action, wait) in enumerate(zip(actions, waits, strict=True))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive(), "they wait for each other"
    return [ended[place] for place in range(len(actions))]


def assert_results_are_those_of_the_log(event: Tournament) -> None:
    """The board has the result that its latest line of the log says."""
    said: dict[tuple[int, int], str] = {}
    for this_round, details in (
        LogEntry.objects.filter(tournament=event, details__has_key="after")
        .order_by("pk")
        .values_list("round", "details")
    ):
        if "board" in details:
            said[this_round, details["board"]] = details["after"]
    boards = Game.objects.filter(round__tournament=event)
    stored = {(key, board): result for key, board, result in boards.values_list("round", "board", "result") if result}
    assert stored == {place: result for place, result in said.items() if result}


def assert_acknowledged(state: str, event: Tournament, outcomes: Mapping[str, Exception | None]) -> None:
    """What came back without a problem has been done."""
    done = {name for name, error in outcomes.items() if error is None}
    if state == "on_a_published_round" and done & {"White wins", "Black wins"}:
        wanted = {{"White wins": "1-0", "Black wins": "0-1"}[name] for name in done & {"White wins", "Black wins"}}
        assert Game.objects.get(round__tournament=event).result in wanted
        assert event.rounds.get(number=1).state != Round.State.DRAFT
    if state == "on_a_ledger":
        amounts = list(LedgerEntry.objects.filter(club=event.club).values_list("amount", flat=True))
        once = {"pay by one form": 2000, "charge the season": 12000, "take back": -5000}
        assert [amounts.count(once[name]) for name in done if name in once] == [1 for name in done if name in once]
