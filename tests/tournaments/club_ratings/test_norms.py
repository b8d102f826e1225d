"""Norms of a member: which events, games and titles; and their page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from clubs.models import Member, TimeControlKind
from tests.factories import leave_finished, make_event, make_member
from tournaments.club_ratings.member_norms import has_norms, norms_in_event, norms_of_member
from tournaments.models import Bye, Entry, Game, Round, Tournament

pytestmark = pytest.mark.django_db

OPPONENTS = [("GM", "CZE"), ("GM", "GER"), ("GM", "CZE"), ("IM", "GER"), ("IM", "CZE"), *[("", "POL")] * 4]


@pytest.fixture
def hero(club) -> Member:
    club.federation = "POL"
    club.save()
    return make_member(club, "Figura, Ewa", rating=2350, title="FM")


def norm_event(hero: Member, *, points: int, rating: int = 2400, rounds: int = 9, **fields) -> Tournament:
    """Nine finished rounds, the first of them won."""
    event = make_event(hero.club, rounds=rounds, **fields)
    own = Entry.objects.create(
        tournament=event, member=hero, name=hero.name, title=hero.title, sex=hero.sex, rating=hero.rating
    )
    for this_round in event.rounds.all():
        title, federation = OPPONENTS[this_round.number % 9]
        other = Entry.objects.create(
            tournament=event, name=f"Gość, {this_round.number}", title=title, rating=rating, federation=federation
        )
        result = Game.Result.WHITE_WINS if this_round.number <= points else Game.Result.BLACK_WINS
        Game.objects.create(round=this_round, board=1, white=own, black=other, result=result)
    event.rounds.update(state=Round.State.FINISHED)
    return event


def told(hero: Member) -> list[tuple[str, list[str]]]:
    return [
        (result.title, [missing.article for missing in result.missing])
        for norms in norms_of_member(hero)
        for result in norms.results
    ]


@pytest.mark.parametrize(
    "fields",
    [{"rounds": 8}, {"rated_as": TimeControlKind.RAPID}, {"rated_as": ""}],
    ids=["short", "rapid", "not rated"],
)
def test_no_event_for_norms(hero, fields):
    norm_event(hero, points=9, **fields)
    assert norms_of_member(hero) == []


def test_unfinished_rounds_and_forfeits_do_not_count(hero):
    event = norm_event(hero, points=9)
    leave_finished(event.rounds.filter(number=9))
    assert norms_of_member(hero) == []
    leave_finished(event.rounds.filter(number__gte=8))
    Game.objects.filter(round__number__in=(8, 9)).update(result=Game.Result.WHITE_WINS_FORFEIT)
    event.rounds.update(state=Round.State.FINISHED)
    assert norms_of_member(hero) == []


def test_the_next_title_alone_while_it_is_not_reached(hero):
    norm_event(hero, points=2)
    assert told(hero) == [("IM", ["1.4.8b", "1.4.8"])]


def test_after_one_norm_the_next_is_shown_too(hero):
    norm_event(hero, points=6)
    assert told(hero) == [("IM", []), ("GM", ["1.4.8"])]


def test_eight_games_and_a_bye_of_nine(hero):
    event = norm_event(hero, points=9)
    last = event.rounds.get(number=8)
    leave_finished(event.rounds.filter(number=8))
    last.games.all().delete()
    event.rounds.update(state=Round.State.FINISHED)
    assert norms_of_member(hero) == []
    Bye.objects.create(round=last, entry=event.entries.get(member=hero), kind=Bye.Kind.PAIRING_ALLOCATED)
    assert told(hero) == [("IM", []), ("GM", [])]


@pytest.mark.parametrize(
    ("title", "sex", "first"),
    [("GM", "w", None), ("IM", "w", "GM"), ("WGM", "w", "IM"), ("FM", "w", "WGM"), ("", "w", "WIM"), ("", "m", "IM")],
)
def test_titles_above_the_own_one(hero, title, sex, first):
    hero.title, hero.sex = title, sex
    hero.save()
    norm_event(hero, points=2, rating=1900)
    assert [title for title, _missing in told(hero)] == ([first] if first else [])


def test_the_page_says_what_is_missing(client, hero, member):
    norm_event(hero, points=3, rating=2200)
    client.force_login(member)
    address = reverse("member_ratings", args=[hero.club.slug, hero.pk])
    text = " ".join(client.get(address).content.decode().split())
    assert "No IM norm." in text
    assert "average opponent rating 2200, 2230 needed" in text
    assert "a score of 33%, 35% needed" in text
    assert "Norms" not in client.get(f"{address}?kind=rapid").content.decode()


def test_the_event_lists_whoever_has_the_games(hero):
    event = norm_event(hero, points=7)
    (only,) = norms_in_event(event)
    assert only.entry.name == hero.name
    assert [(each.round, each.game.federation) for each in only.opponents][:2] == [(1, "GER"), (2, "CZE")]
    assert [result.title for result in only.results] == [result.title for result in norms_of_member(hero)[0].results]


def test_an_event_without_titleholders_is_not_searched_for_norms(hero, django_assert_num_queries):
    """The page where printouts are chosen asks at every visit."""
    event = norm_event(hero, points=9)
    assert has_norms(event)
    event.entries.exclude(pk=event.entries.filter(title="GM").values("pk")[:1]).update(title="FM")
    with django_assert_num_queries(1):
        assert not has_norms(event)


def test_too_few_points_make_no_norm(hero):
    assert not has_norms(norm_event(hero, points=1))
