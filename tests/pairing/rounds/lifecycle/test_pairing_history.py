"""Undo, redo and restore points of an unpublished round."""

from __future__ import annotations

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pairing.models import PairingCause, RestorePoint
from pairing.rounds.lifecycle.board_storage import stored_boards, stored_byes
from pairing.rounds.lifecycle.transitions import discard_draft, pair_round, publish_round, unpublish_round
from pairing.rounds.manual import arrangement as by_hand
from pairing.rounds.manual.changes import load_arrangement
from pairing.rounds.manual.undo import finish_editing_session, redo_step, restore_pairing, undo_history, undo_step
from tests.factories import draft_of, make_event, played, player, round_of
from tests.pairing.rounds.lifecycle.round_states import back, change, everything, forth, now
from tournaments.check_in.byes import grant_requested_bye, mark_absent
from tournaments.entries.enrolment import enter_pasted_list, remove_entry
from tournaments.models import Bye, Round
from tournaments.problems import ArbiterProblem, PairingChanged
from tournaments.results.recording import reopen_round


@pytest.fixture
def event(club):
    return make_event(club, players=7)


# -- What is refused -----------------------------------------------------------------------------------------------


def test_nothing_to_undo(event, secretary):
    waiting = round_of(event, 1)
    for step in (undo_step, redo_step):
        with pytest.raises(ArbiterProblem):
            step(waiting, by=secretary, version=0)
    draft = draft_of(event, 1)
    with pytest.raises(ArbiterProblem):
        redo_step(draft, by=secretary, version=draft.version)


def test_only_the_pairing_that_was_seen_is_undone(event, secretary):
    draft = draft_of(event, 1)
    seen = draft.version
    draft = change(draft, by_hand.swap_colours(1), secretary)
    turned = everything(draft)
    for step in (undo_step, redo_step):
        with pytest.raises(PairingChanged):
            step(draft, by=secretary, version=seen)
    assert everything(draft) == turned
    undo_step(draft, by=secretary, version=draft.version)
    with pytest.raises(PairingChanged):
        undo_step(draft, by=secretary, version=draft.version)
    assert now(draft).state == Round.State.DRAFT, "the second press has undone nothing"


def test_a_published_pairing_is_not_undone(event, secretary):
    draft = draft_of(event, 1)
    discard_draft(draft, by=secretary)
    draft = change(draft_of(event, 1), by_hand.swap_colours(1), secretary)
    point = draft.restore_points.last()
    shown = publish_round(draft, by=secretary, version=draft.version)
    before = everything(shown)
    for act in (
        lambda: undo_step(shown, by=secretary, version=shown.version),
        lambda: redo_step(shown, by=secretary, version=shown.version),
        lambda: restore_pairing(point, by=secretary, version=shown.version),
    ):
        with pytest.raises(ArbiterProblem):
            act()
    assert everything(shown) == before
    assert undo_history(shown).undoable is None
    assert undo_history(shown).restore_points == ()
    assert shown.steps.count() == 0


def test_a_pairing_of_players_who_are_gone_is_not_restored(event, secretary):
    draft = draft_of(event, 1)
    discarded = discard_draft(draft, by=secretary)
    remove_entry(player(event, 3), by=secretary)
    before = everything(discarded)
    with pytest.raises(ArbiterProblem):
        restore_pairing(discarded.restore_points.get(), by=secretary, version=discarded.version)
    with pytest.raises(ArbiterProblem):
        undo_step(discarded, by=secretary, version=discarded.version)
    assert everything(discarded) == before


def test_a_pairing_is_not_restored_while_the_round_before_is_open_again(event, secretary):
    played(event, 1)
    discarded = discard_draft(draft_of(event, 2), by=secretary)
    reopen_round(round_of(event, 1), by=secretary)
    with pytest.raises(ArbiterProblem):
        undo_step(discarded, by=secretary, version=discarded.version)
    assert now(discarded).state == Round.State.WAITING


# -- Undo and redo -------------------------------------------------------------------------------------------------


def test_every_step_back_and_forth(event, secretary):
    waiting = round_of(event, 1)
    grant_requested_bye(player(event, 2), waiting, "H", by=secretary)
    states = [everything(waiting)]
    draft = pair_round(waiting.pk, by=secretary).round
    states.append(everything(draft))
    board = draft.games.get(board=1)
    for operation in (
        by_hand.swap_players(board.white_id, draft.games.get(board=2).black_id),
        by_hand.swap_colours(2),
        by_hand.move_board(3, 1),
        by_hand.remove_pair(1),
        by_hand.remove_player(board.black_id),
        by_hand.add_player(player(event, 2).pk),
    ):
        draft = change(draft, operation, secretary)
        states.append(everything(draft))
    versions = [draft.version]
    discarded = discard_draft(draft, by=secretary)
    states.append(everything(discarded))
    for state in reversed(states[:-1]):
        versions.append(back(draft, secretary).version)
        assert everything(draft) == state
    with pytest.raises(ArbiterProblem):
        back(draft, secretary)
    for state in states[1:]:
        versions.append(forth(draft, secretary).version)
        assert everything(draft) == state
    assert versions == sorted(set(versions)), "the version grows with each"
    assert event.log.filter(action="step undone").count() == len(states) - 1


def test_a_new_step_forgets_those_undone(event, secretary):
    draft = change(draft_of(event, 1), by_hand.swap_colours(1), secretary)
    draft = back(draft, secretary)
    assert undo_history(draft).redoable.cause == PairingCause.COLOURS
    draft = change(draft, by_hand.swap_colours(2), secretary)
    assert undo_history(draft).redoable is None
    assert [step.cause for step in draft.steps.all()] == [PairingCause.FOUND, PairingCause.PAIRED, PairingCause.COLOURS]


def test_an_absence_noted_between_two_steps_stays_where_it_was_noted(event, secretary):
    draft = draft_of(event, 1)
    discarded = discard_draft(draft, by=secretary)
    mark_absent(player(event, 7), discarded, by=secretary)
    waiting = everything(discarded)
    again = draft_of(event, 1)
    assert again.games.count() == 3
    assert not again.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED).exists()
    back(again, secretary)
    assert everything(again) == waiting, "still absent"
    back(again, secretary)
    assert player(event, 7).pk in {one["entry"] for one in stored_byes(now(again))} | {
        key for one in stored_boards(now(again)) for key in (one["white"], one["black"])
    }
    assert not now(again).byes.filter(kind=Bye.Kind.ABSENT).exists(), "he was there when it was paired"
    forth(again, secretary)
    assert everything(again) == waiting


def test_a_late_entry_keeps_its_bye_when_steps_are_undone(event, secretary):
    draft = draft_of(event, 1)
    (late,) = enter_pasted_list(event, "Kot, Ala", by=secretary, from_round=2)
    noted = list(draft.byes.filter(entry=late).values_list("kind", flat=True))
    draft = change(draft, by_hand.swap_colours(1), secretary)
    draft = back(draft, secretary)
    assert list(draft.byes.filter(entry=late).values_list("kind", flat=True)) == noted


def test_numbers_of_round_1_go_and_come_with_its_pairing(event, secretary):
    draft = draft_of(event, 1)
    numbers = everything(draft)["numbers"]
    assert None not in numbers.values()
    discarded = discard_draft(draft, by=secretary)
    assert set(everything(discarded)["numbers"].values()) == {None}
    back(discarded, secretary)
    assert everything(draft)["numbers"] == numbers


def test_taken_back_after_publishing_begins_anew(event, secretary):
    draft = change(draft_of(event, 1), by_hand.swap_colours(1), secretary)
    shown = publish_round(draft, by=secretary, version=draft.version)
    before = everything(shown)
    taken = unpublish_round(shown, by=secretary, reason="two boards set up wrongly")
    assert undo_history(taken).undoable is None
    taken = change(taken, by_hand.swap_colours(2), secretary)
    restore_pairing(taken.restore_points.get(cause=PairingCause.UNPUBLISHED), by=secretary, version=taken.version)
    assert everything(taken) == before | {"state": Round.State.DRAFT}


@pytest.mark.one_database
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_operations_undone_give_the_first_state_and_redone_the_last(event, secretary, data):
    with transaction.atomic():
        draft = draft_of(event, 1)
        first, states = everything(draft), []
        players = sorted(load_arrangement(draft).players)
        someone, board = st.sampled_from(players), st.integers(0, 4)
        operations = st.one_of(
            st.builds(by_hand.swap_players, someone, someone),
            st.builds(by_hand.swap_colours, board),
            st.builds(by_hand.move_board, board, board),
            st.builds(by_hand.remove_pair, board),
            st.builds(by_hand.make_pair, someone, someone),
            st.builds(by_hand.give_bye, someone),
            st.just(by_hand.remove_bye),
            st.builds(by_hand.remove_player, someone),
            st.builds(by_hand.add_player, someone),
        )
        for operation in data.draw(st.lists(operations, min_size=1, max_size=12)):
            try:
                draft = change(draft, operation, secretary)
            except ArbiterProblem:
                continue
            states.append(everything(draft))
            arrangement = load_arrangement(draft)
            seated = [key for pair in arrangement.pairs for key in pair] + list(arrangement.unpaired)
            seated += [one["entry"] for one in stored_byes(draft)]
            assert sorted(seated) == players, "everyone once"
        for state in [*reversed(states[:-1]), first][: len(states)]:
            back(draft, secretary)
            assert everything(draft) == state
        for state in states:
            forth(draft, secretary)
            assert everything(draft) == state
        transaction.set_rollback(True)


# -- Restore points ------------------------------------------------------------------------------------------------


def test_what_is_thrown_away_can_be_restored(event, secretary, arbiter):
    draft = change(draft_of(event, 1), by_hand.swap_colours(1), secretary)
    kept = everything(draft)
    finish_editing_session(draft, by=secretary, version=draft.version, keep=True)
    discarded = discard_draft(draft, by=arbiter)
    draft_of(event, 1)
    discard_draft(draft, by=arbiter)
    draft_of(event, 1)
    points = undo_history(now(discarded)).restore_points
    assert [(point.cause, point.by) for point in points] == [
        (PairingCause.DISCARDED, arbiter),
        (PairingCause.DISCARDED, arbiter),
        (PairingCause.SESSION, secretary),
    ]
    restore_pairing(points[1], by=secretary, version=now(draft).version)
    assert everything(draft) == kept
    back(draft, secretary)
    assert everything(draft) != kept, "restoring is a step as any other"


def test_discarding_what_is_not_there_keeps_nothing(event, secretary):
    discard_draft(round_of(event, 1), by=secretary)
    assert not RestorePoint.objects.exists()
