"""A player's event so far: figures that add up, possible opponents, and a calendar of the rounds."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from pairing.pages.player.player_history import player_history
from tests.factories import make_event, make_member, played, player, published, round_of
from tournaments.check_in.personal_links import event_link_url
from tournaments.entries.enrolment import enter_members
from tournaments.events.event_setup import create_tournament
from tournaments.models import Bye, Entry, Game, PairingSystem
from tournaments.results.recording import enter_result, finish_round


@pytest.fixture
def event(club):
    return make_event(club, players=8, rounds=5)


def with_event(entry: Entry) -> Entry:
    return Entry.objects.select_related("tournament__club", "member").get(pk=entry.pk)


def white_wins(event, number: int) -> None:
    """The round, with wins for White on every board."""
    shown = published(event, number)
    for game in shown.games.all():
        enter_result(game, Game.Result.WHITE_WINS, revision=game.revision, by=None)
    finish_round(shown, by=None)


def page(entry, part: str = "story/") -> str:
    return Client().get(f"{event_link_url(entry)}{part}").content.decode()


def test_before_the_first_round_there_is_nothing_to_show(event):
    story = player_history(with_event(player(event, 1)), sees_ratings=True)
    assert (story.total, story.next_group, story.performance, story.places, story.path) == ("", None, None, None, None)
    assert "No rounds published yet." in page(player(event, 1))


def test_jahrs_total_can_be_added_up(event):
    for number in (1, 2, 3):
        played(event, number, seed=number)
    for entry in event.entries.all():
        story = player_history(with_event(entry), sees_ratings=False)
        summands, _is, total = story.total.partition(" = ")
        points = {"½": Decimal("0.5")}
        game_points, *tenths = summands.split(" + ")
        whole = sum((points.get(sign) or Decimal(sign) for sign in re.findall(r"\d+|½", game_points)), Decimal(0))
        assert whole + sum(map(Decimal, tenths)) == Decimal(total)
        assert Decimal(total) == story.card.rounds[-1].jahr.total
        assert len(tenths) == sum(row.jahr.tenth is not None for row in story.card.rounds)


def test_nobody_knows_who_is_next_while_a_result_is_missing_or_after_the_last_round(club):
    event = make_event(club, players=4, rounds=2)
    shown = published(event, 1)
    assert player_history(with_event(player(event, 1)), sees_ratings=False).next_group is None
    for game in shown.games.all():
        enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    assert player_history(with_event(player(event, 1)), sees_ratings=False).next_group is not None
    finish_round(shown, by=None)
    played(event, 2)
    assert player_history(with_event(player(event, 1)), sees_ratings=False).next_group is None


def test_who_could_be_next_is_ones_group_without_the_withdrawn(club):
    event = make_event(club, players=8, rounds=5, system=PairingSystem.FIDE_1989)
    shown = published(event, 1)
    winners = []
    for game in shown.games.select_related("white"):
        enter_result(game, Game.Result.WHITE_WINS, revision=game.revision, by=None)
        winners.append(game.white)
    finish_round(shown, by=None)
    winners.sort(key=lambda entry: entry.tpn)
    Entry.objects.filter(pk=winners[-1].pk).update(withdrawn_from_round=2)
    group = player_history(with_event(winners[0]), sees_ratings=False).next_group
    assert [each.entry.tpn for each in group.neighbours] == [entry.tpn for entry in winners[:-1]]
    assert [each.is_self for each in group.neighbours] == [True, False, False]
    assert not group.has_no_opponents_left
    assert player_history(with_event(winners[-1]), sees_ratings=False).next_group is None


def test_earlier_opponents_are_marked(club):
    event = make_event(club, players=4, rounds=3, system=PairingSystem.FIDE_1989)
    shown = published(event, 1)
    for game in shown.games.all():
        enter_result(game, Game.Result.DRAW, revision=game.revision, by=None)
    finish_round(shown, by=None)
    game = shown.games.get(board=1)
    group = player_history(with_event(game.white), sees_ratings=False).next_group
    assert [each.entry.pk for each in group.neighbours if each.have_met] == [game.black_id]
    assert "<s>" in page(game.white)


def test_club_ratings_are_for_the_member_alone(club):
    event = create_tournament(club, by=None, name="Środa", rounds_announced=3, system="jahr", rated_as="standard")
    members = [make_member(club, f"Figura, Nr{number}", rating=1800 - 40 * number) for number in range(4)]
    enter_members(event, members, by=None)
    first = round_of(event, 1)
    first.starts_at = timezone.now()
    first.save()
    white_wins(event, 1)
    entry = with_event(event.entries.get(member=members[0]))
    story = player_history(entry, sees_ratings=True)
    assert [len(month.games) for month in story.rated] == [1]
    assert player_history(entry, sees_ratings=False).rated == ()
    assert story.performance.games == 1


def test_an_event_that_is_not_public_leads_nowhere(club):
    event = make_event(club, players=4, is_public=False)
    played(event, 1)
    html = page(player(event, 1))
    assert f'href="/{club.slug}/{event.slug}/' not in html
    assert "My event so far" in html


def test_a_players_evenings_without_those_they_miss(event, club):
    first = timezone.now().replace(microsecond=0) + timedelta(days=1)
    for number in range(1, 6):
        event.rounds.filter(number=number).update(starts_at=first + timedelta(days=7 * number))
    entry = player(event, 1)
    Bye.objects.create(round=round_of(event, 2), entry=entry, kind="H")
    Entry.objects.filter(pk=entry.pk).update(withdrawn_from_round=5)
    answer = Client().get(f"{event_link_url(entry)}calendar.ics")
    assert answer.headers["Content-Type"].startswith("text/calendar")
    assert "no-store" in answer.headers["Cache-Control"]
    text = answer.content.decode().replace("\r\n ", "")
    assert re.findall(r"SUMMARY:.*\((\d)/5\)", text) == ["1", "3", "4"]
    assert text.count("BEGIN:VALARM") == text.count("TRIGGER:-PT120M") == 3
    assert text.count(f"URL:http://testserver{event_link_url(entry)}") == 3
    assert Client().get(f"/p/{entry.pk}.AAAAAAAAAAAAAAAA/calendar.ics").status_code == 404
