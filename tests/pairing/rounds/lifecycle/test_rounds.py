"""From an unpaired round to a published pairing, and back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from pairing.engine.snapshot import Result
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.explanations.reason_json import reasons_from_json
from pairing.rounds.lifecycle import transitions as rounds
from pairing.rounds.lifecycle.board_storage import stored_boards
from pairing.rounds.lifecycle.draft_checks import is_draft_outdated
from pairing.rounds.lifecycle.jobs import create_pairing_job
from pairing.rounds.lifecycle.transitions import (
    discard_draft,
    pair_round,
    publish_round,
    save_draft,
    take_pairing_snapshot,
    unpublish_round,
)
from pairing.tasks import pair_round_task
from tests.factories import draft_of, make_club, make_event, played, player, published, round_of
from tournaments.check_in.byes import grant_requested_bye, mark_absent
from tournaments.entries.enrolment import enter_pasted_list, forbid_pair, withdraw_player
from tournaments.models import Bye, Entry, Game, PairingSystem, Round
from tournaments.problems import ArbiterProblem, PairingChanged
from tournaments.results.recording import correct_result, enter_result


@pytest.fixture
def event(club):
    return make_event(club, players=7)


def seats(this_round: Round) -> list[tuple[Entry, Entry]]:
    return [(game.white, game.black) for game in this_round.games.select_related("white", "black")]


def unpaired(event) -> bool:
    """Nothing of round 1 has been entered."""
    return not (
        Game.objects.exists()
        or Bye.objects.exists()
        or Entry.objects.exclude(tpn=None).exists()
        or round_of(event, 1).state != Round.State.WAITING
    )


# -- What is refused -----------------------------------------------------------------------------------------------


def test_no_round_is_paired_before_its_time(event):
    with pytest.raises(ArbiterProblem):
        pair_round(round_of(event, 2).pk, by=None)
    published(event, 1)
    with pytest.raises(ArbiterProblem) as problem:
        pair_round(round_of(event, 2).pk, by=None)
    assert "1" in problem.value.message


def test_nobody_there_means_no_round(club):
    event = make_event(club)
    with pytest.raises(ArbiterProblem):
        pair_round(round_of(event, 1).pk, by=None)
    enter_pasted_list(event, "Kot, Ala", by=None)
    mark_absent(event.entries.get(), round_of(event, 1), by=None)
    with pytest.raises(ArbiterProblem):
        pair_round(round_of(event, 1).pk, by=None)


def test_where_no_legal_round_exists_the_arbiter_is_told_and_nothing_changes(club):
    event = make_event(club, players=2)
    forbid_pair(player(event, 1), player(event, 2), by=None)
    with pytest.raises(ArbiterProblem) as problem:
        pair_round(round_of(event, 1).pk, by=None)
    assert "Nr001" in problem.value.message
    assert "Nr002" in problem.value.message
    assert set(problem.value.entries) == {player(event, 1), player(event, 2)}
    assert unpaired(event)


def test_a_failure_of_ours_is_no_arbiters_problem_and_changes_nothing(event, monkeypatch):
    def broken(_snapshot):
        raise ZeroDivisionError

    monkeypatch.setattr(rounds, "PAIRING_SYSTEMS", {"jahr": broken})
    with pytest.raises(ZeroDivisionError):
        pair_round(round_of(event, 1).pk, by=None)
    assert unpaired(event)


def test_a_draft_of_another_event_state_is_not_saved(event):
    this_round = round_of(event, 1)
    snapshot = take_pairing_snapshot(this_round)
    paired = PAIRING_SYSTEMS[snapshot.system](snapshot)
    mark_absent(player(event, 3), this_round, by=None)
    assert save_draft(this_round, snapshot, paired, by=None) is None
    assert not Game.objects.exists()


def test_what_changes_while_pairing_is_paired_anew(event, monkeypatch):
    calls = []

    def interrupted(snapshot):
        calls.append(len([card for card in snapshot.cards if card.unavailable is None]))
        if len(calls) == 1:
            mark_absent(player(event, 7), round_of(event, 1), by=None)
        return PAIRING_SYSTEMS["jahr"](snapshot)

    monkeypatch.setattr(rounds, "PAIRING_SYSTEMS", {"jahr": interrupted})
    draft = pair_round(round_of(event, 1).pk, by=None)
    assert calls == [7, 6]
    assert draft.round.games.count() == 3
    assert not draft.round.byes.filter(kind="U").exists()


def test_an_event_that_never_stands_still_is_given_up(event, monkeypatch):
    def restless(snapshot):
        enter_pasted_list(event, f"Kot, Nr{event.entries.count()}", by=None)
        return PAIRING_SYSTEMS["jahr"](snapshot)

    monkeypatch.setattr(rounds, "PAIRING_SYSTEMS", {"jahr": restless})
    with pytest.raises(ArbiterProblem):
        pair_round(round_of(event, 1).pk, by=None)
    assert unpaired(event)


# -- Pairing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", [PairingSystem.JAHR, PairingSystem.FIDE_1989])
def test_everyone_once_and_nobody_twice_against_the_same(system, club):
    event = make_event(club, players=9, rounds=5, system=system)
    for number in range(1, 6):
        this_round = played(event, number, seed=number)
        seated = [entry.pk for pair in seats(this_round) for entry in pair]
        seated += this_round.byes.values_list("entry", flat=True)
        assert sorted(seated) == sorted(event.entries.values_list("pk", flat=True))
    met = [frozenset(pair) for pair in Game.objects.values_list("white", "black")]
    assert len(set(met)) == len(met)


def test_numbers_are_given_by_the_starting_list(event, secretary):
    draft = pair_round(round_of(event, 1).pk, by=secretary)
    assert draft.is_new
    assert [entry.name for entry in event.entries.order_by("tpn")] == [
        f"Pionek, Nr00{number}" for number in range(1, 8)
    ]
    assert (draft.round.state, draft.round.version) == (Round.State.DRAFT, 1)
    assert event.log.first().actor == secretary


def test_the_reasons_are_kept_as_the_engine_gave_them(event):
    played(event, 1)
    this_round = round_of(event, 2)
    snapshot = take_pairing_snapshot(this_round)
    paired = PAIRING_SYSTEMS[snapshot.system](snapshot)
    saved = pair_round(this_round.pk, by=None).round
    assert [reasons_from_json(game.reasons) for game in saved.games.all()] == [game.reasons for game in paired.games]
    assert paired.bye
    assert reasons_from_json(saved.byes.get().reasons) == paired.bye.reasons
    scores = {str(Entry.objects.get(tpn=score.tpn).pk): score.pairing_score for score in paired.scores}
    assert saved.scores == scores


def test_the_seats_of_a_round_are_read_as_they_were_written(event):
    games = list(draft_of(event, 1).games.order_by("board"))
    games[1].reasons = [{"cause": "sample data"}]
    games[1].save()
    kept = [{"board": 1 + at, "white": game.white_id, "black": game.black_id} for at, game in enumerate(games)]
    seats = stored_boards(games[0].round)
    assert [{key: each[key] for key in ("board", "white", "black")} for each in seats] == kept
    assert seats[1]["reasons"] == [{"cause": "sample data"}]


def test_byes_and_absences_reach_the_engine(event):
    grant_requested_bye(player(event, 2), round_of(event, 1), "H", by=None)
    mark_absent(player(event, 3), round_of(event, 1), by=None)
    withdraw_player(player(event, 4), 1, by=None)
    cards = take_pairing_snapshot(round_of(event, 1)).cards
    not_there = {card.name[-1]: card.unavailable.result for card in cards if card.unavailable}
    assert not_there == {"2": Result.HALF_POINT_BYE, "3": Result.ABSENT, "4": Result.ABSENT}
    assert draft_of(event, 1).games.count() == 2


@pytest.mark.parametrize("players", [7, 40])
def test_a_snapshot_costs_the_same_whatever_the_size(players, club, django_assert_num_queries):
    event = make_event(club, players=players)
    played(event, 1)
    this_round = round_of(event, 2)
    with django_assert_num_queries(5):
        take_pairing_snapshot(this_round)


def test_two_clicks_one_draft(event):
    first, second = (pair_round(round_of(event, 1).pk, by=None) for _ in range(2))
    assert (first.is_new, second.is_new) == (True, False)
    assert event.log.filter(action="round paired").count() == 1


def test_the_task_may_run_twice(event, secretary):
    job = create_pairing_job(round_of(event, 1), by=secretary)
    for _ in range(2):
        pair_round_task(job.pk)
    assert round_of(event, 1).version == 1
    assert event.log.get(action="round paired").actor == secretary


@pytest.mark.django_db(transaction=True)
def test_two_at_once_one_draft():
    """Both have computed a pairing before either saves."""
    event = make_event(make_club(), players=12)
    barrier = Barrier(2)
    computed = PAIRING_SYSTEMS["jahr"]

    def pair(_laptop):
        try:
            return pair_round(round_of(event, 1).pk, by=None)
        finally:
            connection.close()

    def together(snapshot):
        paired = computed(snapshot)
        barrier.wait(timeout=20)
        return paired

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as threads:
        patch.setattr(rounds, "PAIRING_SYSTEMS", {"jahr": together})
        drafts = list(threads.map(pair, range(2)))
    assert sorted(draft.is_new for draft in drafts) == [False, True]
    assert Game.objects.count() == 6
    assert event.log.filter(action="round paired").count() == 1


# -- Discarding and publishing -------------------------------------------------------------------------------------


def test_a_published_round_is_not_discarded(event):
    this_round = published(event, 1)
    with pytest.raises(ArbiterProblem):
        discard_draft(this_round, by=None)
    assert this_round.games.count() == 3


def test_a_discarded_draft_leaves_a_waiting_round(event):
    grant_requested_bye(player(event, 2), round_of(event, 1), "H", by=None)
    draft = draft_of(event, 1)
    discarded = discard_draft(draft, by=None)
    assert (discarded.state, discarded.version, discarded.scores) == (Round.State.WAITING, 2, {})
    assert not Game.objects.exists()
    assert Bye.objects.get().kind == "H", "a bye asked for is not the pairing's to take back"
    assert discard_draft(draft, by=None).version == 2, "there is nothing to discard any more"


def test_numbers_stay_when_a_later_draft_is_discarded(event):
    played(event, 1)
    discard_draft(draft_of(event, 2), by=None)
    assert not event.entries.filter(tpn=None).exists()


def test_only_the_draft_that_was_seen_is_published(event):
    draft = draft_of(event, 1)
    with pytest.raises(PairingChanged):
        publish_round(draft, by=None, version=draft.version + 1)
    discard_draft(draft, by=None)
    with pytest.raises(ArbiterProblem):
        publish_round(draft, by=None, version=draft.version)
    again = draft_of(event, 1)
    with pytest.raises(PairingChanged):
        publish_round(again, by=None, version=draft.version)
    publish_round(again, by=None, version=again.version)
    assert publish_round(again, by=None, version=again.version).state == Round.State.PUBLISHED
    assert event.log.filter(action="round published").count() == 1


def test_a_round_is_taken_back_with_a_reason_and_before_any_result(event, arbiter):
    this_round = published(event, 1)
    with pytest.raises(ArbiterProblem):
        unpublish_round(this_round, by=arbiter, reason="  ")
    game = this_round.games.get(board=2)
    enter_result(game, "1/2", revision=0, by=arbiter)
    with pytest.raises(ArbiterProblem) as problem:
        unpublish_round(this_round, by=arbiter, reason="Two boards were set up wrongly.")
    assert [game.board for game in problem.value.games] == [2]
    enter_result(game, "", revision=1, by=arbiter)
    assert unpublish_round(this_round, by=arbiter, reason="Two boards were set up wrongly.").state == Round.State.DRAFT
    entry = event.log.first()
    assert (entry.actor, entry.details) == (arbiter, {"reason": "Two boards were set up wrongly."})
    with pytest.raises(ArbiterProblem):
        unpublish_round(this_round, by=arbiter, reason="again")


# -- Out of date ---------------------------------------------------------------------------------------------------


def test_a_draft_is_out_of_date_when_a_score_changes(event):
    game = played(event, 1).games.get(board=1)
    draft = draft_of(event, 2)
    assert not is_draft_outdated(draft)
    other = "1-0" if game.result != "1-0" else "0-1"
    correct_result(game, other, revision=game.revision, by=None)
    assert is_draft_outdated(draft)


def test_a_draft_is_out_of_date_when_somebody_comes(event):
    draft = draft_of(event, 1)
    assert not is_draft_outdated(draft)
    enter_pasted_list(event, "Kot, Ala; 1500", by=None)
    assert is_draft_outdated(draft)
