"""Answers to "Are you coming?": what is stored, what it means, who is paired, and leaving an event."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from pairing.rounds.lifecycle.transitions import discard_draft
from tests.factories import draft_of, make_event, played, player, published, round_of
from tournaments.check_in.answers import next_answers, player_answers
from tournaments.check_in.bulk_check_in import check_in_all_players, undo_bulk_check_in
from tournaments.check_in.byes import request_bye_as_player, sign_up_as_player
from tournaments.check_in.presence import (
    check_in_by_player,
    enter_as_guest,
    leave_event_as_player,
    load_round_check_in,
    set_check_in_state,
    undo_check_in_by_player,
)
from tournaments.models import Bye, CheckIn
from tournaments.problems import ArbiterProblem


@pytest.fixture
def event(club):
    return make_event(club, players=6, rounds=5, players_check_in=True)


def answer_of(event, number: int, entry):
    entry.tournament = event
    this_round = round_of(event, number)
    this_round.tournament = event
    return player_answers(entry, [this_round])[0]


def test_each_answer_says_what_it_means(event):
    entry = player(event, 1)
    assert answer_of(event, 1, entry).consequence == "If you can't come, you get ½ point (your first bye of 2)."
    for number, sentence in (
        (1, "You get ½ point (your first bye of 2)."),
        (2, "You get ½ point (your second bye of 2)."),
        (3, "You get 0 points."),
    ):
        request_bye_as_player(entry, round_of(event, number))
        assert answer_of(event, number, entry).consequence == sentence
    assert answer_of(event, 4, entry).consequence == "If you can't come, you get 0 points."
    sign_up_as_player(entry, round_of(event, 1))
    assert answer_of(event, 1, entry).is_coming
    assert answer_of(event, 2, entry).consequence == "You get ½ point (your first bye of 2)."
    request_bye_as_player(entry, round_of(event, 1))
    assert not answer_of(event, 1, entry).is_coming


def test_what_is_seen_at_check_in_does_not_undo_an_answer(event, secretary):
    first, entry = round_of(event, 1), player(event, 1)
    sign_up_as_player(entry, first)
    assert not load_round_check_in(first).has_begun
    set_check_in_state(entry, first, "here", by=secretary)
    set_check_in_state(entry, first, "", by=secretary)
    check_in_by_player(entry, first)
    undo_check_in_by_player(entry, first)
    check_in_all_players(first, shown=list(event.entries.values_list("pk", flat=True)), by=secretary)
    undo_bulk_check_in(first, event.log.first().pk, by=secretary)
    seen = load_round_check_in(first)
    assert (seen.coming, len(seen.silent), seen.has_begun) == ({entry.pk}, 5, False)
    assert CheckIn.objects.get().state == ""


def test_nobody_is_paired_who_has_not_signed_up_where_that_is_asked_for(event, secretary):
    event.only_sign_ups = True
    event.save()
    first = round_of(event, 1)
    for number in (1, 2, 3):
        sign_up_as_player(player(event, number), first)
    set_check_in_state(player(event, 4), first, "here", by=secretary)
    request_bye_as_player(player(event, 5), first)
    drafted = draft_of(event, 1)
    paired = {key for game in drafted.games.all() for key in (game.white_id, game.black_id)}
    assert paired == {player(event, number).pk for number in (1, 2, 3, 4)}
    assert dict(drafted.byes.values_list("entry__tpn", "kind")) == {5: Bye.Kind.HALF_POINT, 6: Bye.Kind.ABSENT}
    waiting = discard_draft(drafted, by=secretary)
    assert list(waiting.byes.values_list("kind", flat=True)) == [Bye.Kind.HALF_POINT]


def test_in_other_events_everyone_is_paired_but_those_who_cannot_come(event):
    sign_up_as_player(player(event, 1), round_of(event, 1))
    request_bye_as_player(player(event, 2), round_of(event, 1))
    assert draft_of(event, 1).games.count() == 2


def test_a_player_leaves_from_the_first_round_that_is_not_paired(event):
    published(event, 1)
    entry = player(event, 1)
    sign_up_as_player(entry, round_of(event, 2))
    assert [each.round.number for each in next_answers([entry])] == [2]
    assert leave_event_as_player(entry).withdrawn_from_round == 2
    assert not CheckIn.objects.exists()
    assert next_answers([player(event, 1)]) == []
    event.rounds.filter(number__gt=1).delete()
    with pytest.raises(ArbiterProblem, match="Ask the arbiter"):
        leave_event_as_player(player(event, 2))


# -- Two games on an evening -------------------------------------------------------------------------------------------


@pytest.fixture
def keizer(club):
    """Rounds 1 and 2 are on the same evening, round 3 a week later."""
    event = make_event(club, players=6, rounds=3, system="keizer")
    first = datetime(2099, 11, 24, 19, 30, tzinfo=UTC)
    for number, start in enumerate((first, first + timedelta(hours=2), first + timedelta(days=7)), start=1):
        event.rounds.filter(number=number).update(starts_at=start)
    return event


def kinds_of(entry) -> dict[int, str]:
    return dict(entry.byes.values_list("round__number", "kind"))


def test_an_answer_is_for_all_games_of_the_evening(keizer):
    entry = player(keizer, 1)
    request_bye_as_player(entry, round_of(keizer, 1))
    assert kinds_of(entry) == {1: "H", 2: "H"}
    sign_up_as_player(entry, round_of(keizer, 1))
    assert kinds_of(entry) == {}
    assert [*entry.check_ins.filter(is_coming=True).values_list("round__number", flat=True)] == [1, 2]
    request_bye_as_player(entry, round_of(keizer, 2))
    assert kinds_of(entry) == {2: "H"}


def test_in_other_systems_an_answer_is_for_its_round(keizer):
    keizer.__class__.objects.filter(pk=keizer.pk).update(system="jahr")
    entry = player(keizer, 1)
    request_bye_as_player(entry, round_of(keizer, 1))
    assert [*kinds_of(entry)] == [1]


def test_a_guest_of_an_evening_plays_both_games_and_no_more(keizer, client, secretary):
    entry, first = player(keizer, 6), round_of(keizer, 1)
    address = reverse("round_check_in", args=[keizer.club.slug, keizer.slug, 1])
    client.force_login(secretary)
    client.post(address, {"entry": entry.pk, "mark": "guest"})
    entry.refresh_from_db()
    assert entry.withdrawn_from_round == 3
    assert "this evening only" in client.get(address).text
    client.post(address, {"entry": entry.pk, "mark": "back"})
    entry.refresh_from_db()
    assert entry.withdrawn_from_round is None
    with pytest.raises(ArbiterProblem):
        enter_as_guest(entry, round_of(keizer, 3), by=secretary)
    assert first.state == "waiting"


def test_who_missed_the_first_game_is_ticked_at_the_second(keizer, client, secretary):
    request_bye_as_player(player(keizer, 2), round_of(keizer, 1))
    sign_up_as_player(player(keizer, 2), round_of(keizer, 2))
    played(keizer, 1)
    client.force_login(secretary)
    page = client.get(reverse("round_check_in", args=[keizer.club.slug, keizer.slug, 2])).text
    assert re.findall(r'name="absent" value="(\d+)" checked', page) == [str(player(keizer, 2).pk)]
