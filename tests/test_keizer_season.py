"""A Keizer season of 4 evenings through the pages, as a secretary plays it. Its totals are the literal transcription's.

One evening has an absence with notice, a team match and somebody who does not come. A player enters before round 3,
and one withdraws before round 4.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from pairing.engine.snapshot import Result, TournamentSnapshot
from pairing.engine.trf import read_trf, write_trf
from pairing.public.exports.event_tables import standings_table
from pairing.view_models.diagrams.place_chart import place_chart
from pairing.view_models.sheets.regulations import regulations_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tests.factories import make_club, make_user, seen
from tests.pairing.engine.literal.keizer import Keizer
from tournaments.check_in.personal_links import event_link_token
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Bye, Entry, Round, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

PLAYERS = "Anna; 2000\nBert; 1900\nCleo; 1800\nDora; 1700\nEmil; 1600\nFrida; 1500\nGreta; 1400"
RULES = {"loss": Fraction(1, 10), "gap": 2}


class Season:
    """The event, and the secretary's browser."""

    def __init__(self) -> None:
        self.club = make_club()
        self.browser = Client()
        self.browser.force_login(make_user("secretary", self.club, Role.SECRETARY))
        values = {
            "name": "Winter",
            "system": "keizer",
            "rounds_announced": "4",
            "acceleration": "none",
            "first_colour": "w",
            "requested_bye_worth": "H",
            "requested_byes_allowed": "1",
            "late_entry_worth": "Z",
            "is_public": "on",
            "only_sign_ups": "False",
            "keizer_rules": "own",
            "keizer_options": "loss=1/10, gap = 2",
        }
        made = self.browser.post(reverse("tournament_new", args=[self.club.slug]), values)
        assert made.status_code == 302
        self.event = Tournament.objects.get()

    def address(self, name: str, *arguments: object) -> str:
        return reverse(name, args=[self.club.slug, self.event.slug, *arguments])

    def entry(self, name: str) -> Entry:
        return self.event.entries.get(name=name)

    def tap(self, number: int, **marks: str) -> None:
        for name, mark in marks.items():
            sent = {"entry": self.entry(name).pk, "mark": mark}
            assert self.browser.post(self.address("round_check_in", number), sent).status_code == 302

    def play(self, number: int) -> None:
        """Pair, publish and finish; the player with the better rating wins, and board 2 is drawn."""
        self.browser.post(self.address("round_pair", number))
        paired = self.event.rounds.get(number=number)
        assert paired.state == Round.State.DRAFT
        self.browser.post(self.address("round_publish", number), {"version": paired.version})
        paired.refresh_from_db()
        for game in paired.games.select_related("white", "black"):
            better = "1-0" if game.white.rating > game.black.rating else "0-1"
            result = "1/2" if game.board == 2 else better
            sent = {f"result-{game.board}": result, f"seen-{game.board}": seen(paired, game.board)}
            self.browser.post(self.address("board_result", number, game.board), sent)
        self.browser.post(self.address("round_finish", number))
        paired.refresh_from_db()
        assert paired.state == Round.State.FINISHED

    def read(self, name: str, *arguments: object) -> str:
        return unescape(self.browser.get(self.address(name, *arguments)).content.decode())

    def snapshot(self) -> TournamentSnapshot:
        return snapshot_before_round(self.event, self.event.rounds.filter(state=Round.State.FINISHED).count() + 1)

    def names(self) -> dict[int, str]:
        return {card.tpn: card.name for card in self.snapshot().cards}

    def literal(self) -> tuple[list[str], dict[str, Fraction]]:
        """The last ranking and the totals, by the literal transcription of what the database holds."""
        names = self.names()
        order, totals = Keizer(self.snapshot(), dict(RULES)).rankings()[-1]
        return [names[tpn] for tpn in order], {names[tpn]: total for tpn, total in totals.items()}


@pytest.fixture
def season() -> Season:
    made = Season()
    enter_pasted_list(made.event, PLAYERS, by=None)
    made.play(1)
    door = made.read("round_check_in", 2)
    assert "Absent with notice" in door
    assert "Playing for the club" in door
    made.tap(2, Cleo="bye", Dora="duty", Emil="absent")
    made.play(2)
    enter_pasted_list(made.event, "Hugo; 1850", by=None)
    made.play(3)
    made.tap(4, Anna="gone")
    made.play(4)
    return made


def test_a_season(season: Season):
    assert season.event.keizer_options == ["loss=1/10", "gap=2"]
    kinds = dict(
        Bye.objects.filter(round__number=2, entry__entered_in_round=1)
        .exclude(kind="U")
        .values_list("entry__name", "kind")
    )
    assert kinds == {"Cleo": "H", "Dora": "F", "Emil": "-"}
    order, totals = season.literal()
    assert "Anna" not in order
    assert set(totals) == {"Bert", "Cleo", "Dora", "Emil", "Frida", "Greta", "Hugo"}

    # The standings, and the table that is exported: total, value, points, games.
    table = standings_table_of(season)
    assert [row[0] for row in table][:7] == order
    shown = {row[0]: row[1] for row in table}
    assert {name: Decimal(str(shown[name])) for name in totals} == {
        name: rounded(total) for name, total in totals.items()
    }
    assert [int(str(row[2])) for row in table[:7]] == [9, 8, 7, 6, 5, 4, 3]
    page = season.read("standings")
    assert "Players are ranked by their totals. Select a total to see how it adds up." in page
    assert all(f">{heading}</abbr>" in page for heading in ("Total", "Value", "Points", "Games"))

    # Everybody's own table adds up, and so does what changed.
    for name, total in totals.items():
        page = season.read("tie_break_working", 4, season.entry(name).pk)
        section = re.search(r'id="value-1".*?</section>', page, re.DOTALL)
        assert section is not None
        rows = [
            re.findall(r'<td class="number">([^<]*)</td>', row)
            for row in section[0].split("<tfoot")[0].split("<tr")[2:]
        ]
        assert sum(Decimal(row[3]) for row in rows) == rounded(total)
        assert Decimal(rows[-1][4]) == rounded(total)
        assert f"to {rounded(total)}." in section[0]
        assert changes_add_up(section[0])
        if name == "Cleo":
            assert "The win against Dora in round 4 is worth 8.00." in section[0]
            cause = "because Dora fell from place 1 to place 2"
            assert f"The draw with Dora in round 1 is worth 0.50 less, {cause}." in section[0]
    page = season.read("tie_break_working", 4, season.entry("Dora").pk)
    assert "× 2/3" in page
    assert [page.count(f"<td>{result}</td>") for result in ("win", "draw", "loss")] == [0, 1, 1]
    assert "<dt>Loss</dt><dd>1/10 × the opponent's value</dd>" in page
    assert "before a late entry" in season.read("tie_break_working", 4, season.entry("Hugo").pk)

    # On the player's page, byes are no points, and the names are those of the round.
    page = season.read("player", season.entry("Dora").pk)
    assert f"Place 2 of 7. Total: {rounded(totals['Dora'])}. Value: 8." in page
    assert re.findall(r'class="number total">([^<]*)</td>', page) == ["½", "½", "½", "½"]
    assert "Dora has White against Cleo, because there is no earlier game to go by" in page
    assert '1700 · ½<span class="unit">' in season.read("round", 4)

    # What would another system have paired? The rules that were used are kept.
    compared = season.read("round_compare", 4)
    assert "Keizer system" in compared
    assert "FIDE (Dutch) system of 2026" in compared
    assert season.read("event_rules_check").count("as the rules require") == 4
    own_page = season.browser.get(reverse("personal", args=[event_link_token(season.entry("Dora"))])).text
    assert f"Place 2 of 7. Total: {rounded(totals['Dora'])}. Value: 8." in own_page

    # The chart has the places of the tables, and nothing for players who weren't in them.
    drawn = place_chart(season.event, season.entry("Hugo"), [1, 2, 3, 4])
    assert drawn is not None
    for number in range(1, 5):
        place_of = {row.entry.name: row.place for row in get_event_standings(season.event, number).rows}
        for line in drawn.lines:
            mark = line.marks[number - 1]
            if (line.entry.name, number) == ("Hugo", 1):
                assert mark is None
            else:
                assert mark is not None
                assert mark.place == place_of[line.entry.name]

    # Rounds 3 and 4 alone are a season of their own, whose totals add up too.
    part = season.browser.get(season.address("standings_after", 4), {"from": "3"}).text
    assert "Standings of rounds 3 to 4" in part
    snapshot = season.snapshot()
    cards = tuple(replace(card, records=card.records[2:]) for card in snapshot.cards)
    of_half = Keizer(replace(snapshot, cards=cards, rounds_paired=2), dict(RULES)).rankings()[-1]
    shown_places = re.findall(r'players/(\d+)/">', part.split("<tbody>")[1])
    assert "Standings of rounds 3 to 4" in Client().get(season.address("standings_after", 4), {"from": "3"}).text
    anna = season.entry("Anna").pk
    assert [int(key) for key in shown_places] == [
        *(season.entry(season.names()[tpn]).pk for tpn in of_half[0]),
        anna,
    ]
    for tpn, total in of_half[1].items():
        entry = season.entry(season.names()[tpn])
        address = season.address("tie_break_working", 4, entry.pk)
        page = season.browser.get(address, {"from": "3"}).text
        assert f"Total: {rounded(total)}" in page
        assert re.findall(r'<tr>\s*<td class="number">(\d*)</td>', page) == ["", "3", "4"]
    assert "Anna" not in season.browser.get(season.address("standings_after", 4), {"from": "4"}).text
    assert season.browser.get(season.address("tie_break_working", 4, anna), {"from": "4"}).status_code == 404
    assert "Final standings" in season.browser.get(season.address("standings_after", 4), {"from": "9"}).text

    # A report file has the results of the rounds, and the points that they give in every file: no totals.
    report = read_trf(export_trf(season.event), name="season.trf")
    full = {Result.WIN, Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE}
    half = {Result.DRAW, Result.HALF_POINT_BYE}
    for player in report.players:
        results = [each.result for each in player.rounds]
        assert player.points == sum(each in full for each in results) + sum(each in half for each in results) / 2
        if player.name in totals:
            assert player.rank == order.index(player.name) + 1
            assert f"{rounded(totals[player.name])}" not in write_trf(report).decode()

    # The regulations say the rules of the season.
    said = dict(regulations_sheet(season.event).lines)
    assert said["Loss"] == "1/10 × the opponent's value"
    assert said["Players may meet again"] == "after 2 rounds"


def changes_add_up(section: str) -> bool:
    """Whether the changes that are told make up the difference of the two totals, each rounded to hundredths."""
    before, now = re.findall(r"from ([\d.]+) to ([\d.]+)\.<", section)[0]
    told = [
        (worth, "-" if word == "less" else "") for worth, word in re.findall(r"worth ([\d.]+)(?:\.<| (\w+),)", section)
    ]
    told += [
        (worth, "-" if sign == "−" else "") for sign, worth in re.findall(r"Smaller changes: (.)([\d.]+)\.<", section)
    ]
    return abs(sum(Decimal(sign + worth) for worth, sign in told) - Decimal(now) + Decimal(before)) <= Decimal("0.04")


def standings_table_of(season: Season) -> list[tuple[object, ...]]:
    """Name, total and value of every row of the exported standings."""
    table = standings_table(season.event)
    places = [table.headings.index(heading) for heading in ("Name", "Total", "Value")]
    return [tuple(row[place] for place in places) for row in table.rows]


def rounded(number: Fraction) -> Decimal:
    return Decimal(int(number * 100 + Fraction(1, 2))).scaleb(-2)
