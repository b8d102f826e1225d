"""Entries: members, late entries, withdrawals, forbidden pairs."""

from __future__ import annotations

import pytest

from pairing.rounds.lifecycle.transitions import discard_draft, publish_round
from tests.factories import draft_of, make_club, make_event, make_member, played, player, published, round_of
from tournaments.check_in.byes import grant_requested_bye, mark_absent
from tournaments.entries.enrolment import (
    allow_pair,
    change_first_round,
    enter_members,
    enter_pasted_list,
    first_open_round,
    forbid_pair,
    reinstate_player,
    remove_entry,
    withdraw_player,
)
from tournaments.models import Bye, Entry, ForbiddenPair
from tournaments.problems import ArbiterProblem


@pytest.fixture
def event(club):
    return make_event(club, players=6)


def numbers(event) -> dict[str, int | None]:
    return dict(event.entries.values_list("name", "tpn"))


# -- Members -------------------------------------------------------------------------------------------------------


def test_members_of_another_club_do_not_enter(event):
    stranger = make_member(make_club("na-skale"), "Kot, Ala", 1700)
    with pytest.raises(ArbiterProblem) as problem:
        enter_members(event, [stranger], by=None)
    assert "Kot, Ala" in problem.value.message
    assert event.entries.count() == 6


def test_a_member_enters_once_with_what_the_book_knows(event, club):
    ala = make_member(club, "Kot, Ala", 1700, title="WFM", sex="w", federation="POL", birth_year=1999, fide_id=12345)
    assert len(enter_members(event, [ala, ala], by=None)) == 1
    assert enter_members(event, [ala], by=None) == []
    entry = event.entries.get(member=ala)
    assert (entry.name, entry.rating, entry.title, entry.sex) == ("Kot, Ala", 1700, "WFM", "w")
    assert (entry.federation, entry.birth, entry.fide_id, entry.club_name) == ("POL", "1999", "12345", "Pod Wieżą")


def test_the_member_list_changes_no_event(event, club):
    ala = make_member(club, "Kot, Ala", 1700)
    enter_members(event, [ala], by=None)
    ala.rating = 2200
    ala.save()
    assert event.entries.get(member=ala).rating == 1700


# -- Late entries --------------------------------------------------------------------------------------------------


def test_nobody_enters_a_round_that_is_over(event, club):
    played(event, 1)
    with pytest.raises(ArbiterProblem):
        enter_members(event, [make_member(club, "Kot, Ala", 1700)], by=None, from_round=1)
    assert event.entries.count() == 6


def test_nobody_enters_when_all_rounds_are_played(club):
    event = make_event(club, players=2, rounds=1)
    played(event, 1)
    with pytest.raises(ArbiterProblem):
        enter_pasted_list(event, "Kot, Ala", by=None)
    with pytest.raises(ArbiterProblem):
        enter_pasted_list(make_event(club), "Kot, Ala", by=None, from_round=6)
    assert not Entry.objects.filter(name="Kot, Ala").exists()


def test_while_the_list_is_open_numbers_go_by_rating(event, club):
    draft_of(event, 1)
    enter_members(event, [make_member(club, "Kot, Ala", 1985)], by=None)
    discard_draft(round_of(event, 1), by=None)
    assert set(numbers(event).values()) == {None}
    draft_of(event, 1)
    assert numbers(event)["Kot, Ala"] == 3


def test_on_a_closed_list_a_newcomer_takes_the_last_number(event, club):
    played(event, 1)
    enter_members(event, [make_member(club, "Kot, Ala", 2400), make_member(club, "Kot, Ola", 2500)], by=None)
    assert (numbers(event)["Kot, Ola"], numbers(event)["Kot, Ala"]) == (7, 8)
    assert event.entries.get(name="Kot, Ala").entered_in_round == 2


@pytest.mark.parametrize("worth", ["Z", "H"])
def test_missed_rounds_are_worth_what_the_event_grants(worth, club):
    event = make_event(club, players=6, late_entry_worth=worth)
    played(event, 1)
    played(event, 2)
    enter_pasted_list(event, "Kot, Ala; 1700", by=None)
    byes = Bye.objects.filter(entry__name="Kot, Ala")
    assert list(byes.values_list("round__number", "kind")) == [(1, worth), (2, worth)]


def test_late_entries_get_their_byes_as_rounds_are_paired(club):
    event = make_event(club, players=6, late_entry_worth="H")
    enter_pasted_list(event, "Kot, Ala; 2300", by=None, from_round=3)
    shown = published(event, 1)
    assert not shown.games.filter(white__name="Kot, Ala").exists()
    assert list(Bye.objects.filter(entry__name="Kot, Ala").values_list("round__number", "kind")) == [(1, "H")]
    assert numbers(event)["Kot, Ala"] == 1, "announced before the list was closed: a number by rating"


def test_a_draft_thrown_away_takes_its_late_byes_with_it(club):
    event = make_event(club, players=6)
    enter_pasted_list(event, "Kot, Ala; 2300", by=None, from_round=2)
    discard_draft(draft_of(event, 1), by=None)
    assert not Bye.objects.exists()
    assert change_first_round(event.entries.get(name="Kot, Ala"), 1, by=None).entered_in_round == 1


def test_who_comes_after_the_draft_plays_from_the_next_round(event, club):
    draft = draft_of(event, 1)
    enter_members(event, [make_member(club, "Kot, Ala", 1985)], by=None)
    publish_round(draft, by=None, version=draft.version)
    entry = event.entries.get(name="Kot, Ala")
    assert (entry.tpn, entry.entered_in_round) == (7, 2)
    assert Bye.objects.get(entry=entry).kind == event.late_entry_worth


def test_a_first_round_is_not_changed_into_the_past(event, club):
    enter_pasted_list(event, "Kot, Ala; 2300", by=None, from_round=3)
    played(event, 1)
    ala = event.entries.get(name="Kot, Ala")
    with pytest.raises(ArbiterProblem):
        change_first_round(ala, 1, by=None)
    assert change_first_round(ala, 2, by=None).entered_in_round == 2
    with pytest.raises(ArbiterProblem):
        change_first_round(player(event, 1), 3, by=None)


def test_the_first_open_round(event):
    assert first_open_round(event) == 1
    draft_of(event, 1)
    assert first_open_round(event) == 1
    played(event, 1)
    assert first_open_round(event) == 2


# -- Leaving -------------------------------------------------------------------------------------------------------


def test_who_is_paired_is_not_removed_but_withdrawn(event):
    played(event, 1)
    with pytest.raises(ArbiterProblem):
        remove_entry(player(event, 1), by=None)
    withdraw_player(player(event, 1), 2, by=None)
    shown = published(event, 2)
    names = {name for game in shown.games.all() for name in (game.white.name, game.black.name)}
    assert "Pionek, Nr001" not in names


def test_a_mistaken_entry_is_removed_before_it_is_paired(event):
    remove_entry(player(event, 6), by=None)
    assert event.entries.count() == 5


def test_a_withdrawal_does_not_begin_in_a_paired_round(event):
    draft_of(event, 1)
    for number in (0, 1):
        with pytest.raises(ArbiterProblem):
            withdraw_player(player(event, 1), number, by=None)
    assert withdraw_player(player(event, 1), 2, by=None).withdrawn_from_round == 2


def test_a_withdrawal_drops_the_byes_behind_it(event):
    grant_requested_bye(player(event, 1), round_of(event, 2), "H", by=None)
    mark_absent(player(event, 1), round_of(event, 4), by=None)
    withdraw_player(player(event, 1), 3, by=None)
    assert list(Bye.objects.values_list("round__number", flat=True)) == [2]


def test_who_returns_is_paired_again(event):
    withdraw_player(player(event, 1), 1, by=None)
    played(event, 1)
    reinstate_player(player(event, 1), by=None)
    shown = published(event, 2)
    seated = {entry for game in shown.games.all() for entry in (game.white_id, game.black_id)}
    seated |= set(shown.byes.values_list("entry", flat=True))
    assert player(event, 1).pk in seated


# -- Pairs who must not meet ---------------------------------------------------------------------------------------


def test_a_rule_needs_two_players_of_one_event(event, club):
    other = make_event(club, players=1)
    for second in (player(event, 1), player(other, 1)):
        with pytest.raises(ArbiterProblem):
            forbid_pair(player(event, 1), second, by=None)
    assert not ForbiddenPair.objects.exists()


def test_a_rule_is_one_whichever_way_round(event):
    one, other = player(event, 1), player(event, 4)
    assert forbid_pair(one, other, by=None, remark="siblings") == forbid_pair(other, one, by=None)
    allow_pair(other, one, by=None)
    allow_pair(other, one, by=None)
    assert not ForbiddenPair.objects.exists()
    assert [entry.action for entry in event.log.all()[:2]] == ["pair allowed", "pair forbidden"]


def test_a_rule_is_obeyed(event):
    forbid_pair(player(event, 1), player(event, 4), by=None)
    shown = published(event, 1)
    pairs = {frozenset((game.white_id, game.black_id)) for game in shown.games.all()}
    assert frozenset((player(event, 1).pk, player(event, 4).pk)) not in pairs
    assert Entry.objects.get(pk=player(event, 1).pk).tpn == 1
