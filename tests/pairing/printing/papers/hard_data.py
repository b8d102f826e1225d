"""The hardest data for every paper, without a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import pairwise

import segno
from django.utils import translation

from clubs.finance.dues.balances import MemberBalance
from clubs.membership.members.member_list import MemberListRow
from clubs.models import Club, Member, PaperSize
from common.text.name_order import name_in_spoken_order
from pairing.printing.papers.arbiter_records import (
    arbiter_record_paper,
    opponent_averages_paper,
    regulations_paper,
    short_arbiter_record_paper,
)
from pairing.printing.papers.badges_and_diplomas import (
    BADGE_GRID,
    PLACE_CARD_GRID,
    DiplomaSignature,
    badges_paper,
    diplomas_paper,
    place_cards_paper,
    table_numbers_paper,
)
from pairing.printing.papers.blanks_and_posters import (
    blank_pairings_paper,
    blank_slips_paper,
    door_poster_paper,
    hall_signs_paper,
    manual_pairing_guide_paper,
    printer_test_paper,
    registration_form_paper,
    score_sheet_paper,
)
from pairing.printing.papers.clubs import (
    account_sheet_paper,
    accounting_journal_paper,
    annual_accounts_paper,
    dues_list_paper,
    dues_reminders_paper,
    member_list_paper,
    member_statistics_paper,
    monthly_ratings_paper,
    rating_list_paper,
    receipt_paper,
    series_standings_paper,
)
from pairing.printing.papers.events import (
    attendance_paper,
    crosstable_paper,
    prizes_paper,
    schedule_paper,
    standings_paper,
    starting_list_paper,
    wall_chart_paper,
)
from pairing.printing.papers.final_reports import event_report_paper, norms_paper, year_book_paper
from pairing.printing.papers.group_standings import category_leaders_paper, group_standings_paper
from pairing.printing.papers.member_cards_and_labels import (
    LABEL_FORMATS,
    address_labels_paper,
    general_meeting_paper,
    membership_cards_paper,
)
from pairing.printing.papers.rounds import (
    SLIP_GRID,
    number_slips_paper,
    pairings_paper,
    result_slips_paper,
    seating_paper,
)
from pairing.printing.papers.start_cards import CARD_FORMATS, start_cards_paper
from pairing.printing.pdf.paper_templates import Letterhead, PaperNames, PrintOptions
from pairing.printing.pdf.sheet_cutting import CutGrid
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.regulations import RegulationsSheet
from pairing.view_models.sheets.round_robin_schedule import RoundRobinScheduleSheet, ScheduledGame, ScheduledRound
from tests.pairing.printing.papers import hard_reports
from tests.pairing.printing.papers.hard_sheets import (
    ADDRESS,
    CLUB,
    EVENT,
    NAMES,
    WHEN,
    account_sheet,
    averages,
    books,
    cards,
    entries,
    letters,
    member,
    name_of,
    pairings,
    people_of,
    prizes,
    receipt,
    record,
    table_of,
)
from tournaments.club_ratings.rating_history import RatedMember as RatedMember
from tournaments.models import Series, Tournament
from tournaments.series.standings import EventAward, SeriesRow, SeriesTable

SIGNED = DiplomaSignature(arbiter=NAMES[7], city="Zmyślone Górki Wielkie", date=date(2026, 11, 22))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hard:
    """A paper with hard data. It contains each of `names` in full.

    `cut` says what it is cut into, `pages` how many it has.
    """

    make: Callable[[], Paper]
    names: tuple[str, ...] = ()
    cut: CutGrid | None = None
    to_the_edge: bool = False
    pages: int | None = None


def hard_papers(
    language: str, *, players: int = 9, rounds: int = 13, wishes: PrintOptions | None = None, thorough: bool = False
) -> dict[str, Hard]:
    """Every paper by name, for so many players and rounds; `thorough`: also all forms of cards."""
    field = _Field(players, rounds, thorough)
    wanted = wishes or hard_wishes(language)
    found = (
        *_of_cards(field, wanted),
        *_of_round(field, wanted),
        *_of_event(field, wanted),
        *_announced(field, wanted),
        *_when_it_is_over(field, wanted),
        *_of_club(field, wanted),
    )
    in_its_language = translation.override(wanted.language)
    return {name: replace(hard, make=in_its_language(hard.make)) for name, hard in found}


def hard_wishes(language: str) -> PrintOptions:
    """With everything that a club can have on its papers, and for guests with another language."""
    letterhead = Letterhead(
        header=f"{CLUB}, ul. Wymyślona 188/8, 88-888 Zmyślone Górki Wielkie, tel. +48 888 888 888",
        footer="Konto: PL61 1090 1014 0000 0712 1981 2874 · NIP 888-88-88-888 · zarzad@towarzystwo-zrebie.example",
        logo=segno.make("a logo").png_data_uri(scale=4),
        colour="#7a1f3d",
    )
    return PrintOptions(language=language, second_language="bg" if language == "pl" else "pl", letterhead=letterhead)


@dataclass(frozen=True, slots=True)
class _Field:
    players: int
    rounds: int
    thorough: bool

    @property
    def numbers(self) -> range:
        return range(1, self.players + 1)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(name_of, self.numbers))


# -- Cards ----------------------------------------------------------------------------------------------------------


def _of_cards(field: _Field, wishes: PrintOptions) -> Iterator[tuple[str, Hard]]:
    for is_jahr in (True, False):
        for code, form in CARD_FORMATS.items():
            for filled in (True, False) if field.thorough else (is_jahr == (code in "84"),):
                name = f"cards_{'jahr' if is_jahr else 'plain'}_{code}{'' if filled else '_blank'}"
                is_low = code == "8" and not filled
                sheet = cards(field.players, 10 if is_low else field.rounds, is_jahr=is_jahr, filled=filled)
                if filled:
                    # An extra empty card is for handwriting, and its rows are higher.
                    sheet = replace(sheet, cards=sheet.cards[: field.players])
                backs = code == "4" and filled
                yield (
                    name,
                    Hard(
                        make=partial(start_cards_paper, sheet, form, wishes, backs=backs),
                        names=field.names,
                        cut=form.cut,
                    ),
                )
    few = cards(field.players, 5, is_jahr=True, filled=True)
    yield (
        "cards_few_rounds",
        Hard(
            make=lambda: start_cards_paper(few, CARD_FORMATS["4"], wishes),
            names=field.names,
            cut=CARD_FORMATS["4"].cut,
        ),
    )


# -- A round --------------------------------------------------------------------------------------------------------


def _of_round(field: _Field, wishes: PrintOptions) -> Iterator[tuple[str, Hard]]:
    sheet = pairings(field.players)
    boards = tuple(name for board in sheet.boards for name in (board.white.name, board.black.name))
    # Given names can become initials.
    families = tuple(name.partition(",")[0] for name in field.names)
    yield (
        "pairings",
        Hard(make=lambda: pairings_paper(sheet, wishes, address=ADDRESS), names=families),
    )
    yield "seating", Hard(make=lambda: seating_paper(sheet, wishes, address=ADDRESS), names=field.names)
    yield (
        "seating_in_two_columns",
        Hard(
            make=lambda: seating_paper(sheet, wishes, address=ADDRESS, without_opponents=True),
            names=families,
        ),
    )
    yield (
        "slips",
        Hard(
            make=lambda: result_slips_paper(sheet, wishes, board_url=f"{ADDRESS}{{}}".format),
            names=boards,
            cut=SLIP_GRID,
        ),
    )
    numbers = [(name, place, place + 1) for place, name in enumerate(field.names, start=1)]
    yield (
        "number_slips",
        Hard(
            make=lambda: number_slips_paper(sheet, numbers, wishes),
            names=field.names,
            cut=SLIP_GRID,
        ),
    )


# -- The event ------------------------------------------------------------------------------------------------------


def _of_event(field: _Field, wishes: PrintOptions) -> Iterator[tuple[str, Hard]]:
    people, table = people_of(field.players, field.rounds), table_of(field.players, field.rounds)
    names = field.names
    halves = tuple(part for name in names for part in name.split(", "))
    for order in ("number", "name"):
        yield (
            f"starting_list_{order}",
            Hard(make=partial(starting_list_paper, people, wishes, order=order), names=names),
        )
    yield "attendance", Hard(make=lambda: attendance_paper(people, wishes), names=names)
    yield "wall_chart", Hard(make=lambda: wall_chart_paper(people, wishes), names=names)
    yield "standings", Hard(make=lambda: standings_paper(table, wishes, address=ADDRESS), names=names)
    yield "crosstable", Hard(make=lambda: crosstable_paper(table, wishes), names=names)
    yield (
        "crosstable_by_place",
        Hard(make=lambda: crosstable_paper(table, wishes, by_place=True), names=names),
    )
    yield (
        "place_cards",
        Hard(make=lambda: place_cards_paper(people, wishes), names=halves, cut=PLACE_CARD_GRID),
    )
    yield "table_numbers", Hard(make=lambda: table_numbers_paper(people, 3, wishes), cut=PLACE_CARD_GRID)
    yield (
        "badges",
        Hard(
            make=lambda: badges_paper(people, wishes, player_url=f"{ADDRESS}{{}}".format),
            names=halves,
            cut=BADGE_GRID,
        ),
    )
    yield (
        "diplomas",
        Hard(make=lambda: diplomas_paper(table, wishes, signed=SIGNED, places=9), pages=min(9, field.players)),
    )
    yield "prizes", Hard(make=lambda: prizes_paper(prizes(field.players), wishes), names=names)
    yield (
        "prizes_signed",
        Hard(make=lambda: prizes_paper(prizes(field.players), wishes, with_signatures=True), names=names),
    )
    yield (
        "averages",
        Hard(make=lambda: opponent_averages_paper(averages(field.players), wishes), names=names),
    )
    of = PaperNames(club=CLUB, event=EVENT)
    names_of_papers: dict[str, Callable[[], Paper]] = {
        "blank_slips": partial(blank_slips_paper, of, 9, wishes),
        "blank_pairings": partial(blank_pairings_paper, of, 31, wishes),
        "score_sheet": partial(score_sheet_paper, of, wishes),
        "registration": partial(registration_form_paper, of, wishes),
        "reckoning": partial(manual_pairing_guide_paper, of, wishes, is_jahr=True),
        "door_poster": partial(
            door_poster_paper, of, "Zmyślone Górki", wishes, address=ADDRESS, days=(WHEN.date(),) * 2
        ),
        "hall_signs": partial(hall_signs_paper, of, wishes),
    }
    for name, make in names_of_papers.items():
        yield (
            name,
            Hard(
                make=make,
                cut=SLIP_GRID if name == "blank_slips" else None,
                pages={"blank_slips": 2, "blank_pairings": 2, "hall_signs": 7}.get(name, 1),
            ),
        )
    for size in (PaperSize.A3, wishes.size):
        yield (
            f"wall_chart_filled_{size}",
            Hard(make=partial(wall_chart_paper, people, replace(wishes, size=size), table=table), names=names),
        )
    yield (
        "record_short",
        Hard(make=lambda: short_arbiter_record_paper(record(field.players), wishes), names=names),
    )
    yield "record", Hard(make=lambda: arbiter_record_paper(record(field.players), wishes), names=names)


def _announced(field: _Field, wishes: PrintOptions) -> Iterator[tuple[str, Hard]]:
    lines = tuple((f"Wartość zwycięstwa i {name}", name_of(place)) for place, name in enumerate(field.names, start=1))
    sheet = RegulationsSheet(club=CLUB, event=EVENT, lines=lines)
    yield "regulations", Hard(make=lambda: regulations_paper(sheet, wishes), names=field.names)
    people = people_of(field.players, field.rounds)
    games = tuple(ScheduledGame(white=white, black=black) for white, black in pairwise(people.players))
    rounds = tuple(
        ScheduledRound(number=number, games=games, player_without_game=people.players[0]) for number in range(1, 4)
    )
    schedule = RoundRobinScheduleSheet(starting_list=people, rounds=rounds, has_drawn_numbers=False, has_begun=False)
    yield "schedule", Hard(make=lambda: schedule_paper(schedule, wishes), names=field.names)


def _when_it_is_over(field: _Field, wishes: PrintOptions) -> Iterator[tuple[str, Hard]]:
    players, rounds, names = field.players, field.rounds, field.names
    table = hard_reports.category(players, rounds)
    members = [member(Club(name=CLUB), number) for number in field.numbers]
    made: dict[str, tuple[Callable[[], Paper], tuple[str, ...]]] = {
        "category_standings": (
            lambda: standings_paper(table.table, wishes, address=ADDRESS, category=str(table.label)),
            names,
        ),
        "category_diplomas": (
            lambda: diplomas_paper(table.table, wishes, signed=SIGNED, category=str(table.label)),
            (),
        ),
        "categories": (
            lambda: category_leaders_paper(hard_reports.categories(players, rounds), wishes),
            names[:3],
        ),
        "clubs": (
            lambda: group_standings_paper(hard_reports.groups(players, by_federation=False), wishes),
            names,
        ),
        "federations": (
            lambda: group_standings_paper(hard_reports.groups(players, by_federation=True), wishes),
            names,
        ),
        "report": (lambda: event_report_paper(hard_reports.report(players, rounds), wishes), names),
        "norms": (lambda: norms_paper(hard_reports.norms(players), wishes), names[:9]),
        "year_book": (lambda: year_book_paper(hard_reports.year(players, rounds, members), wishes), names),
    }
    for name, (make, on_it) in made.items():
        yield name, Hard(make=make, names=on_it, pages=min(3, players) if name == "category_diplomas" else None)


# -- The club -------------------------------------------------------------------------------------------------------


def _of_club(field: _Field, wishes: PrintOptions) -> Iterator[tuple[str, Hard]]:
    names = field.names
    spoken = tuple(map(name_in_spoken_order, names))
    club = Club(name=CLUB, slug="zrebie", city="Zmyślone Górki Wielkie", currency="PLN", language=wishes.language)
    members = [member(club, number) for number in field.numbers]
    owed = MemberBalance(charged=1_234_567, paid=234_567, overdue=1_000_000)
    listed = [MemberListRow(member=member, balance=owed) for member in members]
    for contact in (True, False):
        yield (
            f"members{'_contact' if contact else ''}",
            Hard(
                make=partial(member_list_paper, club, listed, wishes, with_contact=contact),
                names=names,
            ),
        )
    posted = [with_address(each) for each in members]
    for code, form in LABEL_FORMATS.items():
        yield (
            f"address_labels_{code}",
            Hard(make=partial(address_labels_paper, club, posted, form, wishes, used=2), names=spoken),
        )
    yield (
        "membership_cards",
        Hard(make=lambda: membership_cards_paper(club, members, wishes, year=2026), names=spoken),
    )
    yield "general_meeting", Hard(make=lambda: general_meeting_paper(club, members, wishes), names=names)
    yield "dues", Hard(make=lambda: dues_list_paper(club, listed, wishes, on=WHEN.date()), names=names)
    rated = [
        RatedMember(place=number, member=member, rating=2888, change=-188, month=date(2026, 9, 1), games=1888)
        for number, member in enumerate(members, start=1)
    ]
    yield "ratings", Hard(make=lambda: rating_list_paper(club, "standard", rated, wishes), names=names)
    found = hard_reports.month(rated)
    yield (
        "ratings_of_month",
        Hard(make=lambda: monthly_ratings_paper(club, "standard", found, wishes), names=names),
    )
    counted = hard_reports.statistics(members)
    yield (
        "statistics",
        Hard(make=lambda: member_statistics_paper(club, counted, wishes, with_dates=True), names=names),
    )
    yield "series", Hard(make=lambda: _series(club, field, wishes), names=names)
    yield (
        "receipt",
        Hard(make=lambda: receipt_paper(receipt(), wishes), names=(name_in_spoken_order(NAMES[7]),), pages=1),
    )
    yield (
        "reminders",
        Hard(
            make=lambda: dues_reminders_paper(club, letters(), wishes),
            names=(name_in_spoken_order(NAMES[7]),),
        ),
    )
    yield "books", Hard(make=lambda: annual_accounts_paper(club, books(club), wishes))
    yield "journal", Hard(make=lambda: accounting_journal_paper(club, entries(club), wishes, year=2026))
    yield "account", Hard(make=lambda: account_sheet_paper(club, account_sheet(club), wishes, year=2026))
    yield "printer_test", Hard(make=lambda: printer_test_paper(wishes, club=CLUB), to_the_edge=True, pages=1)


def _series(club: Club, field: _Field, wishes: PrintOptions) -> Paper:
    series = Series(club=club, name=EVENT, events_counted=8, attendance_points=1)
    award = EventAward(half_points=25, counts=False)
    count = min(field.rounds, 8)
    table = SeriesTable(
        events=tuple(Tournament(name=f"Wieczór czwartkowy {number}") for number in range(count)),
        rows=tuple(
            SeriesRow(
                place=number,
                name=name_of(number),
                awards=(award, *(None,) * (count - 2), award)[:count],
                evenings=8,
                evening_half_points=8,
                total=188,
            )
            for number in field.numbers
        ),
    )
    return series_standings_paper(series, table, wishes)


SIZES: Mapping[str, tuple[int, int]] = {"hard": (9, 13), "one": (1, 13), "many": (300, 13), "few rounds": (5, 5)}
"""Players and rounds of the fields that are looked at."""


def with_address(member: Member) -> Member:
    """The member at an address of five long lines."""
    lines = ("c/o Towarzystwo Szachowe „Źrebię i Wieża”", *letters()[0].address, "Województwo Wymyślone", "POLSKA")
    member.address = "\n".join(lines)
    return member
