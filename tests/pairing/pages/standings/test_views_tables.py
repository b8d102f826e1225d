"""The standings and a player's card."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.pairing.seven_players import make_seven_player_fixtures
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.models import Game, PairingSystem, Round, Tournament
from tournaments.results.recording import correct_result, enter_result

made_once, event, club, secretary = make_seven_player_fixtures()

PUBLISHED, FINISHED = Round.State.PUBLISHED, Round.State.FINISHED


def lines(page) -> list[tuple[int, str, tuple[str, ...]]]:
    return [
        (line.place, line.player.name, tuple(str(value) for value in line.values))
        for line in page.context["sheet"].lines
    ]


@pytest.mark.parametrize(("name", "args"), [("standings", []), ("standings_after", [1]), ("player", [1])])
def test_they_are_pages_for_everyone_who_may_read_the_event(
    name, args, event, round_in, member, outsider, signed_in, address
):
    round_in(1, FINISHED)
    assert signed_in().get(address(name, *args)).status_code == 200
    assert signed_in().post(address(name, *args)).status_code == 405
    event.is_public = False
    event.save()
    assert signed_in().get(address(name, *args)).status_code == 404
    assert signed_in(outsider).get(address(name, *args)).status_code == 404
    assert signed_in(member).get(address(name, *args)).status_code == 200


@pytest.mark.every_database
def test_no_standings_after_a_round_that_is_not_published(round_in, secretary, signed_in, address):
    round_in(2, Round.State.DRAFT)
    for user in (None, secretary):
        assert signed_in(user).get(address("standings_after", 2)).status_code == 404
        assert signed_in(user).get(address("standings_after", 10**30)).status_code == 404
        assert signed_in(user).get(address("player", 10**30)).status_code == 404
        assert signed_in(user).get(address("player", 99)).status_code == 404


def test_a_draft_shows_nowhere(round_in, signed_in, address):
    this_round = round_in(2, Round.State.DRAFT)
    game = this_round.games.get(board=1)
    card = signed_in().get(address("player", game.white.tpn))
    assert [row.number for row in card.context["sheet"].rounds] == [1]
    table = signed_in().get(address("standings"))
    assert table.context["sheet"].after_round == 1
    assert {len(line.rounds) for line in table.context["sheet"].lines} == {1}


def test_before_the_first_round_there_is_the_starting_list(event, signed_in, address):
    page = signed_in().get(address("standings"))
    assert "Starting list" in page.content.decode()
    assert len(lines(page)) == 7


def test_jahrs_values_after_one_round(round_in, signed_in, address):
    """Nobody had a total before round 1, so no tenths are added: T equals G, and the bye counts a half."""
    round_in(1, FINISHED)
    page = signed_in().get(address("standings"))
    assert [column.code for column in page.context["sheet"].columns] == ["G", "T", "E"]
    assert [values for _, _, values in lines(page)] == [
        *[("1", "1.00", "0.00")] * 3,
        ("½", "0.50", "0.00"),
        *[("0", "0.00", "0.00")] * 3,
    ]
    assert [place for place, _, _ in lines(page)] == [1, 2, 3, 4, 5, 6, 7]


def test_jahrs_values_after_two_rounds(round_in, signed_in, address):
    """Everyone has, in addition to the points, a tenth of what the opponent of round 2 had after round 1."""
    round_in(1, FINISHED)
    totals = {
        line.player.tpn: line.values[1]
        for line in signed_in().get(address("standings_after", 1)).context["sheet"].lines
    }
    this_round = round_in(2, FINISHED)
    page = signed_in().get(address("standings_after", 2))
    after = {line.player.tpn: line.values[1] for line in page.context["sheet"].lines}
    game = this_round.games.get(board=1)
    assert after[game.white.tpn] == totals[game.white.tpn] + totals[game.black.tpn] / 10 + 1
    assert after[game.black.tpn] == totals[game.black.tpn] + totals[game.white.tpn] / 10


def test_open_boards_make_the_table_provisional(round_in, signed_in, address):
    round_in(1, PUBLISHED)
    page = signed_in().get(address("standings"))
    assert "provisional" in page.content.decode()
    assert "No results of round 1 yet." in page.content.decode()
    assert "provisional" not in signed_in().get(address("player", 1)).content.decode()


def test_a_table_with_some_results_says_that_others_are_missing(round_in, signed_in, address):
    game = round_in(1, PUBLISHED).games.get(board=1)
    game.result = Game.Result.WHITE_WINS
    game.save()
    page = signed_in().get(address("standings")).content.decode()
    assert "Some results are still missing." in page
    assert "No results of round" not in page


def test_the_1989_rules_have_their_own_columns(event, round_in, signed_in, address):
    Tournament.objects.filter(pk=event.pk).update(system=PairingSystem.FIDE_1989)
    event.refresh_from_db()
    round_in(1, FINISHED)
    page = signed_in().get(address("standings"))
    assert [column.code for column in page.context["sheet"].columns] == ["PTS", "16"]
    assert lines(page)[0][2][0] == "1"
    bye = next(line for line in page.context["sheet"].lines if not line.rounds[0].opponent)
    assert (bye.values[0], bye.rounds[0].symbol) == ("1", "1")


def test_the_table_shows_round_by_round(round_in, signed_in, address):
    this_round = round_in(1, FINISHED)
    game = this_round.games.get(board=1)
    sheet = signed_in().get(address("standings")).context["sheet"]
    cells = {line.player.tpn: line.rounds[0] for line in sheet.lines}
    of_white, of_black = cells[game.white.tpn], cells[game.black.tpn]
    assert (of_white.opponent, of_white.colour, of_white.symbol) == (game.black.tpn, "w", "1")
    assert (of_black.opponent, of_black.colour, of_black.symbol) == (game.white.tpn, "b", "0")


def test_a_card_answers_why_black_again(round_in, signed_in, address):
    this_round = round_in(2, FINISHED)
    game = this_round.games.get(board=1)
    text = signed_in().get(address("player", game.black.tpn)).content.decode()
    assert "Why this colour again?" in text
    white, black = (" ".join(reversed(player.name.split(", "))) for player in (game.white, game.black))
    assert f"{white} has White against {black}" in text


def test_a_card_leads_those_who_run_the_event_to_edit_and_withdraw(event, round_in, secretary, signed_in, address):
    round_in(1, FINISHED)
    edit = address("entry_edit", event.entries.get(tpn=1).pk)
    assert edit not in signed_in().get(address("player", 1)).content.decode()
    browser = signed_in(secretary)
    assert f'href="{edit}">Edit or withdraw</a>' in browser.get(address("player", 1)).content.decode()
    assert browser.get(edit).status_code == 200


def test_a_players_colour_is_not_beside_the_opponent(round_in, signed_in, address):
    game = round_in(1, FINISHED).games.get(board=1)
    for player, colour in ((game.white, "White"), (game.black, "Black")):
        said = signed_in().get(address("player", player.tpn)).text
        row = said.split("<tbody>")[1].split("</tr>")[0]
        before, opponent = row.split('<td class="opponent">')
        assert f'<span class="visually-hidden">{colour}</span></td>' in before
        assert 'class="piece' not in opponent
        assert "due next" in said
        assert 'class="article"' not in said.split("<details")[0]


def test_a_card_has_jahrs_boxes(round_in, signed_in, address):
    this_round = round_in(2, FINISHED)
    bye = this_round.byes.get(kind="U").entry
    rows = signed_in().get(address("player", bye.tpn)).context["sheet"].rounds
    before = rows[0].jahr.total
    assert rows[1].jahr.counted == before
    assert rows[1].jahr.total == before + rows[1].jahr.tenth + Decimal("0.5")


def test_a_published_board_is_on_the_card_before_it_is_played(round_in, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    game = this_round.games.get(board=1)
    sheet = signed_in().get(address("player", game.white.tpn)).context["sheet"]
    (row,) = sheet.rounds
    assert (row.opponent.name, row.symbol, row.is_played) == (game.black.name, "", False)
    assert sheet.colours == ()


@pytest.mark.parametrize(("name", "args"), [("standings", []), ("player", [1])])
def test_an_unchanged_table_is_not_sent_again(name, args, round_in, secretary, signed_in, address):
    this_round = round_in(1, PUBLISHED)
    phone = signed_in()
    known = {"If-None-Match": phone.get(address(name, *args)).headers["ETag"]}
    assert phone.get(address(name, *args), headers=known).status_code == 304
    enter_result(this_round.games.first(), "1-0", revision=0, by=secretary)
    assert phone.get(address(name, *args), headers=known).status_code == 200
    assert "ETag" not in signed_in(secretary).get(address(name, *args)).headers


def test_the_number_of_queries_does_not_grow(event, round_in, secretary, signed_in, address):
    def queries() -> tuple[int, ...]:
        found = []
        for name, args in [("standings", []), ("player", [1]), ("tie_break_working", [1, 1]), ("crosstable", [1])]:
            with CaptureQueriesContext(connection) as captured:
                assert signed_in().get(address(name, *args)).status_code == 200
            found.append(len(captured))
        return tuple(found)

    round_in(1, FINISHED)
    few = queries()
    enter_pasted_list(event, "\n".join(f"Player {place:03d}; {1700 - place}" for place in range(60)), by=secretary)
    round_in(3, FINISHED)
    assert queries() == few


# -- Tie-breaks, their working, parts of the table ---------------------------------------------------------------


def test_the_tie_breaks_are_those_of_the_event_in_their_order(event, round_in, signed_in, address):
    Tournament.objects.filter(pk=event.pk).update(tie_breaks=["BH/C1", "DE", "WIN"])
    event.refresh_from_db()
    round_in(1, FINISHED)
    page = signed_in().get(address("standings"))
    assert [column.code for column in page.context["sheet"].columns] == ["G", "BH/C1", "DE", "WIN"]
    assert "Buchholz: the sum of the opponents&#x27; scores; cut: lowest 1" in page.content.decode()


def test_a_value_that_there_is_not_is_a_dash(event, round_in, signed_in, address):
    Tournament.objects.filter(pk=event.pk).update(tie_breaks=["ARO"])
    event.entries.filter(name__startswith="Baran").update(rating=0)
    round_in(1, FINISHED)
    assert {line.values[1] for line in signed_in().get(address("standings")).context["sheet"].lines} == {"–"}


def test_every_value_leads_to_its_working(event, round_in, signed_in, address):
    """Jahr's T: the opponent's total before the game, the result, and what both add."""
    round_in(2, FINISHED)
    line = signed_in().get(address("standings")).context["sheet"].lines[0]
    where = address("tie_break_working", 2, line.player.tpn)
    assert f'href="{where}#value-1"' in signed_in().get(address("standings")).content.decode()
    page = signed_in().get(where)
    total, exact = page.context["workings"]
    assert (total.code, total.text, exact.code) == ("T", str(line.values[1]), "E")
    assert sum(row.value for row in total.rows) == line.values[1]
    text = page.content.decode()
    assert 'id="value-1"' in text
    foot = text.partition("<tfoot>")[2].partition("</tfoot>")[0]
    assert f'<td class="number">{total.text}</td>' in foot


@pytest.mark.parametrize(("name", "args"), [("tie_break_working", [1, 1]), ("crosstable", [1])])
def test_working_and_crosstable_are_pages_for_readers(name, args, event, round_in, member, signed_in, address):
    round_in(1, FINISHED)
    assert signed_in().get(address(name, *args)).status_code == 200
    assert signed_in().post(address(name, *args)).status_code == 405
    assert signed_in().get(address(name, 2, *args[1:])).status_code == 404
    event.is_public = False
    event.save()
    assert signed_in().get(address(name, *args)).status_code == 404
    assert signed_in(member).get(address(name, *args)).status_code == 200


def test_no_working_of_a_player_who_is_not_there(round_in, signed_in, address):
    round_in(1, FINISHED)
    assert signed_in().get(address("tie_break_working", 1, 99)).status_code == 404


def test_the_crosstable_names_opponents_by_their_lines(round_in, signed_in, address):
    round_in(2, FINISHED)
    sheet = signed_in().get(address("crosstable", 2)).context["sheet"]
    lines = {line.player.tpn: line.place for line in sheet.lines}
    assert sorted(lines.values()) == [1, 2, 3, 4, 5, 6, 7]
    met = [(cell.opponent, cell.opponent_line) for line in sheet.lines for cell in line.rounds if cell.opponent]
    assert met
    assert all(lines[opponent] == line for opponent, line in met)


def test_a_category_shows_its_players_with_their_places_among_all(event, round_in, signed_in, address):
    event.entries.filter(name__in=["Łęcka, Zdzisława", "Zając, Ewa"]).update(sex="w")
    round_in(1, FINISHED)
    whole = {line.player.name: line.place for line in signed_in().get(address("standings")).context["sheet"].lines}
    page = signed_in().get(address("standings"), {"category": "women"})
    lines = page.context["sheet"].lines
    assert {line.player.name for line in lines} == {"Łęcka, Zdzisława", "Zając, Ewa"}
    assert [line.place for line in lines] == [1, 2]
    assert [line.overall_place for line in lines] == [whole[line.player.name] for line in lines]
    assert '<option value="women" selected>' in page.content.decode()


def test_only_categories_that_say_something_are_offered(event, signed_in, address):
    """All are rated from 1800 up; nobody's sex or birth date is known, and nobody is a member."""
    page = signed_in().get(address("standings"))
    assert [each.key for each in page.context["categories"]] == ["below-2000"]
    event.starts_on = "2026-09-01"
    event.save()
    event.entries.filter(rating=2100).update(birth="2010")
    page = signed_in().get(address("standings"))
    assert [each.key for each in page.context["categories"]] == ["u16", "u18", "u20", "below-2000"]


def test_an_unknown_category_shows_everyone(signed_in, event, address):
    assert len(lines(signed_in().get(address("standings"), {"category": "giants"}))) == 7


# -- Clubs ----------------------------------------------------------------------------------------------------------


def test_without_clubs_there_is_nothing_to_add_up(event, round_in, signed_in, address):
    round_in(1, FINISHED)
    assert address("club_standings", 1) not in signed_in().get(address("standings")).content.decode()
    page = signed_in().get(address("club_standings", 1))
    assert page.context["clubs"].lines == ()


def test_clubs_by_their_best_players(event, round_in, signed_in, address):
    """Łęcka, Бързакова and Příhodová of one club, Kowal and Müller of another, in the order of the table."""
    event.entries.filter(rating__gte=2000).update(club_name="Hetman")
    event.entries.filter(rating__in=[1950, 1900]).update(club_name="Goniec")
    round_in(1, FINISHED)
    page = signed_in().get(address("standings"))
    assert address("club_standings", 1) in page.content.decode()
    table = {line.player.name: line for line in page.context["sheet"].lines}
    clubs = signed_in().get(address("club_standings", 1), {"best": 2}).context["clubs"]
    assert (clubs.counted, clubs.largest_club_size, clubs.excluded_clubs) == (2, 3, ())
    for line in clubs.lines:
        assert line.places == sum(table[each.name].place for each in line.players)
    assert {line.club: len(line.players) for line in clubs.lines} == {"Hetman": 2, "Goniec": 2}
    alone = signed_in().get(address("club_standings", 1), {"best": "99"}).context["clubs"]
    assert (alone.counted, alone.excluded_clubs) == (3, ("Goniec",))


@pytest.mark.parametrize("best", ["0", "-1", "x", "²", "9" * 30])
def test_a_number_of_players_that_is_none(best, event, round_in, signed_in, address):
    event.entries.update(club_name="Hetman")
    round_in(1, FINISHED)
    assert signed_in().get(address("club_standings", 1), {"best": best}).status_code == 200
    assert signed_in().get(address("club_standings", 2)).status_code == 404


# -- Adjourned games ------------------------------------------------------------------------------------------------


def test_an_adjourned_game_keeps_the_table_provisional(event, round_in, signed_in, address):
    last = round_in(3, FINISHED)
    assert "Final standings" in signed_in().get(address("standings")).content.decode()
    game = last.games.get(board=1)
    correct_result(game, Game.Result.ADJOURNED, revision=game.revision, by=None)
    page = signed_in().get(address("standings"))
    sheet = page.context["sheet"]
    assert (sheet.is_provisional, sheet.adjourned) == (True, 1)
    assert {line.player.name for line in sheet.lines if line.has_adjourned_game} == {game.white.name, game.black.name}
    assert "Final standings" not in page.content.decode()
    assert "1 adjourned game doesn't count until it's finished." in page.content.decode()


def test_a_players_page_begins_with_points_and_place(event, round_in, signed_in, address):
    round_in(2, FINISHED)
    page = signed_in().get(address("standings")).context["sheet"]
    line = page.lines[2]
    said = signed_in().get(address("player", line.player.tpn)).text
    lead = said.split('id="event-head"')[1].split("</div>")[0]
    assert (
        lead.index(f"<strong>{line.values[0]}") < lead.index(f"place {line.place} of 7") < lead.index("Pairing number")
    )
    assert 'class="why" open' not in said
    head = said.split("<thead>")[1].split("</thead>")[0]
    assert head.index("Colour") < head.index("Opponent") < head.index("Result") < head.index("Total")
    assert ">G<" not in head
    assert ">G<" in said.split("</thead>", 1)[1]
