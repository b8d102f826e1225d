"""Club ratings from its rounds: who is rated, what is corrected, and a whole season calculated twice."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from clubs.models import Member, MemberRating, RatingMethod, TimeControlKind
from tests.factories import leave_finished, make_club, make_event, make_member, played
from tournaments.check_in.byes import grant_requested_bye
from tournaments.club_ratings.rating_calculation import calculate_ratings_from
from tournaments.club_ratings.recalculation import (
    choose_rating_method,
    schedule_rating_from_month,
    schedule_round_rating,
)
from tournaments.entries.enrolment import enter_members
from tournaments.events.event_setup import change_tournament
from tournaments.models import Game, Round, Tournament
from tournaments.results.recording import correct_result, reopen_round

pytestmark = pytest.mark.django_db

MONDAY = datetime(2026, 1, 5, 18, 30, tzinfo=UTC)


def stored(kind: str = TimeControlKind.STANDARD) -> dict[str, tuple]:
    """All stored ratings, by member and month."""
    rows = MemberRating.objects.filter(kind=kind).select_related("member")
    return {
        f"{row.member.name} {row.month:%Y-%m}": (row.before, row.after, row.factor, row.games, row.state)
        for row in rows
    }


@pytest.fixture
def event(club) -> Tournament:
    """An event of four rated members, with no round played."""
    event = make_event(club, rounds=3, starts_on=MONDAY.date())
    members = [make_member(club, f"Figura, {n}", rating=1800 + 10 * n, birth_year=1970) for n in range(4)]
    enter_members(event, members, by=None)
    return event


def test_nothing_is_rated_before_a_round_is_finished(event):
    assert stored() == {}


def test_a_finished_round_is_rated_and_a_reopened_one_is_not(event):
    this_round = played(event, 1)
    assert len(stored()) == 4
    assert all(month.endswith("2026-01") for month in stored())
    reopen_round(this_round, by=None)
    assert stored() == {}


def test_in_a_keizer_season_games_are_rated_and_absences_are_not(club):
    event = make_event(club, rounds=3, starts_on=MONDAY.date(), system="keizer")
    members = [make_member(club, f"Figura, {n}", rating=1800 + 10 * n, birth_year=1970) for n in range(5)]
    enter_members(event, members, by=None)
    on_duty = event.entries.get(member=members[2])
    grant_requested_bye(on_duty, event.rounds.get(number=1), "F", by=None, beyond_quota=True)
    played(event, 1)
    games = {name: len(rated) for name, (_before, _after, _factor, rated, _state) in stored().items()}
    assert games == {f"Figura, {n} 2026-01": 1 for n in (0, 1, 3, 4)}


def test_forfeits_are_not_rated(event):
    this_round = played(event, 1)
    game = this_round.games.get(board=1)
    game = correct_result(game, Game.Result.WHITE_WINS_FORFEIT, revision=game.revision, by=None)
    assert len(stored()) == 2
    assert not MemberRating.objects.filter(member__in=[game.white.member, game.black.member]).exists()


def test_an_event_that_is_not_rated_leaves_no_trace(event):
    played(event, 1)
    change_tournament(event, by=None, rated_as="")
    assert stored() == {}


def test_a_blitz_event_counts_for_blitz_alone(event):
    change_tournament(event, by=None, rated_as=TimeControlKind.BLITZ)
    played(event, 1)
    assert stored() == {}
    assert len(stored(TimeControlKind.BLITZ)) == 4


def test_estimates_are_no_ratings(club):
    event = make_event(club, rounds=3, starts_on=MONDAY.date())
    guessed = make_member(club, "Debiut, Ewa", rating=1700, rating_is_estimate=True)
    enter_members(event, [guessed, make_member(club, "Mat, Jan", rating=1800)], by=None)
    played(event, 1)
    rows = {row.member.family_name: row for row in MemberRating.objects.all()}
    assert rows["Debiut"].before is None
    assert not rows["Mat"].games[0]["counts"]


def test_a_correction_counts_the_month_anew(event):
    this_round = played(event, 1)
    game = this_round.games.get(board=1)
    result = Game.Result.BLACK_WINS if game.result == Game.Result.WHITE_WINS else Game.Result.WHITE_WINS
    corrected = correct_result(game, result, revision=game.revision, by=None)
    winner = corrected.white if result == Game.Result.WHITE_WINS else corrected.black
    row = MemberRating.objects.get(member=winner.member)
    assert row.after > row.before
    assert [game["score"] for game in row.games] == [2]


def test_another_clubs_ratings_stay_as_they_are(event):
    other = make_event(make_club("obok", "Obok"), rounds=3, starts_on=MONDAY.date())
    enter_members(other, [make_member(other.club, f"Obca, {n}", rating=1900) for n in range(2)], by=None)
    played(other, 1)
    theirs = stored()
    played(event, 1)
    choose_rating_method(event.club, RatingMethod.NONE)
    assert stored() == theirs


def test_a_club_that_counts_no_ratings_has_none(event):
    played(event, 1)
    choose_rating_method(event.club, RatingMethod.NONE)
    assert stored() == {}
    choose_rating_method(event.club, RatingMethod.FIDE)
    assert len(stored()) == 4


def a_season(club, *, seed: int = 7, members: int = 30, events: int = 8, boards: int = 10) -> list[Round]:
    """Rounds of 40 weeks, 8 events of 5 evenings, 30 members, some absent; all finished, none rated yet."""
    chance = random.Random(seed)
    people = Member.objects.bulk_create(
        Member(
            club=club,
            family_name=f"Pionek {n}",
            rating=chance.choice([*[0] * 25, *range(1350, 2450, 10)]),
            birth_year=chance.randrange(1950, 2014),
        )
        for n in range(members)
    )
    rounds = []
    for number in range(events):
        first_evening = MONDAY + timedelta(weeks=5 * number)
        kind = TimeControlKind.RAPID if number in (3, 6) else TimeControlKind.STANDARD
        event = make_event(club, rounds=5, rated_as=kind, starts_on=first_evening.date())
        enter_members(event, people, by=None)
        entries = list(event.entries.all())
        for this_round in event.rounds.all():
            this_round.starts_at = first_evening + timedelta(weeks=this_round.number - 1)
            present = chance.sample(entries, 2 * boards)
            Game.objects.bulk_create(
                Game(round=this_round, board=board, white=white, black=black, result=chance.choice(RESULTS))
                for board, (white, black) in enumerate(zip(present[::2], present[1::2], strict=True), start=1)
            )
            this_round.state = Round.State.FINISHED
            this_round.save()
            rounds.append(this_round)
    return rounds


RESULTS = ["1-0", "1-0", "0-1", "1/2", "1/2", "+/-"]


@pytest.mark.one_database
@pytest.mark.parametrize("method", [RatingMethod.FIDE, RatingMethod.GLICKO_2])
def test_a_season_counted_from_scratch_is_the_season_counted_step_by_step(club, method):
    """Evening by evening, as rounds finish; then all at once; then after corrections of early rounds."""
    choose_rating_method(club, method)
    season = a_season(club)
    leave_finished(Round.objects.all())
    for this_round in season:
        Round.objects.filter(pk=this_round.pk).update(state=Round.State.FINISHED)
        schedule_round_rating(this_round)
    standard, rapid = stored(), stored(TimeControlKind.RAPID)
    assert len(standard) > 150
    assert len(rapid) > 45
    assert any(before is None and after for before, after, *_rest in standard.values())
    schedule_rating_from_month(club, None)
    assert (stored(), stored(TimeControlKind.RAPID)) == (standard, rapid)

    chance = random.Random(8)
    for this_round in chance.sample(season, 4):
        game = this_round.games.first()
        wanted = "1/2" if game.result != "1/2" else "0-1"
        correct_result(game, wanted, revision=game.revision, by=None)
    corrected = stored(), stored(TimeControlKind.RAPID)
    assert corrected != (standard, rapid)
    schedule_rating_from_month(club, None)
    assert (stored(), stored(TimeControlKind.RAPID)) == corrected


def test_counting_asks_no_more_questions_for_more_games(club, django_assert_max_num_queries):
    a_season(club)
    with django_assert_max_num_queries(20):
        calculate_ratings_from(club, None)
