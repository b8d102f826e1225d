"""Manual changes of a draft: what is refused, the effect of each change, and what stays."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from pairing.explanations.named_reasons import player_names_by_number
from pairing.explanations.reason_json import reasons_from_json
from pairing.explanations.reason_sentences import reason_sentence
from pairing.rounds.lifecycle.board_storage import PlayerSeatedTwice, StoredBoard, StoredBye, save_boards_and_byes
from pairing.rounds.lifecycle.draft_checks import draft_warnings, is_draft_outdated
from pairing.rounds.lifecycle.transitions import publish_round
from pairing.rounds.manual import arrangement as by_hand
from pairing.rounds.manual.arrangement import DraftArrangement
from pairing.rounds.manual.changes import change_draft_manually, load_arrangement, order_by_due_colour
from tests.factories import draft_of, make_event, played, round_of
from tournaments.entries.enrolment import enter_pasted_list, forbid_pair
from tournaments.models import Bye, Game, Round
from tournaments.problems import ArbiterProblem, PairingChanged

BEFORE = DraftArrangement(pairs=((1, 2), (3, 4), (5, 6)), bye=7, unpaired=(8, 9))


def done(operation, before: DraftArrangement = BEFORE) -> DraftArrangement:
    return operation(before).arrangement


@pytest.fixture
def event(club):
    return make_event(club, players=7)


def change(draft: Round, operation, by) -> Round:
    change_draft_manually(draft, operation, by=by, version=round_of(draft.tournament, draft.number).version)
    return round_of(draft.tournament, draft.number)


# -- What is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "operation",
    [
        by_hand.swap_players(1, 1),
        by_hand.swap_players(1, 99),
        by_hand.swap_players(8, 9),
        by_hand.swap_colours(0),
        by_hand.swap_colours(4),
        by_hand.move_board(1, 0),
        by_hand.move_board(1, 4),
        by_hand.move_board(9, 1),
        by_hand.remove_pair(4),
        by_hand.make_pair(8, 8),
        by_hand.make_pair(1, 8),
        by_hand.make_pair(8, 99),
        by_hand.give_bye(7),
        by_hand.give_bye(99),
        by_hand.remove_player(99),
        by_hand.add_player(1),
        by_hand.add_player(7),
        by_hand.add_player(8),
    ],
)
def test_what_cannot_be_done(operation):
    with pytest.raises(ArbiterProblem):
        operation(BEFORE)


def test_nobody_has_a_bye_to_take():
    with pytest.raises(ArbiterProblem):
        by_hand.remove_bye(DraftArrangement(pairs=((1, 2),)))


def test_only_a_draft_and_only_the_one_seen(event, secretary):
    with pytest.raises(ArbiterProblem):
        change_draft_manually(round_of(event, 1), by_hand.swap_colours(1), by=secretary, version=0)
    draft = draft_of(event, 1)
    with pytest.raises(PairingChanged):
        change_draft_manually(draft, by_hand.swap_colours(1), by=secretary, version=0)
    publish_round(draft, by=None, version=draft.version)
    with pytest.raises(ArbiterProblem):
        change_draft_manually(draft, by_hand.swap_colours(1), by=secretary, version=draft.version)
    assert not event.log.filter(action="colours turned").exists()


def test_a_double_click_changes_once(event, secretary):
    draft = draft_of(event, 1)
    change_draft_manually(draft, by_hand.swap_colours(1), by=secretary, version=draft.version)
    with pytest.raises(PairingChanged):
        change_draft_manually(draft, by_hand.swap_colours(1), by=secretary, version=draft.version)
    assert event.log.filter(action="colours turned").count() == 1


def test_an_incomplete_draft_is_not_published(event, secretary):
    draft = draft_of(event, 1)
    first = draft.games.get(board=1)
    draft = change(draft, by_hand.remove_pair(1), secretary)
    with pytest.raises(ArbiterProblem) as problem:
        publish_round(draft, by=secretary, version=draft.version)
    assert set(problem.value.entries) == {first.white, first.black}
    assert first.white.name in problem.value.message
    assert round_of(event, 1).state == Round.State.DRAFT
    draft = change(draft, by_hand.make_pair(first.black_id, first.white_id), secretary)
    assert publish_round(draft, by=secretary, version=draft.version).state == Round.State.PUBLISHED


def test_nobody_is_written_twice_into_a_round(event):
    """White on one board and Black on another: the database alone would accept it."""
    draft = draft_of(event, 1)
    one, other = draft.games.get(board=1), draft.games.get(board=2)
    twice = [
        StoredBoard(board=1, white=one.white_id, black=one.black_id, reasons=[]),
        StoredBoard(board=2, white=other.white_id, black=one.white_id, reasons=[]),
    ]
    with pytest.raises(PlayerSeatedTwice):
        save_boards_and_byes(draft, twice, [])
    with pytest.raises(PlayerSeatedTwice):
        save_boards_and_byes(draft, twice[:1], [StoredBye(entry=one.black_id, kind=Bye.Kind.ABSENT, reasons=[])])
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.create(round=draft, board=9, white=one.white, black=other.black)
    assert draft.games.count() == 3


# -- What is done --------------------------------------------------------------------------------------------------


def test_two_change_places():
    assert done(by_hand.swap_players(1, 4)) == DraftArrangement(pairs=((4, 2), (3, 1), (5, 6)), bye=7, unpaired=(8, 9))
    assert done(by_hand.swap_players(7, 3)) == DraftArrangement(pairs=((1, 2), (7, 4), (5, 6)), bye=3, unpaired=(8, 9))
    assert done(by_hand.swap_players(2, 8)) == DraftArrangement(pairs=((1, 8), (3, 4), (5, 6)), bye=7, unpaired=(2, 9))
    assert done(by_hand.swap_players(8, 7)) == DraftArrangement(pairs=((1, 2), (3, 4), (5, 6)), bye=8, unpaired=(7, 9))
    assert done(by_hand.swap_players(1, 2)) == done(by_hand.swap_colours(1))


def test_colours_are_turned():
    assert done(by_hand.swap_colours(3)).pairs == ((1, 2), (3, 4), (6, 5))


@pytest.mark.parametrize(
    ("board", "to", "pairs"),
    [
        (1, 3, ((3, 4), (5, 6), (1, 2))),
        (3, 1, ((5, 6), (1, 2), (3, 4))),
        (2, 3, ((1, 2), (5, 6), (3, 4))),
        (2, 2, ((1, 2), (3, 4), (5, 6))),
    ],
)
def test_a_board_is_moved(board, to, pairs):
    assert done(by_hand.move_board(board, to)).pairs == pairs


def test_a_pair_is_removed_and_another_made():
    assert done(by_hand.remove_pair(2)) == DraftArrangement(pairs=((1, 2), (5, 6)), bye=7, unpaired=(8, 9, 3, 4))
    assert done(by_hand.make_pair(9, 8)) == DraftArrangement(pairs=((1, 2), (3, 4), (5, 6), (9, 8)), bye=7)


def test_the_bye_is_given_and_taken():
    assert done(by_hand.give_bye(1)) == done(by_hand.swap_players(1, 7))
    assert done(by_hand.give_bye(9)) == done(by_hand.swap_players(9, 7))
    without = done(by_hand.remove_bye)
    assert without == DraftArrangement(pairs=BEFORE.pairs, unpaired=(8, 9, 7))
    assert done(by_hand.give_bye(8), without) == DraftArrangement(pairs=BEFORE.pairs, bye=8, unpaired=(9, 7))
    assert done(by_hand.give_bye(1), without) == DraftArrangement(pairs=((3, 4), (5, 6)), bye=1, unpaired=(8, 9, 7, 2))


def test_players_are_taken_out_and_put_in():
    assert done(by_hand.remove_player(4)) == DraftArrangement(pairs=((1, 2), (5, 6)), bye=7, unpaired=(8, 9, 3))
    assert done(by_hand.remove_player(7)) == DraftArrangement(pairs=BEFORE.pairs, unpaired=(8, 9))
    assert done(by_hand.remove_player(8)) == DraftArrangement(pairs=BEFORE.pairs, bye=7, unpaired=(9,))
    assert done(by_hand.add_player(10)) == DraftArrangement(pairs=BEFORE.pairs, bye=7, unpaired=(8, 9, 10))


# -- What it leaves behind -----------------------------------------------------------------------------------------


def test_a_change_is_saved_with_its_reason_its_version_and_its_line(event, secretary):
    secretary.first_name, secretary.last_name = "Sabina", "Fikcyjna"
    secretary.save()
    draft = draft_of(event, 1)
    before = load_arrangement(draft)
    (white, black), (third, fourth), *_rest = before.pairs
    kept = draft.games.get(board=3)
    draft = change(draft, by_hand.swap_players(white, fourth), secretary)
    assert load_arrangement(draft).pairs[:2] == ((fourth, black), (third, white))
    assert draft.games.get(board=3) == kept, "a board that was not touched keeps its row"
    assert draft.games.get(board=3).reasons == kept.reasons
    assert draft.version == 2
    line = event.log.first()
    assert (line.action, line.actor, len(line.details["names"])) == ("players swapped", secretary, 2)

    (why,) = reasons_from_json(draft.games.get(board=1).reasons)
    tpn = dict(event.entries.values_list("pk", "tpn"))
    assert why.kind == "by_hand"
    assert why.players == (tpn[fourth], tpn[black])
    assert (why.get_fact("instead_white"), why.get_fact("instead_black")) == (tpn[third], tpn[white])
    names = player_names_by_number(event)
    assert reason_sentence(why, names) == (
        f"Set manually by Sabina Fikcyjna, instead of {names[tpn[fourth]]} – {names[tpn[third]]}; "
        f"{names[tpn[black]]} – {names[tpn[white]]}."
    )


def test_the_log_in_name_of_whoever_changed_is_not_told_to_everyone(event, secretary):
    draft = change(draft_of(event, 1), by_hand.swap_colours(1), secretary)
    (why,) = reasons_from_json(draft.games.get(board=1).reasons)
    assert (
        reason_sentence(why, player_names_by_number(event))
        == "Set manually by the arbiter. Only the colours were swapped."
    )


def test_a_board_changed_back_has_the_systems_reasons_again(event, secretary):
    draft = draft_of(event, 1)
    before = [(game.white_id, game.black_id, game.reasons) for game in draft.games.all()]
    bye = draft.byes.get()
    draft = change(draft, by_hand.swap_players(before[0][0], bye.entry_id), secretary)
    assert [why.kind for why in reasons_from_json(draft.byes.get().reasons)] == ["by_hand"]
    draft = change(draft, by_hand.swap_players(before[0][0], bye.entry_id), secretary)
    assert [(game.white_id, game.black_id, game.reasons) for game in draft.games.all()] == before
    assert draft.byes.get().reasons == bye.reasons


def test_a_player_taken_out_is_absent_and_one_put_in_is_not(event, secretary):
    draft = draft_of(event, 1)
    game = draft.games.get(board=2)
    draft = change(draft, by_hand.remove_player(game.white_id), secretary)
    assert draft.byes.get(entry=game.white).kind == Bye.Kind.ABSENT
    assert load_arrangement(draft).unpaired == (game.black_id,)
    assert not is_draft_outdated(draft), "the arbiter knows who is still to be seated"
    draft = change(draft, by_hand.add_player(game.white_id), secretary)
    assert not draft.byes.filter(entry=game.white).exists()
    assert load_arrangement(draft).unpaired == (game.black_id, game.white_id)


def test_a_late_arrival_gets_a_number_and_a_board(event, secretary):
    draft = draft_of(event, 1)
    (late,) = enter_pasted_list(event, "Kot, Ala; 2500", by=secretary)
    bye = draft.byes.get().entry_id
    draft = change(draft, by_hand.add_player(late.pk), secretary)
    late.refresh_from_db()
    assert late.tpn == 8, "numbers given stay"
    assert draft.scores[str(late.pk)] == 0, "what he was paired with is kept like everybody's"
    draft = change(draft, by_hand.remove_bye, secretary)
    draft = change(draft, by_hand.make_pair(late.pk, bye), secretary)
    shown = publish_round(draft, by=secretary, version=draft.version)
    assert shown.games.get(board=4).white == late
    late.refresh_from_db()
    assert late.entered_in_round == 1


def test_colours_are_the_systems(event, secretary):
    played(event, 1)
    draft = draft_of(event, 2)
    for game in draft.games.all():
        assert order_by_due_colour(draft, game.black_id, game.white_id) == (game.white_id, game.black_id)


def test_colours_of_two_whom_the_system_would_never_pair_are_given_all_the_same(event):
    played(event, 1)
    game = round_of(event, 1).games.first()
    draft = draft_of(event, 2)
    assert order_by_due_colour(draft, game.white_id, game.black_id) == (game.black_id, game.white_id)
    assert order_by_due_colour(draft, game.black_id, game.white_id) == (game.black_id, game.white_id)


# -- What it breaks ------------------------------------------------------------------------------------------------


def test_of_the_systems_own_boards_only_what_is_forbidden_is_told(event, secretary):
    played(event, 1)
    draft = draft_of(event, 2)
    assert draft_warnings(draft) == ()
    met = round_of(event, 1).games.first()
    pairs = load_arrangement(draft).pairs
    opponent = next(one if other == met.white_id else other for one, other in pairs if met.white_id in (one, other))
    draft = change(draft, by_hand.swap_players(opponent, met.black_id), secretary)
    worst = draft_warnings(draft)[0]
    assert (worst.kind, worst.article, worst.round) == ("met", "fide-1989 art. 2", 1)
    severities = [one.severity for one in draft_warnings(draft)]
    assert severities == sorted(severities, reverse=True)


def test_a_rule_made_after_pairing_is_told_of_the_systems_boards_too(event):
    draft = draft_of(event, 1)
    game = draft.games.get(board=1)
    forbid_pair(game.white, game.black, by=None)
    assert [one.kind for one in draft_warnings(draft)] == ["forbidden"]
