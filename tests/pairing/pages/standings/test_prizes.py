"""The prizes of an event from its rows: who gets what, and the working."""

from __future__ import annotations

from datetime import date

import pytest

from clubs.models import Member
from pairing.pages.standings.prize_giving import (
    EVERYONE,
    PrizesOfList,
    get_prize_fund,
    has_public_prizes,
    prize_sheet,
    publish_prizes,
    set_prizes,
)
from pairing.printing.papers.events import prizes_paper
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.public.exports.event_tables import prizes_table
from tests.factories import make_event, player, published
from tournaments.entries.enrolment import enter_pasted_list, withdraw_player
from tournaments.models import Game, PairingSystem, Prize, PrizeFund, Tournament
from tournaments.results.recording import correct_result, enter_result, finish_round

EQUALLY, HORT, PLACE = PrizeFund.PrizeSharing.EQUALLY, PrizeFund.PrizeSharing.HORT, PrizeFund.PrizeSharing.PLACE


def two_rounds_of_four(club) -> Tournament:
    """1 wins twice, 2 and 3 have a point each, 2 the better average; 4 has nothing. One round is not played yet."""
    event = make_event(
        club, players=4, rounds=3, system=PairingSystem.FIDE_1989, starts_on=date(2026, 5, 4), tie_breaks=["RTNG"]
    )
    for number in (1, 2):
        shown = published(event, number)
        for game in shown.games.all():
            better = min(game.white, game.black, key=lambda entry: -entry.rating)
            enter_result(game, "1-0" if better == game.white else "0-1", revision=game.revision, by=None)
        finish_round(shown, by=None)
    return event


def give(event: Tournament, *prizes: int, sharing: str = PLACE, one_prize_each: bool = True, **categories) -> None:
    lists = [PrizesOfList(category=EVERYONE, prizes=prizes)]
    lists += [PrizesOfList(category=key, prizes=of_category) for key, of_category in categories.items()]
    set_prizes(event, lists, sharing=sharing, one_prize_each=one_prize_each, by=None)


def lines(event: Tournament, list_number: int = 0) -> list[tuple[str, int, str]]:
    return [
        (line.player.name[-1], line.amount.cents, line.working) for line in prize_sheet(event).lists[list_number].lines
    ]


def test_without_a_fund_nobody_gets_anything(club):
    sheet = prize_sheet(make_event(club, players=2))
    assert (sheet.lists, sheet.receivers, sheet.total.cents, sheet.is_public) == ((), (), 0, False)


def test_a_category_the_event_cannot_have_has_nobody(club):
    event = two_rounds_of_four(club)
    event.starts_on = None
    event.save()
    give(event, u14=(1000,))
    (juniors,) = prize_sheet(event).lists
    assert (juniors.label, juniors.lines, juniors.not_awarded.cents) == ("u14", (), 1000)


def test_nothing_is_open_before_the_last_round_is_finished(club):
    event = two_rounds_of_four(club)
    give(event, 10000)
    assert not has_public_prizes(get_prize_fund(event))
    assert not prize_sheet(event).is_final


def test_open_when_all_rounds_are_finished(club):
    event = two_rounds_of_four(club)
    event.rounds_announced = 2
    event.save()
    give(event, 10000)
    sheet = prize_sheet(event)
    assert (sheet.is_final, sheet.is_public) == (True, True)


def test_open_when_published(club):
    event = two_rounds_of_four(club)
    give(event, 10000)
    publish_prizes(event, publish=True, by=None)
    assert has_public_prizes(get_prize_fund(event))
    publish_prizes(event, publish=False, by=None)
    assert not has_public_prizes(get_prize_fund(event))
    assert list(event.log.values_list("action", flat=True)[:3]) == [
        "prizes withdrawn",
        "prizes published",
        "prizes set",
    ]


def test_everybody_has_the_prize_of_their_place(club):
    event = two_rounds_of_four(club)
    give(event, 10000, 5000, 2000)
    assert lines(event) == [("1", 10000, "place 1"), ("2", 5000, "place 2"), ("3", 2000, "place 3")]


def test_nobody_wins_a_rating_class_without_a_rating(club):
    """The winner has no rating: the rating prize is for 4, who has one, and the unrated prize is for the winner."""
    event = two_rounds_of_four(club)
    event.entries.filter(pk=player(event, 1).pk).update(rating=0)
    event.entries.filter(pk=player(event, 4).pk).update(rating=1150)
    give(event, **{"below-1200": (1000, 500), "unrated": (700,)})
    below, unrated = prize_sheet(event).lists
    assert [line.player.name[-1] for line in below.lines] == ["4"]
    assert [line.player.name[-1] for line in unrated.lines] == ["1"]
    assert (below.not_awarded.cents, below.eligibility_note[:25]) == (500, "Players rated below 1200.")
    assert unrated.eligibility_note == ""


def test_a_thing_for_a_shared_place_is_nobodys_before_the_lot(club):
    """Without tie-breaks 2 and 3 share second place: the money is halved, the cup is drawn by lot."""
    event = two_rounds_of_four(club)
    event.tie_breaks = []
    event.save()
    cup = PrizesOfList(category=EVERYONE, prizes=(5000, 3000, 2000), things=("", "", "a cup"))
    set_prizes(event, [cup], sharing=PLACE, one_prize_each=True, by=None)
    sheet = prize_sheet(event)
    (places,) = sheet.lists
    assert [str(line.amount) for line in places.lines] == ["€50.00", "€25.00", "€25.00"]
    assert {each.amount.in_kind for each in sheet.receivers} == {""}
    (lot,) = places.by_lot
    assert [each.name[-1] for each in lot.candidates] == ["2", "3"]
    assert str(lot) == f"a cup: drawn by lot between {lot.candidates[0].name}; {lot.candidates[1].name}"
    assert "be shared. If players are still tied, they draw lots" in sheet.shared_place_note
    for with_signatures in (False, True):
        paper = prizes_paper(sheet, PrintOptions(language="en"), with_signatures=with_signatures)
        assert "".join(part.html for part in paper.parts).count("a cup") == 1
    assert [row[-2] for row in prizes_table(event).rows] == ["€50.00", "€25.00", "€25.00", "a cup"]


def test_equal_points_share(club):
    event = two_rounds_of_four(club)
    give(event, 10000, 5000, 2501, sharing=EQUALLY)
    working = "places 2–3: (50.00 + 25.01) : 2 = 37.50"
    assert lines(event)[1:] == [("2", 3750, working), ("3", 3750, working)]
    assert prize_sheet(event).left_over.cents == 1


def test_by_hort(club):
    event = two_rounds_of_four(club)
    give(event, 10000, 5000, 2000, sharing=HORT)
    assert lines(event)[1] == ("2", 4250, "place 2; places 2–3: ½ × 50.00 + ½ × (50.00 + 20.00) : 2 = 42.50")
    assert lines(event)[2] == ("3", 2750, "place 3; places 2–3: ½ × 20.00 + ½ × (50.00 + 20.00) : 2 = 27.50")


def test_one_prize_a_player_and_the_money_is_all_there(club):
    """1, the only woman, keeps the first prize; 4, the only junior, has theirs."""
    event = two_rounds_of_four(club)
    event.entries.filter(pk=player(event, 1).pk).update(sex=Member.Sex.FEMALE)
    event.entries.filter(pk=player(event, 4).pk).update(birth="2014-05-01")
    give(event, 10000, 5000, women=(3000,), u14=(2500, 1000))
    sheet = prize_sheet(event)
    assert [each.label for each in sheet.lists] == ["All players", "Women", "U14"]
    women = sheet.lists[1]
    assert [(each.player.name[-1], each.amount.cents) for each in women.forgone] == [("1", 3000)]
    assert [(each.player.name[-1], each.amount.cents, each.lists) for each in sheet.receivers] == [
        ("1", 10000, ("All players",)),
        ("2", 5000, ("All players",)),
        ("4", 2500, ("U14",)),
    ]
    money = (sheet.total, sheet.awarded, sheet.left_over, sheet.not_awarded)
    assert [each.cents for each in money] == [21500, 17500, 0, 4000]


def test_whoever_has_not_played_has_no_claim(club):
    """5 entered and never came; as the only junior, 5 would get that prize."""
    event = two_rounds_of_four(club)
    enter_pasted_list(event, "Pionek, Nr005; 1000", by=None)
    event.entries.filter(pk=player(event, 5).pk).update(birth="2014-05-01")
    give(event, 100, 90, 80, 70, 60, u14=(50,))
    places, juniors = prize_sheet(event).lists
    assert [line.player.name[-1] for line in places.lines] == ["1", "2", "3", "4"]
    assert (places.not_awarded.cents, juniors.lines) == (60, ())


def test_a_prize_of_somebody_who_has_withdrawn_says_so(club):
    event = two_rounds_of_four(club)
    withdraw_player(player(event, 1), 3, by=None)
    give(event, 10000, 5000)
    assert [line.has_withdrawn for line in prize_sheet(event).lists[0].lines] == [True, False]


def test_several_prizes_a_player_are_one_line_of_who_gets_what(club):
    event = two_rounds_of_four(club)
    event.entries.filter(pk=player(event, 1).pk).update(sex=Member.Sex.FEMALE)
    give(event, 10000, one_prize_each=False, women=(3000,))
    (receiver,) = prize_sheet(event).receivers
    assert (str(receiver.amount), receiver.lists) == ("€130.00", ("All players", "Women"))


def test_setting_anew_leaves_nothing_of_before(club):
    event = two_rounds_of_four(club)
    give(event, 10000, 5000, women=(3000,))
    publish_prizes(event, publish=True, by=None)
    give(event, 700)
    assert list(Prize.objects.values_list("category", "place", "cents")) == [("", 1, 700)]
    assert get_prize_fund(event).is_published


@pytest.mark.parametrize("players", [4, 40])
def test_a_fixed_number_of_queries(players, club, django_assert_num_queries):
    event = make_event(club, players=players, system=PairingSystem.FIDE_1989)
    published(event, 1)
    give(event, 10000, 5000, u14=(100,))
    event = Tournament.objects.select_related("club").get(pk=event.pk)
    with django_assert_num_queries(9):
        prize_sheet(event)


def test_nothing_is_open_while_a_game_is_adjourned(club):
    event = two_rounds_of_four(club)
    event.rounds_announced = 2
    event.save()
    give(event, 10000)
    game = Game.objects.get(round__tournament=event, round__number=1, board=1)
    correct_result(game, Game.Result.ADJOURNED, revision=game.revision, by=None)
    assert not prize_sheet(event).is_public
