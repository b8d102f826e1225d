"""The hardest reports at the end of an event or a year, without a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from clubs.membership.members.statistics import AgeBand, MemberCount, MemberStatistics
from clubs.models import Member, MemberRatingListing, RatingRegister
from clubs.rating.calculation.norms import NormGame, check_norm
from pairing.view_models.reports.event_report import (
    EventReport,
    EventReportBye,
    EventReportForfeit,
    EventReportRound,
    NormReport,
    NormReportPlayer,
)
from pairing.view_models.reports.group_standings import (
    CategoryLeadersSheet,
    CategoryStandingsTable,
    GroupStandingsSheet,
)
from pairing.view_models.reports.year_book import ClubYearBook, YearBookEvent, YearBookRating
from pairing.view_models.sheets.regulations import RegulationsSheet
from pairing.view_models.standings.club_standings import ClubStandingsLine, ClubStandingsTable, CountedClubPlayer
from tests.pairing.printing.papers.hard_sheets import CLUB, EVENT, NAMES, WHEN, name_of, table_of
from tournaments.club_ratings.member_norms import NormOpponent, PlayerNorms
from tournaments.club_ratings.monthly_lists import MonthlyRatingList, MonthlyRatingRow
from tournaments.club_ratings.rating_history import RatedMember
from tournaments.models import Entry, Tournament
from tournaments.series.standings import MemberAttendance, YearAttendance

DAY = date(2026, 11, 22)


def category(players: int, rounds: int) -> CategoryStandingsTable:
    table = table_of(players, rounds)
    lines = tuple(replace(line, overall_place=2 * line.place) for line in table.lines)
    return CategoryStandingsTable(label="Najlepsza seniorka 65+ bez kategorii", table=replace(table, lines=lines))


def categories(players: int, rounds: int) -> CategoryLeadersSheet:
    whole = table_of(players, rounds)
    return CategoryLeadersSheet(
        whole=replace(whole, lines=whole.lines[:3]),
        sizes=(188,) * 4,
        categories=(replace(category(players, rounds), table=replace(whole, lines=whole.lines[:3])),) * 4,
    )


def groups(players: int, *, by_federation: bool) -> GroupStandingsSheet:
    best = tuple(
        CountedClubPlayer(entry=number, name=name_of(number), tpn=number, points="12½", place=number)
        for number in range(1, players + 1)
    )
    lines = tuple(
        ClubStandingsLine(
            place=place, club="POL" if by_federation else f"{CLUB} {place}", points="88½", places=888, players=of
        )
        for place, of in enumerate((best[start : start + 4] for start in range(0, len(best), 4)), start=1)
    )
    table = ClubStandingsTable(
        counted=4, largest_club_size=188, lines=lines, excluded_clubs=(CLUB, "Дружество с дълго име")
    )
    return GroupStandingsSheet(club=CLUB, event=EVENT, after_round=13, by_federation=by_federation, groups=table)


def report(players: int, rounds: int) -> EventReport:
    names = [name_of(number) for number in range(1, players + 1)]
    why = "Szachownica 88 poprawiona: wygrana białych (przedtem: remis), protokół podpisany przez obie strony"
    return EventReport(
        regulations=RegulationsSheet(
            club=CLUB,
            event=EVENT,
            lines=(("System kojarzenia", "Jahr (Szachy 3/1981)"), ("Tempo gry", "90 min + 30 s/posunięcie")),
        ),
        fide_rated=True,
        arbiter=NAMES[7],
        players=players,
        rated=players,
        titled=players,
        average=2888,
        federations=(("POL", 188), ("BUL", 88)),
        best=table_of(3, rounds).lines,
        rounds=tuple(
            EventReportRound(number=number, starts_at=WHEN, boards=150, forfeits=18, open=8, byes=88)
            for number in range(1, rounds + 1)
        ),
        rounds_announced=rounds,
        forfeits=tuple(
            EventReportForfeit(round=13, board=number, white=name, black=names[0], result="+ : −")
            for number, name in enumerate(names, start=1)
        ),
        byes=tuple(EventReportBye(round=13, name=name, label="pauza za pół punktu") for name in names),
        late=tuple((name, 13) for name in names),
        withdrawn=tuple((name, 13) for name in names),
        corrections=((13, why),) * 3,
        decisions=((13, why),) * 2,
    )


def norms(players: int) -> NormReport:
    games = [NormGame(rating=2688, title="GM", federation=code, score=2) for code in ("BUL", "CZE", "UKR") * 3]
    weak = [replace(game, rating=1888, title="", federation="POL") for game in games]
    met = tuple(NormOpponent(round=place, name=name_of(place), game=game) for place, game in enumerate(games, start=1))
    event = Tournament(name=EVENT)

    def of(number: int, played: list[NormGame]) -> NormReportPlayer:
        result = check_norm("GM", played, federation="POL")
        assert result is not None
        entry = Entry(name=name_of(number), title="WIM", federation="POL", fide_id="88888888", birth="1981-08-28")
        entry.tournament = event
        return NormReportPlayer(norms=PlayerNorms(entry=entry, results=(result,), opponents=met), earlier_norms=())

    return NormReport(
        club=CLUB,
        event=EVENT,
        city="Zmyślone Górki Wielkie",
        arbiter=NAMES[7],
        days=(DAY - timedelta(days=9), DAY),
        rounds_announced=9,
        players=tuple(of(number, games if number <= 2 else weak) for number in range(1, min(players, 12) + 1)),
    )


def year(players: int, rounds: int, members: list[Member]) -> ClubYearBook:
    names = [name_of(number) for number in range(1, players + 1)]
    return ClubYearBook(
        club=CLUB,
        year=2026,
        events=tuple(
            YearBookEvent(name=f"{EVENT} {number}", days=(DAY, DAY), players=players, table=table_of(players, rounds))
            for number in (1, 2)
        ),
        ratings=(
            (
                "standard",
                tuple(YearBookRating(name=name, before=2888, after=2700, games=188) for name in names),
            ),
        ),
        evenings=YearAttendance(
            by_month=(4,) * 12,
            players=tuple((DAY - timedelta(days=7 * week), 8 + week % 30) for week in range(48)),
            members=tuple(
                MemberAttendance(member=member, by_month=(4,) * 12, evenings=48, share=100) for member in members
            ),
        ),
    )


def month(rated: list[RatedMember]) -> MonthlyRatingList:
    """With the lists of two federations next to the club's."""
    registers = tuple(RatingRegister(name=name) for name in ("FIDE", "Verbandswertung"))
    line = MemberRatingListing(rating=2888, factor=40)
    lines = tuple(MonthlyRatingRow(member=each.member, own=each, listed=(line, line)) for each in rated)
    return MonthlyRatingList(month=date(2026, 9, 1), months=(date(2026, 9, 1),), registers=registers, lines=lines)


def statistics(members: list[Member]) -> MemberStatistics:
    """Everybody came from a club and went to one, with the longest names."""
    for each in members:
        each.joined_on, each.left_on, each.came_from, each.went_to = DAY, DAY, CLUB, CLUB
    count = MemberCount(women_count=188, men_count=1888, unknown_sex_count=88, counted_value="WGM")
    return MemberStatistics(
        on=DAY,
        bands=tuple(
            AgeBand(women_count=188, men_count=1888, unknown_sex_count=88, from_age=age, upper_age_limit=age + 2)
            for age in range(8, 20, 2)
        ),
        members=tuple(members),
        titles=(count,) * 4,
        statuses=(replace(count, counted_value=Member.Status.HONORARY),),
        federations=(replace(count, counted_value="POL"),),
        with_fide_id=count,
        rated=count,
        joined=tuple(members),
        left=tuple(members),
    )
