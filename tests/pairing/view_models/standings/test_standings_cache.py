"""Tables are cached while their event is unchanged, and never longer."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.db import connection, transaction

from clubs.models import Club
from pairing.rounds.lifecycle.transitions import unpublish_round
from pairing.view_models.standings.event_standings import (
    MAX_CACHED_ROWS,
    EventStandings,
    TableCache,
    get_event_standings,
)
from pairing.view_models.standings.lots import draw_lots, redraw_all_lots
from tests.factories import make_club, make_event, make_member, played, player, published
from tournaments.entries.enrolment import (
    change_entry,
    enter_members,
    enter_pasted_list,
    reinstate_player,
    remove_entry,
    withdraw_player,
)
from tournaments.events.event_setup import change_tournament
from tournaments.models import Game, PairingSystem, Tournament
from tournaments.privacy.personal_data import erase_person
from tournaments.results.recording import correct_result, enter_result, finish_round, reopen_round

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def club() -> Club:
    return make_club()


def said(table: EventStandings) -> list[tuple[object, ...]]:
    """Everything that a page shows of a table."""
    own = ("tpn", "name", "rating", "lot", "withdrawn_from_round", "birth")
    return [
        (table.columns, row.place, row.points, row.values, *(getattr(row.entry, name) for name in own))
        for row in table.rows
    ]


def made_anew(event: Tournament) -> list[tuple[object, ...]]:
    """The table without any cache: inside a transaction it is always calculated."""
    with transaction.atomic():
        return said(get_event_standings(Tournament.objects.get(pk=event.pk)))


def enter(event: Tournament, result: str = Game.Result.WHITE_WINS) -> None:
    game = Game.objects.filter(round__tournament=event, result=Game.Result.PENDING).earliest("round__number", "board")
    enter_result(game, result, revision=game.revision, by=None)


def correct(event: Tournament) -> None:
    game = Game.objects.get(round__tournament=event, round__number=1, board=1)
    other = Game.Result.DRAW if game.result == Game.Result.WHITE_WINS else Game.Result.WHITE_WINS
    correct_result(game, other, revision=game.revision, by=None, reason="read wrongly")


def finish_and_reopen(event: Tournament) -> None:
    while Game.objects.filter(round__tournament=event, result=Game.Result.PENDING).exists():
        enter(event, Game.Result.DRAW)
    finish_round(event.rounds.get(number=2), by=None)
    reopen_round(event.rounds.get(number=2), by=None)


def take_back(event: Tournament) -> None:
    unpublish_round(event.rounds.get(number=2), by=None, reason="a wrong name")


def newcomer(event: Tournament) -> None:
    enter_pasted_list(event, "Nowy, Nikt; 1999", by=None, from_round=3)


def erase_member(event: Tournament) -> None:
    entry = event.entries.exclude(member=None).get()
    event.rounds.update(state="finished")  # a player cannot be erased during an event
    assert entry.member is not None
    erase_person(entry.member, in_results=True, by=None)


CHANGES: list[Callable[[Tournament], object]] = [
    enter,
    correct,
    finish_and_reopen,
    take_back,
    newcomer,
    erase_member,
    lambda event: change_entry(player(event, 3), by=None, name="Inaczej, Nazwany"),
    lambda event: change_entry(player(event, 3), by=None, rating=1234),
    lambda event: change_entry(player(event, 3), by=None, birth="1931"),
    lambda event: withdraw_player(player(event, 3), 3, by=None),
    lambda event: draw_lots(event, by=None),
    lambda event: change_tournament(event, by=None, tie_breaks=["SB", "BH"]),
    lambda event: change_tournament(event, by=None, tie_breaks=["BH/C1"], starts_on=date(2025, 1, 1)),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_done_shows_at_once(club, change):
    event = make_event(club, players=8, system=PairingSystem.DUTCH_1992)
    enter_members(event, [make_member(club, "Członek, Jan", 1500)], by=None)
    played(event, 1)
    published(event, 2)
    before = said(get_event_standings(event))
    assert said(get_event_standings(event)) == before
    change(event)
    now = said(get_event_standings(Tournament.objects.get(pk=event.pk)))
    assert now == made_anew(event)
    assert now != before


def test_what_is_done_twice_shows_twice(club):
    """Back to the earlier data: the state is a new one all the same."""
    event = make_event(club, players=4)
    played(event, 1)
    here = said(get_event_standings(event))
    withdraw_player(player(event, 2), 2, by=None)
    away = said(get_event_standings(event))
    reinstate_player(player(event, 2), by=None)
    assert said(get_event_standings(event)) == here != away
    draw_lots(event, by=None)
    first = said(get_event_standings(event))
    redraw_all_lots(event, by=None, reason="a slip was lost")
    assert said(get_event_standings(event)) == made_anew(event) != first


def test_the_starting_list_is_not_kept_beyond_a_removal(club):
    event = make_event(club, players=4)
    assert len(get_event_standings(event).rows) == 4
    remove_entry(player(event, 4), by=None)
    assert len(get_event_standings(event).rows) == 3


def test_a_change_taken_back_by_the_database_was_never_shown(club):
    """The next log line then has the same number as another one before."""
    event = make_event(club, players=4)
    published(event, 1)
    with transaction.atomic():
        enter(event, Game.Result.BLACK_WINS)
        get_event_standings(event)
        transaction.set_rollback(True)
    enter(event, Game.Result.WHITE_WINS)
    assert said(get_event_standings(event)) == made_anew(event)


def test_a_result_entered_by_another_process_shows_at_once(club):
    if connection.vendor != "sqlite":
        pytest.skip("the other process is given a SQLite file here")
    event = make_event(club, players=4)
    game = published(event, 1).games.get(board=1)
    before = said(get_event_standings(event))
    program = (
        "import django; django.setup()\n"
        "from tournaments.models import Game\n"
        "from tournaments.results.recording import enter_result\n"
        f"enter_result(Game.objects.get(pk={game.pk}), '1-0', revision=0, by=None)\n"
    )
    environment = os.environ | {
        "CLUBNIGHT_DATABASE": str(connection.settings_dict["NAME"]),
        "CLUBNIGHT_SECRET_KEY": configured.SECRET_KEY,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, env=environment)
    assert said(get_event_standings(event)) == made_anew(event) != before


def test_asking_again_costs_one_query(club, django_assert_num_queries):
    event = make_event(club, players=8)
    played(event, 1)
    first = get_event_standings(event, 1)
    with django_assert_num_queries(1):
        again = get_event_standings(event, 1)
    assert again.ranking is first.ranking


def test_every_event_and_every_round_has_its_own(club):
    one, other = make_event(club, players=4), make_event(club, players=4)
    played(one, 1)
    published(one, 2)
    played(other, 1, seed=2)
    for _again in range(2):
        assert {row.entry.tournament_id for row in get_event_standings(one).rows} == {one.pk}
        assert {row.entry.tournament_id for row in get_event_standings(other).rows} == {other.pk}
        assert [get_event_standings(one, number).after_round for number in (1, 2)] == [1, 2]


@dataclass
class Long:
    rows: tuple[object, ...]


def test_only_so_many_rows_are_kept():
    kept: TableCache[Long] = TableCache()
    made: list[str] = []

    def ask(name: str, rows: int) -> None:
        def make() -> Long:
            made.append(name)
            return Long((None,) * rows)

        assert len(kept.get_or_build_table(name, "state", make).rows) == rows

    ask("first", MAX_CACHED_ROWS // 2)
    ask("second", MAX_CACHED_ROWS // 2)
    ask("first", MAX_CACHED_ROWS // 2)
    assert made == ["first", "second"]
    ask("third", 1)  # the entry that was not used for longest is removed
    ask("first", MAX_CACHED_ROWS // 2)
    assert made == ["first", "second", "third"]
    ask("second", MAX_CACHED_ROWS // 2)
    assert made == ["first", "second", "third", "second"]
    ask("very long", 2 * MAX_CACHED_ROWS)
    ask("very long", 2 * MAX_CACHED_ROWS)
    assert made[-2:] == ["second", "very long"]
