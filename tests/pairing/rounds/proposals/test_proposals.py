"""A round paired again as a proposal: what F6 and F7 allow, and what stays."""

from __future__ import annotations

import pytest
from django.utils import timezone

from clubs.models import Club
from common.jobs.queue import run_job
from common.models import Job
from pairing.models import PairingProposal
from pairing.rounds.comparison.differences import saved_boards
from pairing.rounds.comparison.jobs import create_what_if_job, run_what_if_job
from pairing.rounds.lifecycle import editing_sessions
from pairing.rounds.lifecycle.transitions import unpublish_round
from pairing.rounds.proposals import proposal_actions as repairing
from pairing.rounds.proposals.jobs import correction_proposal, create_proposal_job, create_proposals_after_corrections
from pairing.rounds.proposals.proposal_actions import (
    adopt_proposal,
    compare_proposal,
    count_changed_boards,
    discard_proposal,
    is_proposal_current,
    propose_pairing,
)
from tests.factories import draft_of, leave_finished, make_club, make_event, played, player, published, round_of
from tests.module_fixtures import make_module_fixtures
from tournaments.check_in.byes import mark_absent
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.models import Bye, Game, Round, Tournament
from tournaments.problems import ArbiterProblem, PairingChanged
from tournaments.results.recording import correct_result, enter_result, finish_round

pytestmark = pytest.mark.django_db


def event_in_round_2() -> tuple[Tournament, Round]:
    """Twelve players, round 2 published."""
    event = make_event(make_club(), players=12, system="dutch-1992")
    played(event, 1)
    return event, published(event, 2)


made_once, begun = make_module_fixtures(event_in_round_2)


@pytest.fixture
def event(begun) -> Tournament:
    return begun[0]


@pytest.fixture
def second(begun) -> Round:
    return begun[1]


@pytest.fixture
def club(event) -> Club:
    return event.club


@pytest.fixture
def fresh(club) -> Tournament:
    """Another event of so many players, not started."""
    return make_event(club, players=12, system="dutch-1992")


def pairs_of(round: Round) -> dict[int, tuple[str, str]]:
    return {game.board: (game.white.name, game.black.name) for game in round.games.select_related("white", "black")}


def playing(round: Round) -> list[str]:
    names = [name for pair in pairs_of(round).values() for name in pair]
    return sorted([*names, *round.byes.filter(kind="U").values_list("entry__name", flat=True)])


# -- Refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [Round.State.WAITING, Round.State.FINISHED])
def test_only_a_draft_or_published_round_gets_a_proposal(event, second, state):
    Round.objects.filter(pk=second.pk).update(state=state)
    with pytest.raises(ArbiterProblem, match="neither a draft nor published"):
        propose_pairing(second.pk, by=None)


def test_a_published_pairing_that_breaks_nothing_is_not_changed_without_a_reason(second, secretary):
    before = pairs_of(second)
    proposal = propose_pairing(second.pk, absent=[second.games.get(board=1).white_id], by=None)
    for reason in ("", "  "):
        with pytest.raises(ArbiterProblem, match="no mandatory rules"):
            adopt_proposal(proposal, by=secretary, reason=reason)
    assert pairs_of(second) == before
    assert round_of(second.tournament, 2).version == second.version


def test_a_board_with_a_result_is_not_broken_up(second, secretary):
    game = second.games.get(board=1)
    enter_result(game, "1-0", revision=0, by=None)
    proposal = propose_pairing(second.pk, absent=[game.white_id], by=None)
    with pytest.raises(ArbiterProblem, match="boards: 1") as refused:
        adopt_proposal(proposal, by=secretary, reason="He went home")
    assert refused.value.games == (game,)


def test_a_board_reported_by_a_player_is_not_broken_up(second, secretary):
    game = second.games.get(board=1)
    game.claims.create(entry=game.white, result="1-0", at=timezone.now())
    proposal = propose_pairing(second.pk, absent=[game.black_id], by=None)
    with pytest.raises(ArbiterProblem, match="boards: 1"):
        adopt_proposal(proposal, by=secretary, reason="He went home")


def test_a_proposal_of_another_version_is_out_of_date(second, secretary):
    first, other = (propose_pairing(second.pk, absent=[second.games.get(board=n).white_id], by=None) for n in (1, 2))
    adopt_proposal(first, by=secretary, reason="Not here")
    assert not is_proposal_current(other)
    with pytest.raises(PairingChanged):
        adopt_proposal(other, by=secretary, reason="Not here")


def test_a_proposal_from_before_a_correction_is_out_of_date(event, second, secretary):
    proposal = propose_pairing(second.pk, absent=[second.games.get(board=1).white_id], by=None)
    game = round_of(event, 1).games.get(board=1)
    correct_result(game, "0-1" if game.result != "0-1" else "1-0", revision=game.revision, by=None)
    assert not is_proposal_current(proposal)
    with pytest.raises(ArbiterProblem, match="have changed since"):
        adopt_proposal(proposal, by=secretary, reason="Not here")


def test_a_discarded_proposal_is_not_accepted(second, secretary):
    proposal = propose_pairing(second.pk, absent=[second.games.get(board=1).white_id], by=None)
    discard_proposal(proposal)
    with pytest.raises(ArbiterProblem, match="discarded"):
        adopt_proposal(proposal, by=secretary, reason="Not here")


def test_a_draft_somebody_else_is_changing_is_not_replaced(fresh, secretary, arbiter):
    played(fresh, 1)
    draft = draft_of(fresh, 2)
    editing_sessions.start_editing_session(draft, by=arbiter)
    proposal = propose_pairing(draft.pk, absent=[player(fresh, 12).pk], by=None)
    with pytest.raises(editing_sessions.DraftEditedByOtherUser):
        adopt_proposal(proposal, by=secretary)


def test_nobody_left_to_play(second):
    everyone = list(second.tournament.entries.values_list("pk", flat=True))
    with pytest.raises(ArbiterProblem, match="No players to pair"):
        propose_pairing(second.pk, absent=everyone, by=None)


def test_an_open_round_before_it(event, second):
    leave_finished(Round.objects.filter(tournament=event, number=1))
    with pytest.raises(ArbiterProblem, match="Round 1 isn't finished"):
        propose_pairing(second.pk, by=None)


# -- On trial --------------------------------------------------------------------------------------------------------


def test_a_trial_changes_nothing_and_without_a_cause_finds_the_same(second):
    before, lines = pairs_of(second), second.tournament.log.count()
    proposal = propose_pairing(second.pk, by=None)
    assert count_changed_boards(compare_proposal(proposal)) == 0
    assert (pairs_of(second), second.tournament.log.count()) == (before, lines)
    assert is_proposal_current(proposal)


def test_the_same_job_twice_is_one_proposal(second):
    job = create_proposal_job(second, absent=[player(second.tournament, 1).pk], by=None)
    made = propose_pairing(second.pk, absent=[player(second.tournament, 1).pk], by=None, job=job)
    assert propose_pairing(second.pk, by=None, job=job) == made
    assert PairingProposal.objects.count() == 1


def test_other_ticks_other_jobs(second):
    one, other = (player(second.tournament, number).pk for number in (1, 2))
    first = create_proposal_job(second, absent=[one, other], by=None)
    assert create_proposal_job(second, absent=[other, one], by=None) == first
    assert create_proposal_job(second, present=[one, other], by=None) != first


def test_corrected_results_are_what_the_ground_is_made_of(event, second):
    assert propose_pairing(second.pk, by=None).ground == propose_pairing(second.pk, by=None).ground


# -- Taken over ------------------------------------------------------------------------------------------------------


def test_a_no_show_in_a_published_round(event, second, secretary):
    """Eleven are left: one is absent, one has the bye, and pairs that stay together keep their board and result."""
    gone = second.games.get(board=6).black
    stays = second.games.get(board=1)
    enter_result(stays, "1/2", revision=0, by=None)
    proposal = propose_pairing(second.pk, absent=[gone.pk], by=None)
    touched = repairing.affected_results(proposal)
    assert touched == [], "this event is chosen so that board 1 stays"
    shown = {(seat.board, seat.white, seat.black) for seat in repairing.proposed_boards(proposal)}
    changed = adopt_proposal(proposal, by=secretary, reason="Fell ill on the way")
    assert {(seat.board, seat.white, seat.black) for seat in saved_boards(changed)} == shown
    assert (changed.version, changed.state) == (second.version + 1, Round.State.PUBLISHED)
    assert Game.objects.get(pk=stays.pk).result == "1/2"
    assert changed.byes.get(entry=gone).kind == Bye.Kind.ABSENT
    assert len(playing(changed)) == 11
    assert sorted(pairs_of(changed)) == [1, 2, 3, 4, 5]
    line = event.log.get(action="trial pairing adopted")
    assert (line.actor, line.details["reason"], line.details["absent"]) == (secretary, "Fell ill on the way", gone.name)


def test_a_late_entrant_in_a_draft(fresh, secretary):
    played(fresh, 1)
    draft = draft_of(fresh, 2)
    late, other = enter_pasted_list(fresh, "Późny, Jan; 1650\nPóźniejszy, Jan; 1600", by=None, from_round=3)
    assert draft.byes.filter(entry=late).exists()
    proposal = propose_pairing(draft.pk, present=[late.pk, other.pk], by=None)
    changed = adopt_proposal(proposal, by=secretary)
    late.refresh_from_db()
    assert late.entered_in_round == 2
    assert {late.name, other.name} <= set(playing(changed))
    assert not changed.byes.filter(entry__in=[late, other]).exclude(kind="U").exists()
    assert changed.steps.get(is_current=True).cause == "adopted"


def test_a_newcomer_in_the_first_draft_gets_the_next_number(fresh, secretary):
    draft = draft_of(fresh, 1)
    (newcomer,) = enter_pasted_list(fresh, "Nowy, Jan; 2400", by=None)
    proposal = propose_pairing(draft.pk, by=None)
    assert count_changed_boards(compare_proposal(proposal)) > 0
    changed = adopt_proposal(proposal, by=secretary)
    newcomer.refresh_from_db()
    assert newcomer.tpn == 13
    assert newcomer.name in playing(changed)


def test_a_player_marked_absent_who_came_after_all(fresh, secretary):
    played(fresh, 1)
    late, other = player(fresh, 3), player(fresh, 4)
    for entry in (late, other):
        mark_absent(entry, round_of(fresh, 2), by=None)
    draft = draft_of(fresh, 2)
    changed = adopt_proposal(
        propose_pairing(draft.pk, present=[late.pk], absent=[player(fresh, 5).pk], by=None), by=secretary
    )
    names = playing(changed)
    assert late.name in names
    assert other.name not in names
    assert player(fresh, 5).name not in names


def test_taking_over_twice_is_no_error(second, secretary):
    proposal = propose_pairing(second.pk, absent=[second.games.get(board=6).white_id], by=None)
    first = adopt_proposal(proposal, by=secretary, reason="Not here")
    assert adopt_proposal(proposal, by=secretary, reason="Not here").version == first.version


def test_boards_that_stay_keep_their_reasons(event, second, secretary):
    Game.objects.filter(round=second, board=1).update(reasons=[])
    kept = second.games.get(board=1)
    changed = adopt_proposal(
        propose_pairing(second.pk, absent=[second.games.get(board=6).black_id], by=None), by=secretary, reason="x"
    )
    assert changed.games.get(white=kept.white, black=kept.black).reasons == []


def test_a_pair_that_met_before_may_be_changed_without_a_reason(event, second, secretary):
    """F6: B1 is broken, as two players who have met are paired again."""
    met = round_of(event, 1).games.exclude(result__in=["+/-", "-/+"]).first()
    _seat_together(second, met.white, met.black)
    broken = repairing.find_round_breaches(second)
    assert {(one.kind, one.article) for one in broken} == {("met", "dutch-1992 B1")}
    changed = adopt_proposal(propose_pairing(second.pk, by=None), by=secretary)
    assert repairing.find_round_breaches(changed) == ()
    assert event.log.get(action="trial pairing adopted").details["broken"] == "dutch-1992 B1"


def _seat_together(round: Round, white, black) -> None:
    """Swap two players so that these are at one board."""
    games = list(round.games.all())
    at = next(game for game in games if white.pk in (game.white_id, game.black_id))
    opponent_of_black = next(game for game in games if black.pk in (game.white_id, game.black_id))
    if at == opponent_of_black:
        return
    free = at.black if at.white_id == white.pk else at.white
    rest = opponent_of_black.black if opponent_of_black.white_id == black.pk else opponent_of_black.white
    Game.objects.filter(pk__in=[at.pk, opponent_of_black.pk]).delete()
    Game.objects.create(round=round, board=at.board, white=white, black=black)
    Game.objects.create(round=round, board=opponent_of_black.board, white=free, black=rest)


def test_a_board_beyond_the_last_moves_with_its_result(event, second, secretary):
    """The last pair stays together, but there is one board less: it moves, and keeps its result."""
    last = second.games.get(board=6)
    enter_result(last, "1-0", revision=0, by=None)
    first = second.games.get(board=1)
    proposal = propose_pairing(second.pk, absent=[first.white_id, first.black_id], by=None)
    if (last.white_id, last.black_id) not in {(seat["white"], seat["black"]) for seat in proposal.boards}:
        proposal.boards = [
            {"board": board, "white": game.white_id, "black": game.black_id, "reasons": []}
            for board, game in enumerate(second.games.exclude(pk=first.pk).order_by("board"), start=1)
        ]
        proposal.save()
    changed = adopt_proposal(proposal, by=secretary, reason="Both away")
    assert sorted(pairs_of(changed)) == [1, 2, 3, 4, 5]
    moved = Game.objects.get(pk=last.pk)
    assert (moved.board < 6, moved.result) == (True, "1-0")


def test_after_a_withdrawal_and_taking_back(event, second, secretary):
    """An unpublished round is a draft, which can be replaced without a reason."""
    unpublish_round(second, by=None, reason="Wrong list")
    changed = adopt_proposal(propose_pairing(second.pk, absent=[player(event, 12).pk], by=None), by=secretary)
    assert changed.state == Round.State.DRAFT


# -- After a correction ----------------------------------------------------------------------------------------------


def corrected(event, board: int, result: str) -> None:
    game = round_of(event, 1).games.get(board=board)
    correct_result(game, result, revision=game.revision, by=None)


def test_without_a_correction_nothing_is_asked(event, second):
    create_proposals_after_corrections(event, by=None)
    assert correction_proposal(second) is None
    assert not PairingProposal.objects.exists()


def test_looking_asks_for_nothing(event, second):
    game = round_of(event, 1).games.get(board=1)
    corrected(event, 1, "0-1" if game.result == "1-0" else "1-0")
    assert correction_proposal(second) is None
    assert not Job.objects.exclude(task="tournaments.tasks.recalculate_ratings").exists()


def test_a_correction_touches_no_pairing_and_is_looked_at_once(event, second):
    before = pairs_of(second)
    game = round_of(event, 1).games.get(board=1)
    corrected(event, 1, "0-1" if game.result == "1-0" else "1-0")
    create_proposals_after_corrections(event, by=None)
    found = correction_proposal(second)
    assert count_changed_boards(compare_proposal(found)) > 0
    create_proposals_after_corrections(event, by=None)
    assert correction_proposal(second) == found
    assert (pairs_of(second), PairingProposal.objects.count()) == (before, 1)
    discard_proposal(found)
    create_proposals_after_corrections(event, by=None)
    assert correction_proposal(second) is None


def test_paired_rounds_are_checked_again_after_a_correction(event, second):
    for game in second.games.all():
        enter_result(game, "1-0", revision=game.revision, by=None)
    finish_round(second, by=None)
    job = create_what_if_job(round_of(event, 1), by=None)
    run_job(job.pk, run_what_if_job)
    job.refresh_from_db()
    assert [(one["number"], one["was"], one["would_be"]) for one in job.result["rounds"]] == [(1, [], []), (2, [], [])]
    game = round_of(event, 1).games.get(board=1)
    corrected(event, 1, "0-1" if game.result == "1-0" else "1-0")
    job = create_what_if_job(round_of(event, 2), by=None)
    run_job(job.pk, run_what_if_job)
    job.refresh_from_db()
    (one,) = job.result["rounds"]
    assert one["number"] == 2
    assert len(one["was"]) == len(one["would_be"]) == 6 - one["same"] > 0
    seats = set(second.games.values_list("white__tpn", "black__tpn"))
    assert {(each["white"], each["black"]) for each in one["was"]} <= seats
    assert not {(each["white"], each["black"]) for each in one["would_be"]} & seats
    assert (job.done, job.total, job.stage) == (1, 1, "rounds")
