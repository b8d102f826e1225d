"""Manual editing has a start and an end, and only one user edits at a time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.models import Role
from pairing.models import EditingSession, RestorePoint
from pairing.rounds.lifecycle.editing_sessions import (
    SESSION_TIMEOUT,
    DraftEditedByOtherUser,
    active_editing_session,
    start_editing_session,
    take_over_editing_session,
)
from pairing.rounds.lifecycle.transitions import discard_draft, publish_round
from pairing.rounds.manual import arrangement as by_hand
from pairing.rounds.manual.undo import finish_editing_session, restore_pairing, undo_step
from tests.factories import draft_of, make_event, make_user, published, round_of
from tests.pairing.rounds.lifecycle.round_states import change, everything, now
from tournaments.problems import ArbiterProblem, PairingChanged


@pytest.fixture
def event(club):
    return make_event(club, players=7)


@pytest.fixture
def bohdan(club):
    return make_user("bohdan", club, Role.ARBITER)


def test_only_a_draft_is_edited(event, secretary):
    with pytest.raises(ArbiterProblem):
        start_editing_session(round_of(event, 1), by=secretary)
    shown = published(event, 1)
    for enter in (start_editing_session, take_over_editing_session):
        with pytest.raises(ArbiterProblem):
            enter(shown, by=secretary)
    assert not EditingSession.objects.exists()


def test_two_do_not_edit_at_once(event, secretary, bohdan):
    draft = draft_of(event, 1)
    start_editing_session(draft, by=secretary)
    draft = change(draft, by_hand.swap_colours(1), secretary)
    before = everything(draft)
    for act in (
        lambda: start_editing_session(draft, by=bohdan),
        lambda: change(draft, by_hand.swap_colours(2), bohdan),
        lambda: undo_step(draft, by=bohdan, version=draft.version),
        lambda: restore_pairing(draft.restore_points.get(), by=bohdan, version=draft.version),
    ):
        with pytest.raises(DraftEditedByOtherUser) as problem:
            act()
        assert problem.value.session.by == secretary
        assert "secretary has been editing these pairings" in problem.value.message
    assert everything(draft) == before


def test_whoever_was_taken_over_is_told_and_loses_nothing(event, secretary, bohdan):
    draft = draft_of(event, 1)
    draft = change(draft, by_hand.swap_colours(1), secretary)
    mine = everything(draft)
    take_over_editing_session(draft, by=bohdan)
    assert everything(draft) == mine
    with pytest.raises(DraftEditedByOtherUser) as problem:
        change(draft, by_hand.swap_colours(2), secretary)
    assert "bohdan took over" in problem.value.message
    assert everything(draft) == mine
    change(draft, by_hand.swap_colours(3), bohdan)
    take_over_editing_session(draft, by=secretary)
    change(draft, by_hand.swap_colours(2), secretary)
    assert event.log.filter(action="editing taken over").count() == 2


def test_taking_over_from_nobody_or_oneself_is_no_error(event, secretary):
    draft = draft_of(event, 1)
    first = take_over_editing_session(draft, by=secretary)
    assert take_over_editing_session(draft, by=secretary) == first == start_editing_session(draft, by=secretary)
    assert event.log.filter(action="editing begun").count() == 1


def test_a_session_left_alone_holds_nobody_up(event, secretary, bohdan):
    draft = draft_of(event, 1)
    session = start_editing_session(draft, by=secretary)
    EditingSession.objects.filter(pk=session.pk).update(
        last_seen_at=timezone.now() - SESSION_TIMEOUT - timedelta(seconds=1)
    )
    assert active_editing_session(draft) is None
    draft = change(draft, by_hand.swap_colours(1), bohdan)
    assert active_editing_session(draft).by == bohdan
    session.refresh_from_db()
    assert session.ended_at is not None


def test_a_session_is_kept_alive_by_changes(event, secretary):
    draft = draft_of(event, 1)
    session = start_editing_session(draft, by=secretary)
    EditingSession.objects.filter(pk=session.pk).update(last_seen_at=timezone.now() - SESSION_TIMEOUT / 2)
    change(draft, by_hand.swap_colours(1), secretary)
    session.refresh_from_db()
    assert timezone.now() - session.last_seen_at < timedelta(minutes=1)


def test_the_end_keeps_or_goes_back(event, secretary):
    draft = draft_of(event, 1)
    first = everything(draft)
    draft = change(draft, by_hand.swap_colours(1), secretary)
    second = everything(draft)
    finish_editing_session(draft, by=secretary, version=draft.version, keep=True)
    assert everything(draft) == second
    assert active_editing_session(draft) is None
    draft = change(draft, by_hand.remove_pair(1), secretary)
    with pytest.raises(PairingChanged):
        finish_editing_session(draft, by=secretary, version=draft.version - 1, keep=False)
    finish_editing_session(draft, by=secretary, version=draft.version, keep=False)
    assert everything(draft) == second
    assert everything(draft) != first
    finish_editing_session(draft, by=secretary, version=0, keep=False)
    assert everything(draft) == second, "a second press ends nothing more"


def test_a_session_without_a_change_leaves_no_trace_but_the_log(event, secretary):
    draft = draft_of(event, 1)
    start_editing_session(draft, by=secretary)
    finish_editing_session(draft, by=secretary, version=draft.version, keep=False)
    assert not RestorePoint.objects.exists()
    assert draft.steps.count() == 2
    assert now(draft).version == draft.version


@pytest.mark.parametrize("how", ["publish", "discard", "undo"])
def test_without_a_draft_there_is_no_session(how, event, secretary, arbiter):
    draft = draft_of(event, 1)
    start_editing_session(draft, by=secretary)
    if how == "publish":
        publish_round(draft, by=arbiter, version=draft.version)
    elif how == "discard":
        discard_draft(draft, by=arbiter)
    else:
        undo_step(draft, by=secretary, version=draft.version)
    assert not EditingSession.objects.filter(ended_at=None).exists()
    assert active_editing_session(draft) is None
