"""The sheets of the hardest events: names of forty letters, stacked accents, many rounds, three digits everywhere."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

from clubs.finance.accounting.account_sheets import AccountSheet, AccountSheetLine
from clubs.finance.accounting.reports import AccountingYearReport, CategoryReportLine, MoneyAccountReportLine
from clubs.finance.dues.receipts import ReceiptSheet
from clubs.finance.dues.reminders import PaperReminder
from clubs.models import BookAccount, BookEntry, Club, Member
from common.text.name_order import name_in_spoken_order
from pairing.engine.paired_round import ReasonKind, make_reason
from pairing.engine.rules.colour_preferences import colour_preference
from pairing.engine.rules.players import FloatDirection
from pairing.engine.snapshot import Colour
from pairing.view_models.sheets.arbiter_record import (
    ArbiterRecordSheet,
    BoardWithReasons,
    ByeWithReasons,
    RoundWithReasons,
)
from pairing.view_models.sheets.opponent_averages import OpponentAverageLine, OpponentAverageSheet
from pairing.view_models.sheets.players_and_results import SheetPlayer, StartingListPlayer, StartingListSheet
from pairing.view_models.sheets.prize_sheet import PrizeAmount, PrizeLine, PrizeReceiver, PrizeSheet, PrizeSheetSection
from pairing.view_models.sheets.round_pairings import PairingSheet, SheetBoard, SheetBye
from pairing.view_models.sheets.standings_sheet import RoundResultCell, StandingsColumn, StandingsLine, StandingsSheet
from pairing.view_models.sheets.start_cards import (
    JahrCardBoxes,
    StartCard,
    StartCardResult,
    StartCardRow,
    StartCardSheet,
)

NAMES = (
    "Źdźbłowska-Łękołódzka, Żółcisława",
    "Brzęczyszczykiewiczówniankowskopolańskaż, Ąłcja",
    "Щърбоподполковнишкополюшкинообразноновиъ, Цвѣтослав",
    "Řehořovičová-Ďáblíčková, Ňuněnka",
    "Wimmerwommwalmwammesmwimmerwachtmweinmwam, Ömer",
    "Ẫṻǘḗ-Ấẩẫ, Ǖǘṻ Ḗṏ",
    "Li, Bo",
    "Prześcieradłowicz-Niebywalska-Wyimaginowana, Konstancja Wirydianna Bożysława",
    "Ŝ̌Ż̂Á̧, Ǫ̌",
)
USUAL_NAMES = (
    "Niebyłowicz, Bronisława",
    "Измислен, Петър",
    "Vymyšlený, Bohumil",
    "Nikt, Jan",
    "Würfelspiel, Jürgen",
    "Небивалска, Йоанна",
    "Ģēķis, Ņēģe",
)
_HARD, _HARD_AMONG_USUAL = 45, 5
CLUB = "Towarzystwo Szachowe „Źrebię i Wieża” w Zmyślonych Górkach Wielkich"
EVENT = "Międzynarodowy Memoriał Zmyślonego Arcymistrza Świętosława Źdźbłowskiego 2026"
LONG_CLUB = "Шахматен клуб „Ѝзмислена Царица на Ъгъла“ Горна Оряховица 1934"
ADDRESS = "https://szachy.towarzystwo-zrebie-i-wieza.example/memorial-zmyslonego-arcymistrza/rounds/13/current/3/"
WHEN = datetime(2026, 11, 22, 17, 30, tzinfo=UTC)


def name_of(number: int) -> str:
    """The hardest names first, each with a number; in large fields two of three fit on a line.

    A table of those is set as rows in a line among rows of cells, and takes half the time.
    """
    if number <= len(NAMES):
        return NAMES[number - 1]
    of_usual = number > _HARD and number % _HARD_AMONG_USUAL != 0
    names, place = (
        (USUAL_NAMES, number) if of_usual else (NAMES, number // _HARD_AMONG_USUAL if number > _HARD else number - 1)
    )
    return f"{names[place % len(names)]} {number}"


def cards(players: int, rounds: int, *, is_jahr: bool, filled: bool) -> StartCardSheet:
    """So many cards, with spare ones at the end."""
    last = players if players > 1 else 300
    return StartCardSheet(
        club=CLUB,
        event=EVENT,
        is_jahr=is_jahr,
        rounds_announced=rounds,
        cards=(
            *(_card(number, rounds, last, filled, is_jahr) for number in range(1, players + 1)),
            StartCard(rows=tuple(StartCardRow(number=number) for number in range(1, rounds + 1))),
        ),
    )


def _card(number: int, rounds: int, last: int, filled: bool, is_jahr: bool) -> StartCard:
    rows = (_row(number, each, last) if filled else StartCardRow(number=each) for each in range(1, rounds + 1))
    return StartCard(
        number=number,
        name=name_of(number),
        title="WGM",
        rating=2888,
        club_name=LONG_CLUB,
        federation="POL",
        birth_year="1981",
        remark="rollstuhlgerechter Tisch nahe der Tür; bitte nicht neben dem Fenster",
        forbidden_opponents=(12, 113, 214, 300),
        rows=tuple(rows if is_jahr else (replace(row, jahr=None) for row in rows)),
        result=StartCardResult(place=300, points=25, total=1288, exact=10288) if filled else None,
    )


def _row(number: int, of_round: int, last: int) -> StartCardRow:
    if of_round == 5:
        boxes = JahrCardBoxes(counted=1288, tenth=129, auxiliary=1288, total=2288)
        return StartCardRow(number=of_round, bye_kind="U", symbol="½", points=of_round, jahr=boxes)
    opponent = (number + of_round * 37) % last + 1
    return StartCardRow(
        number=of_round,
        colour=Colour.WHITE if of_round % 2 else Colour.BLACK,
        opponent=opponent + 200 if of_round == 7 else opponent,
        opponent_name=name_of(opponent),
        float_mark=(None, FloatDirection.DOWN, FloatDirection.UP)[of_round % 3],
        symbol=("1", "½", "0", "½*", "+", "adj.")[of_round % 6],
        points=of_round * 2 - 1,
        due_colour=colour_preference([Colour.WHITE] * (of_round % 4)),
        jahr=JahrCardBoxes(counted=88 * of_round, tenth=88, auxiliary=77 * of_round, total=88 * of_round),
    )


def player(number: int) -> SheetPlayer:
    return SheetPlayer(
        entry=number, tpn=number, name=name_of(number), title="WGM", rating=2888, score=25 if number % 2 else 24
    )


def pairings(players: int, *, number: int = 13) -> PairingSheet:
    """A round with hard names: each against the next one, the last without a game."""
    paired = range(1, players, 2)
    results = ("", "1-0", "1/2", "+--", "W0F")
    boards = tuple(
        SheetBoard(
            board=place,
            game=place,
            white=player(white),
            black=player(white + 1),
            result=("", "1-0", "1/2", "0-1")[place % 4] if results else "",
            revision=0,
        )
        for place, white in enumerate(paired, start=1)
    )
    byes = (SheetBye(player=player(players), kind="U", worth="½"),) if players % 2 else ()
    return PairingSheet(
        club=CLUB,
        event=EVENT,
        number=number,
        rounds_announced=13,
        state="published",
        version=3,
        edition=3,
        starts_at=WHEN,
        published_at=WHEN,
        paired_at=WHEN,
        provisional_until=WHEN,
        boards=boards,
        byes=byes,
        board_count=len(boards),
        open_board_count=0,
    )


def people_of(players: int, rounds: int) -> StartingListSheet:
    return StartingListSheet(
        club=CLUB,
        event=EVENT,
        city="Zmyślone Górki Wielkie",
        rounds_announced=rounds,
        players=tuple(
            StartingListPlayer(
                number=number,
                name=name_of(number),
                title="WGM",
                rating=2888,
                federation="POL",
                club_name=LONG_CLUB,
                birth_year="1981",
                fide_id="12345678901",
                has_withdrawn=number % 4 == 2,
            )
            for number in range(1, players + 1)
        ),
    )


def table_of(players: int, rounds: int) -> StandingsSheet:
    cell = RoundResultCell(opponent=188, opponent_line=299, colour="b", symbol="½*")
    return StandingsSheet(
        club=CLUB,
        event=EVENT,
        after_round=rounds,
        rounds_announced=rounds,
        is_provisional=True,
        columns=tuple(StandingsColumn(code=code) for code in ("G", "T", "E", "BH/C1", "SB", "WON")),
        lines=tuple(
            StandingsLine(
                place=number,
                overall_place=None,
                player=player(number),
                federation="POL",
                has_withdrawn=number % 4 == 2,
                values=("12½", Decimal("22.88"), Decimal("102.88"), Decimal("88.5"), Decimal("88.75"), "12"),
                rounds=(cell, RoundResultCell(symbol="½"), *(cell,) * (rounds - 2))[:rounds],
            )
            for number in range(1, players + 1)
        ),
        player_count=players,
        results_at=WHEN,
    )


def prizes(players: int) -> PrizeSheet:
    zero, much = PrizeAmount(cents=0, currency="PLN"), PrizeAmount(cents=1_234_567, currency="PLN")
    thing = f"{'Donaudampfschiffahrtsgesellschaftskapitänsmützenhalt':.52} i zegar szachowy z futerałem"
    both = replace(much, in_kind=thing)
    working = "12 345,67 zł + 8 888,88 zł + 7 777,77 zł, geteilt durch drei punktgleiche Spielerinnen und Spieler"
    return PrizeSheet(
        club=CLUB,
        event=EVENT,
        after_round=13,
        rounds_announced=13,
        is_final=False,
        is_public=True,
        sharing="equal",
        one_prize_each=True,
        lists=(
            PrizeSheetSection(
                key="",
                label="Wszyscy",
                prizes=(much,),
                lines=tuple(
                    PrizeLine(place=number, player=player(number), amount=both, working=working)
                    for number in range(1, players + 1)
                ),
                forgone=(),
                left_over=zero,
                not_awarded=zero,
            ),
        ),
        receivers=tuple(
            PrizeReceiver(place=number, player=player(number), amount=both, lists=("Wszyscy", "Najlepsza seniorka 65+"))
            for number in range(1, players + 1)
        ),
        total=much,
        awarded=much,
        left_over=zero,
        not_awarded=zero,
    )


def averages(players: int) -> OpponentAverageSheet:
    return OpponentAverageSheet(
        club=CLUB,
        event=EVENT,
        after_round=13,
        lines=tuple(
            OpponentAverageLine(
                number=number,
                name=name_of(number),
                title="WGM",
                rating=2888,
                games=13,
                average=Decimal("2888.8"),
            )
            for number in range(1, players + 1)
        ),
    )


def record(players: int) -> ArbiterRecordSheet:
    sheet = pairings(players)
    why = (
        make_reason("fide-1989 art. 11.2", ReasonKind.SCORE_GROUP, 1, half_points=25, side="above"),
        make_reason("fide-1989 art. 12.1", ReasonKind.OPPONENT, 1, min(2, players), step="11.2", place=1),
    )
    return ArbiterRecordSheet(
        club=CLUB,
        event=EVENT,
        system="jahr",
        arbiter=NAMES[7],
        rounds=(
            RoundWithReasons(
                sheet=sheet,
                names={number: name_of(number) for number in range(1, max(players, 2) + 1)},
                boards=tuple(BoardWithReasons(board=board, reasons=why) for board in sheet.boards),
                byes=tuple(ByeWithReasons(bye=bye, reasons=why) for bye in sheet.byes),
                system_label="Jahr",
            ),
        ),
    )


def member(club: Club, number: int) -> Member:
    family, _comma, given = name_of(number).partition(", ")
    return Member(
        club=club,
        family_name=family,
        given_name=given,
        title="WGM",
        birth_date=None,
        birth_year=1981,
        rating=2888,
        phone="+48 888 888 888 w. 888",
        email=f"konstancja.wirydianna.niebywalska.wyimaginowana{number}@poczta.towarzystwo-zrebie.example",
        status=Member.Status.HONORARY,
        joined_on=WHEN.date(),
        fide_id=4294967295,
        national_id="PL-88888888888888888",
        publication_consent="yes",
    )


def receipt() -> ReceiptSheet:
    return ReceiptSheet(
        club=CLUB,
        city="Zmyślone Górki Wielkie",
        currency="PLN",
        number="2026/188",
        issued_on=date(2026, 11, 22),
        name=NAMES[7],
        amount=1_234_567,
        paid_on=date(2026, 9, 30),
        method="przelew",
        reference="PL61109010140000071219812874/opłata-roczna-2026/rodzina-Niebywalskich-Wyimaginowanych",
        received_by=NAMES[1],
        purpose="Składka rodzinna 2026/2027, druga rata, wraz z wpisowym i licencją okręgową",
    )


def letters() -> tuple[PaperReminder, ...]:
    words = "Prosimy o wpłatę zaległej składki na rachunek PL61109010140000071219812874, z podaniem numeru. " * 12
    address = ("ul. Generała Wyimaginowanego-Fikcyjnego 188 m. 42", "00-950 Zmyślone Górki Wielkie-Północ")
    letter = PaperReminder(
        name=name_in_spoken_order(NAMES[7]),
        address=address,
        subject=f"{CLUB}: ostatnie przypomnienie",
        text=words,
        qr_code_data_uri="",
        items=(
            (
                f"Składka rodzinna 2026/2027, {'druga rata, ' * 5}",
                date(2026, 9, 30),
                "1 234 567,89 zł",
            ),
        )
        * 3,
        formatted_amount="3 703 703,67 zł",
        account="PL61 1090 1014 0000 0712 1981 2874",
        reference="RODZINA-NIEBYWALSKICH-188",
    )
    return (letter, letter)


def entries(club: Club) -> list[BookEntry]:
    account = BookAccount(club=club, kind="bank", name="Rachunek w Banku Spółdzielczym Zmyślonych Górek Wielkich")
    spent = BookAccount(club=club, kind="expense", name="Wyjazdy na drużynowe mistrzostwa Polski juniorów młodszych")
    usual = {"club": club, "source": account, "target": spent, "year": 2026, "on": WHEN.date()}
    first = BookEntry(**usual, number=1888, amount=1_234_567_89, party=NAMES[1], text="Przejazd autokarem " * 5)
    back = BookEntry(**usual, number=1889, amount=1_234_567_89, corrects=first, reason="pomyłka w kwocie " * 4)
    return [first, back] * 30


def account_sheet(club: Club) -> AccountSheet:
    return AccountSheet(
        account=BookAccount(club=club, kind="cash", name="Kasa podręczna sekcji szachowej Zmyślonych Górek Wielkich"),
        opening_balance=1_234_567_89,
        lines=tuple(
            AccountSheetLine(entry=entry, counter_account=entry.target, amount=-entry.amount, balance=-1_234_567_89)
            for entry in entries(club)
        ),
    )


def books(club: Club) -> AccountingYearReport:
    account = BookAccount(club=club, kind="income", name="Dotacja gminy Zmyślone Górki Wielkie na szkółkę dziecięcą")
    line = CategoryReportLine(account=account, actual=1_234_567_89, budget=-1_234_567_89)
    return AccountingYearReport(
        year=2026,
        is_closed=False,
        money=(MoneyAccountReportLine(account=account, opening_balance=1_234_567_89, closing_balance=-1_234_567_89),)
        * 3,
        income=(line,) * 12,
        expenses=(line,) * 12,
        dues_outstanding=1_234_567_89,
        paid_ahead=8_888_88,
        entry_count=1888,
    )
