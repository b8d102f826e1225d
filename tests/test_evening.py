"""A short evening through the application's functions: on SQLite here, on PostgreSQL in test_postgresql.py."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connection, transaction

from clubs.models import Club, Member, User
from pairing.rounds.lifecycle.transitions import discard_draft, pair_round, publish_round
from tournaments.check_in.byes import mark_absent
from tournaments.entries.enrolment import enter_members, enter_pasted_list, forbid_pair
from tournaments.events.event_setup import create_tournament
from tournaments.models import Bye, Entry, Game, PairingSystem, Round, Tournament
from tournaments.problems import ArbiterProblem, ResultConflict
from tournaments.results.recording import correct_result, enter_result, finish_round

pytestmark = pytest.mark.every_database

NAMES = ["Lipka, Hania", "Dąb, Jerzy", "Bříza, Věra", "Klon, Ola", "Јасен, Вук", "Явор, Петър", "Olcha, Iga"]


@pytest.fixture
def event(club: Club, secretary: User) -> Tournament:
    """An event of three rounds by Jahr's method with seven players, five of them members."""
    tournament = create_tournament(club, by=secretary, name="Środa", rounds_announced=3, system=PairingSystem.JAHR)
    members = [
        Member.objects.create(club=club, family_name=family, given_name=given, rating=1900 - 50 * place)
        for place, (family, given) in enumerate(name.split(", ") for name in NAMES[:5])
    ]
    enter_members(tournament, members, by=secretary)
    enter_pasted_list(tournament, "\n".join(f"{name}; 1600" for name in NAMES[5:]), by=secretary)
    return tournament


def round_of(event: Tournament, number: int) -> Round:
    return event.rounds.get(number=number)


def play(event: Tournament, number: int, by: User) -> None:
    """Pair, publish and finish a round; White wins everywhere."""
    draft = pair_round(round_of(event, number).pk, by=by).round
    published = publish_round(draft, by=by, version=draft.version)
    for game in published.games.all():
        enter_result(game, Game.Result.WHITE_WINS, revision=game.revision, by=by)
    finish_round(published, by=by)


@pytest.mark.django_db
def test_an_evening_refuses_what_comes_too_early(event, secretary):
    with pytest.raises(ArbiterProblem):
        pair_round(round_of(event, 2).pk, by=secretary)
    draft = pair_round(round_of(event, 1).pk, by=secretary).round
    board = draft.games.get(board=1)
    with pytest.raises(ArbiterProblem):
        enter_result(board, Game.Result.DRAW, revision=board.revision, by=secretary)
    with pytest.raises(ArbiterProblem):
        finish_round(draft, by=secretary)
    publish_round(draft, by=secretary, version=draft.version)
    with pytest.raises(ArbiterProblem):
        finish_round(draft, by=secretary)
    with pytest.raises(ArbiterProblem):
        discard_draft(draft, by=secretary)


@pytest.mark.django_db
def test_three_rounds_of_an_evening(event, secretary):
    play(event, 1, secretary)
    late = event.entries.get(name="Olcha, Iga")
    mark_absent(late, round_of(event, 2), by=secretary)
    play(event, 2, secretary)
    play(event, 3, secretary)

    games = Game.objects.filter(round__tournament=event)
    byes = Bye.objects.filter(round__tournament=event)
    assert [games.filter(round__number=number).count() for number in (1, 2, 3)] == [3, 3, 3]
    assert not byes.filter(round__number=2, kind=Bye.Kind.PAIRING_ALLOCATED).exists()
    met = [frozenset(pair) for pair in games.values_list("white", "black")]
    assert len(met) == len(set(met)), "two players met twice"
    with_a_bye = list(byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).values_list("entry", flat=True))
    assert len(with_a_bye) == len(set(with_a_bye)) == 2
    assert event.log.filter(action="round published").count() == 3


@pytest.mark.django_db
def test_pairing_twice_gives_the_draft_that_is_there(event, secretary):
    first = pair_round(round_of(event, 1).pk, by=secretary)
    second = pair_round(round_of(event, 1).pk, by=secretary)
    assert (first.is_new, second.is_new) == (True, False)
    assert first.round.version == second.round.version


@pytest.mark.django_db
def test_no_legal_round_changes_nothing(event, secretary):
    players = list(event.entries.all())
    for place, one in enumerate(players):
        for other in players[place + 1 :]:
            forbid_pair(one, other, by=secretary)
    with pytest.raises(ArbiterProblem):
        pair_round(round_of(event, 1).pk, by=secretary)
    assert round_of(event, 1).state == Round.State.WAITING
    assert not Game.objects.exists()
    assert not Entry.objects.exclude(tpn=None).exists()


@pytest.mark.django_db
def test_a_correction_needs_the_board_as_it_is(event, secretary):
    play(event, 1, secretary)
    board = round_of(event, 1).games.get(board=1)
    with pytest.raises(ResultConflict):
        correct_result(board, Game.Result.DRAW, revision=board.revision - 1, by=secretary)
    corrected = correct_result(board, Game.Result.DRAW, revision=board.revision, by=secretary)
    assert (corrected.result, corrected.revision) == (Game.Result.DRAW, board.revision + 1)


@pytest.mark.django_db
def test_the_database_itself_refuses_contradictions(event, secretary):
    """Constraints apply to every program: no player twice in a round, no two byes by pairing, no unknown result."""
    draft = pair_round(round_of(event, 1).pk, by=secretary).round
    board = draft.games.get(board=1)
    bye = draft.byes.get(kind=Bye.Kind.PAIRING_ALLOCATED)
    contradictions = [
        lambda: Game.objects.create(round=draft, board=1, white=bye.entry, black=board.black),
        lambda: Game.objects.create(round=draft, board=9, white=bye.entry, black=bye.entry),
        lambda: Bye.objects.create(round=draft, entry=board.white, kind=Bye.Kind.PAIRING_ALLOCATED),
        lambda: Game.objects.filter(pk=board.pk).update(result="2-0"),
        lambda: Round.objects.filter(pk=draft.pk).update(state="lost"),
        lambda: Entry.objects.filter(pk=bye.entry.pk).update(tpn=board.white.tpn),
    ]
    for contradict in contradictions:
        with pytest.raises(IntegrityError), transaction.atomic():
            contradict()


@pytest.mark.django_db(transaction=True)
def test_two_laptops_at_the_same_time(event, secretary):
    """Both pair, both publish, both enter a result of the same board: one of each counts."""
    drafts = at_the_same_time(lambda _: pair_round(round_of(event, 1).pk, by=secretary))
    assert sorted(draft.is_new for draft in drafts) == [False, True]
    version = drafts[0].round.version
    at_the_same_time(lambda _: publish_round(round_of(event, 1), by=secretary, version=version))
    assert event.log.filter(action="round published").count() == 1

    board = round_of(event, 1).games.get(board=1)

    def enter(laptop: int) -> str:
        result = [Game.Result.WHITE_WINS, Game.Result.BLACK_WINS][laptop]
        try:
            return enter_result(board, result, revision=board.revision, by=secretary).result
        except ResultConflict:
            return "refused"

    answers = at_the_same_time(enter)
    assert answers.count("refused") == 1
    assert set(answers) == {"refused", round_of(event, 1).games.get(board=1).result}


def at_the_same_time(act):
    """The results of `act(0)` and `act(1)`, each in a thread with its own connection, started together."""
    barrier = Barrier(2)

    def begin(laptop):
        try:
            barrier.wait(timeout=10)
            return act(laptop)
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=2) as threads:
        return list(threads.map(begin, range(2)))
