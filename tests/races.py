"""Pairs of actions on a round, an entry or a ledger entry, at the same moment, in two connections.

Whatever the order in which they come through, nothing may crash, contradict itself or be lost that was acknowledged.
`python -m lab.race_table` runs every pair 200 times on both databases and prints the table;
`test_races` runs each a time or two.
"""

from __future__ import annotations

import copy
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import combinations_with_replacement
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from clubs.finance.dues.ledger import charge_member, record_payment, record_refund, reverse_ledger_entry, waive_dues
from clubs.finance.dues.season_charges import charge_season
from clubs.models import Club, DuesSeason, LedgerEntry, Member, User
from common.problems import OfficerProblem
from operations.integrity.event_checks import check_events
from operations.integrity.ledger_checks import check_ledgers
from pairing.rounds.lifecycle.transitions import discard_draft, pair_round, publish_round, unpublish_round
from pairing.rounds.manual.arrangement import swap_colours, swap_players
from pairing.rounds.manual.changes import change_draft_manually
from pairing.rounds.manual.undo import undo_step
from tests.database_snapshot import database_snapshot
from tests.factories import make_club, make_event, make_member, make_user, played, player, published, round_of
from tournaments.audit_log.logged_results import results_from_log
from tournaments.check_in.byes import grant_requested_bye, mark_absent
from tournaments.check_in.presence import check_in_by_player, close_check_in
from tournaments.entries.enrolment import change_entry, enter_members, remove_entry, withdraw_player
from tournaments.models import Bye, Game, LogEntry, Round, Tournament
from tournaments.problems import ArbiterProblem
from tournaments.results.player_reporting import report_result
from tournaments.results.recording import correct_result, enter_result, finish_round, reopen_round
from tournaments.results.results_check import record_result_check

PLAYERS = 6

Action = Callable[[], object]
Actions = Mapping[str, Action]


# -- What can be done, by the state it begins from -------------------------------------------------------------------


def on_a_waiting_round(event: Tournament, secretary: User) -> Actions:
    """Round 2, with round 1 finished."""
    played(event, 1)
    first, second = round_of(event, 1), round_of(event, 2)
    game = first.games.get(board=1)
    one = player(event, 1)
    guest = make_member(event.club, "Nowy, Gość")
    return {
        "pair": partial(pair_round, second.pk, by=secretary),
        "bye": partial(grant_requested_bye, one, second, Bye.Kind.HALF_POINT, by=secretary),
        "absent": partial(mark_absent, one, second, by=secretary),
        "here": partial(check_in_by_player, one, second),
        "close the door": partial(close_check_in, second, not_seen={one.pk}, left_out=set(), by=secretary),
        "withdraw": partial(withdraw_player, one, 2, by=secretary),
        "enter": partial(enter_members, event, [guest], by=secretary),
        "change": partial(change_entry, one, by=secretary, rating=1234),
        "reopen": partial(reopen_round, first, by=secretary),
        "correct": partial(correct_result, game, "0-1", revision=game.revision, by=secretary),
    }


def on_a_draft(event: Tournament, secretary: User) -> Actions:
    """Round 2, paired and edited by hand once."""
    played(event, 1)
    first = round_of(event, 1)
    draft = pair_round(round_of(event, 2).pk, by=secretary).round
    change_draft_manually(draft, swap_colours(1), by=secretary, version=draft.version)
    draft.refresh_from_db()
    version = draft.version
    one, other = (draft.games.get(board=board).white_id for board in (1, 2))
    game = first.games.get(board=1)
    late = enter_members(event, [make_member(event.club, "Nowy, Gość")], by=secretary, from_round=2)[0]
    return {
        "publish": partial(publish_round, draft, by=secretary, version=version),
        "discard": partial(discard_draft, draft, by=secretary, version=version),
        "swap": partial(change_draft_manually, draft, swap_players(one, other), by=secretary, version=version),
        "undo": partial(undo_step, draft, by=secretary, version=version),
        "remove the late one": partial(remove_entry, late, by=secretary),
        "reopen": partial(reopen_round, first, by=secretary),
        "correct": partial(correct_result, game, "0-1", revision=game.revision, by=secretary),
    }


def on_a_published_round(event: Tournament, secretary: User) -> Actions:
    """Round 1 without results."""
    this_round = published(event, 1)
    game = this_round.games.get(board=1)
    for board in (2, 3):
        Game.objects.filter(round=this_round, board=board).delete()
    return {
        "White wins": partial(enter_result, game, "1-0", revision=0, by=secretary),
        "Black wins": partial(enter_result, game, "0-1", revision=0, by=secretary),
        "White reports": partial(report_result, game.white, game, "1-0", revision=0),
        "Black reports": partial(report_result, game.black, game, "1-0", revision=0),
        "finish": partial(finish_round, this_round, by=secretary),
        "take back": partial(unpublish_round, this_round, by=secretary, reason="race"),
        "publish": partial(publish_round, this_round, by=secretary, version=this_round.version),
    }


def on_a_round_with_results(event: Tournament, secretary: User) -> Actions:
    """Round 1, every board with a result."""
    this_round = published(event, 1)
    for game in this_round.games.all():
        enter_result(game, "1/2", revision=0, by=secretary)
    game = this_round.games.get(board=1)
    return {
        "take the result back": partial(enter_result, game, "", revision=1, by=secretary),
        "White wins": partial(enter_result, game, "1-0", revision=1, by=secretary),
        "White reports": partial(report_result, game.white, game, "1-0", revision=1),
        "read again": partial(record_result_check, game, "1-0", by=secretary),
        "finish": partial(finish_round, this_round, by=secretary),
        "take back": partial(unpublish_round, this_round, by=secretary, reason="race"),
    }


def on_a_finished_round(event: Tournament, secretary: User) -> Actions:
    """Round 1, finished."""
    played(event, 1)
    this_round = round_of(event, 1)
    game = this_round.games.get(board=1)
    second = round_of(event, 2)
    return {
        "reopen": partial(reopen_round, this_round, by=secretary),
        "White wins": partial(correct_result, game, "0-1", revision=game.revision, by=secretary),
        "draw": partial(correct_result, game, "1/2", revision=game.revision, by=secretary),
        "take the result back": partial(enter_result, game, "", revision=game.revision, by=secretary),
        "read again": partial(record_result_check, game, "1-0", by=secretary),
        "pair": partial(pair_round, second.pk, by=secretary),
        "finish": partial(finish_round, this_round, by=secretary),
    }


def on_a_ledger(event: Tournament, secretary: User) -> Actions:
    """A member who has been charged and has paid."""
    club, today = event.club, timezone.localdate()
    member: Member = make_member(club, "Nikt, Jan")
    season = DuesSeason.objects.create(
        club=club,
        name="2026",
        starts_on=today.replace(month=1, day=1),
        ends_on=today.replace(month=12, day=31),
        due_on=today,
    )
    season.fee_classes.create(name="Wszyscy", amount=12000)
    line = record_payment(member, 5000, method="cash", paid_on=today, by=secretary)
    key = uuid.uuid4()
    return {
        "pay": partial(record_payment, member, 1000, method="cash", paid_on=today, by=secretary),
        "pay by one form": partial(
            record_payment, member, 2000, method="cash", paid_on=today, by=secretary, form_key=key
        ),
        "charge": partial(charge_member, member, 3000, text="kubek", due_on=today, by=secretary),
        "charge the season": partial(charge_season, season, by=secretary),
        "refund": partial(record_refund, member, 4000, method="cash", paid_on=today, by=secretary),
        "take back": partial(reverse_ledger_entry, line, reason="race", by=secretary),
    }


def on_a_debt(event: Tournament, secretary: User) -> Actions:
    """A member who owes 60, of which 40 can be waived once."""
    today = timezone.localdate()
    member: Member = make_member(event.club, "Nikt, Jan")
    line = charge_member(member, 6000, text="kubek", due_on=today, by=secretary)
    return {
        "pay": partial(record_payment, member, 3000, method="cash", paid_on=today, by=secretary),
        "waive": partial(waive_dues, member, 4000, reason="race", by=secretary),
        "take back": partial(reverse_ledger_entry, line, reason="race", by=secretary),
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
        on_a_debt,
    )
}
NAMES = {
    "on_a_waiting_round": "pair,bye,absent,here,close the door,withdraw,enter,change,reopen,correct",
    "on_a_draft": "publish,discard,swap,undo,remove the late one,reopen,correct",
    "on_a_published_round": "White wins,Black wins,White reports,Black reports,finish,take back,publish",
    "on_a_round_with_results": "take the result back,White wins,White reports,read again,finish,take back",
    "on_a_finished_round": "reopen,White wins,draw,take the result back,read again,pair,finish",
    "on_a_ledger": "pay,pay by one form,charge,charge the season,refund,take back",
    "on_a_debt": "pay,waive,take back",
}
PAIRS = [
    (state, one, other)
    for state, names in NAMES.items()
    for one, other in combinations_with_replacement(names.split(","), 2)
]


class Outcome(NamedTuple):
    """How the two actions of a turn ended: each with nothing, or with a visible problem."""

    one: Exception | None
    other: Exception | None


Turns = Callable[[str, str, int], Iterator[Outcome]]
"""Two actions by name, and how often."""


@contextmanager
def arranged(state: str) -> Iterator[Turns]:
    """The state, and pairs of its actions repeated from it; everything they write stays.

    AssertionError, with the turn, where anything is wrong.
    """
    secretary = make_user("secretary")
    event = make_event(make_club(), players=PLAYERS, players_check_in=True, players_report_results=True)
    actions = STATES[state](event, secretary)
    assert set(actions) == set(NAMES[state].split(","))
    doctor, hands = Doctor(), Hands()
    with database_snapshot() as put_back, ExitStack() as ending:
        ending.callback(hands.end)

        def turns(one: str, other: str, times: int) -> Iterator[Outcome]:
            for turn in range(times):
                # Each has its own objects in memory, as two requests have.
                ended = hands.race(copy.deepcopy(actions[one]), copy.deepcopy(actions[other]))
                try:
                    what = f"turn {turn} of {one} / {other}: {ended}"
                    assert all(isinstance(error, None | ArbiterProblem | OfficerProblem) for error in ended), what
                    found = doctor.look()
                    assert found == [], f"{what}, {found}"
                    assert_results_are_those_of_the_log(event)
                    done = {name for name, error in zip((one, other), ended, strict=True) if error is None}
                    assert_acknowledged(state, event, done)
                finally:
                    put_back()
                yield ended

        yield turns


class Doctor:
    """The doctor's findings in events and books, requested thousands of times.

    What he finds follows from the rows he reads alone: where all of his questions have the answers that they had when
    he found nothing, he is not asked again. Most of his time goes into making the questions.
    """

    def __init__(self) -> None:
        self._sound: list[list[tuple[str, Any, list[Any]]]] = []

    def look(self) -> list[object]:
        if self._sound and self._is_known():
            return []
        asked: list[tuple[str, Any]] = []

        def note(execute: Callable[..., object], sql: str, given: Any, many: bool, context: Any) -> object:
            asked.append((sql, given))
            return execute(sql, given, many, context)

        with connection.execute_wrapper(note):
            found: list[object] = [*check_events(Tournament.objects.all()), *check_ledgers(Club.objects.all())]
        if not found:
            self._sound.append([(sql, given, _rows(sql, given)) for sql, given in asked])
        return found

    def _is_known(self) -> bool:
        answers: dict[str, list[Any]] = {}

        def rows_now(sql: str, given: Any) -> list[Any]:
            key = f"{sql} {given!r}"
            if key not in answers:
                answers[key] = _rows(sql, given)
            return answers[key]

        return any(all(rows_now(sql, given) == rows for sql, given, rows in each) for each in self._sound)


def _rows(sql: str, given: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        return list(cursor.fetchall())


class Hands:
    """Two threads, each with an open connection of its own, like a server's processes."""

    def __init__(self) -> None:
        self._tasks: list[SimpleQueue[tuple[Action, float] | None]] = [SimpleQueue(), SimpleQueue()]
        self._ended: list[SimpleQueue[Exception | None]] = [SimpleQueue(), SimpleQueue()]
        self._start = threading.Barrier(2)
        for place in range(2):
            threading.Thread(target=self._act, args=(place,), daemon=True).start()

    def race(self, one: Action, other: Action) -> Outcome:
        """The result of each action, both started at the same moment."""
        for tasks, action in zip(self._tasks, (one, other), strict=True):
            # Some start a little later than the other, so that all overlaps are tested.
            tasks.put((action, random.choice((0, 0, 0.001, 0.003, 0.006))))
        try:
            return Outcome(*(ended.get(timeout=60) for ended in self._ended))
        except Empty:
            raise AssertionError("they wait for each other") from None

    def end(self) -> None:
        """End the threads and close their connections."""
        for tasks, ended in zip(self._tasks, self._ended, strict=True):
            tasks.put(None)
            ended.get(timeout=60)

    def _act(self, place: int) -> None:
        while (task := self._tasks[place].get()) is not None:
            action, wait = task
            try:
                connection.ensure_connection()
                self._start.wait()
                time.sleep(wait)
                action()
            except Exception as error:
                self._ended[place].put(error)
            else:
                self._ended[place].put(None)
        connection.close()
        self._ended[place].put(None)


def assert_results_are_those_of_the_log(event: Tournament) -> None:
    """The board has the result of its latest log line."""
    told = results_from_log(
        LogEntry.objects.filter(tournament=event).order_by("pk").values("action", "details", "round_id")
    )
    boards = Game.objects.filter(round__tournament=event)
    stored = {(key, board): result for key, board, result in boards.values_list("round", "board", "result") if result}
    assert stored == {place: result for place, result in told.results.items() if result}


def assert_acknowledged(state: str, event: Tournament, done: set[str]) -> None:
    """An action without a problem was done, and only once if it can only be done once."""
    if state == "on_a_published_round" and done & {"White wins", "Black wins"}:
        wanted = {{"White wins": "1-0", "Black wins": "0-1"}[name] for name in done & {"White wins", "Black wins"}}
        assert Game.objects.get(round__tournament=event).result in wanted
        assert event.rounds.get(number=1).state != Round.State.DRAFT
    if state in ("on_a_ledger", "on_a_debt"):
        amounts = [abs(amount) for amount in LedgerEntry.objects.order_by("pk").values_list("amount", flat=True)]
        once = {"pay by one form": 2000, "charge the season": 12000, "refund": 4000, "waive": 4000}
        assert [amounts.count(once[name]) for name in done if name in once] == [1 for name in done if name in once]
        # The line itself, and once the line that reverses it.
        line = 5000 if state == "on_a_ledger" else 6000
        assert amounts.count(line) == (2 if "take back" in done else 1)
