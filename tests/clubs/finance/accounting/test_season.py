"""A season's books from the opening balances to the closed year, through the treasurer's pages. Figures are by hand.

Four accounts on the morning of 1 January 2025, in euros:

    cash 85.40, Giro 1,240.15, Postbank 310.00, savings 3,000.00: in all 4,635.55

Dues are charged to four grown-ups (120.00 each), one junior (60.00) and nobody else (an honorary member): 540.00.

    Giro (CAMT.053)     03.03. +120.00 Adler, by reference          04.01. -45.50 rent
                        03.05. +120.00 Berg, by name and amount     06.30.  -9.90 the bank's fee
                        03.10.  +60.00 Dorn, by reference           05.02. -200.00 to savings
                        11.15. +150.00 Fink, by reference: 30.00 too much, back on 11.25.
                        08.01. -100.00 fetched for the cash box, booked by hand before: left aside
    Postbank (MT940)    02.10. +500.00 a donation    07.01. -180.00 clocks    09.12. +75.00 entry fees
    savings (CSV)       05.02. +200.00 from the Giro, booked with the other side: left aside
                        12.31. +18.75 interest       12.31. -4.00 the bank's fee
    cash                01.20. -12.30 coffee, with its voucher      03.15. +50.00 Jung, of his dues
                        06.01. +22.00 drinks                        06.02.  -5.00 coffee, which was none
                        08.01. +100.00 from the Giro

Income   dues 120 + 120 + 60 + 150 + 50 - 30 = 470.00, donations 500.00, entry fees 75.00, interest 18.75, drinks 22.00:
         1,085.75
Expenses rent 45.50, fees 9.90 + 4.00 = 13.90, clocks 180.00, coffee 12.30 + 5.00 = 17.30: 256.70
Left     829.05
Cash     85.40 - 12.30 + 50.00 + 22.00 - 5.00 + 100.00 = 240.10
Giro     1,240.15 + 120 + 120 + 60 + 150 - 45.50 - 9.90 - 200 - 30 - 100 = 1,304.75
Postbank 310.00 + 500.00 - 180.00 + 75.00 = 705.00
Savings  3,000.00 + 200.00 + 18.75 - 4.00 = 3,214.75
In all   240.10 + 1,304.75 + 705.00 + 3,214.75 = 5,464.60 = 4,635.55 + 829.05
Owed     540.00 - 470.00 = 70.00, all Jung's
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clubs.finance.accounting.reports import build_year_report
from clubs.models import BankStatementLine, BookAccount, BookEntry, Club, DuesSeason, Member, Role
from tests.factories import make_club, make_member, make_user

pytestmark = pytest.mark.django_db

GIRO, POSTBANK, SAVINGS = "DE89370400440532013000", "DE02120300000000202051", "AT611904300234573201"
"""Examples that standards and banks print."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The treasurer's browser."""

    club: Club
    browser: Client

    def send(self, page: str, *, status: int = 200, **form: object) -> str:
        answer = self.browser.post(f"/{self.club.slug}/{page}", form, follow=True)
        assert answer.status_code == status, (page, answer.text[-3000:])
        return answer.text

    def shown(self, page: str) -> str:
        return " ".join(re.sub(r"<[^>]+>", " ", self.browser.get(f"/{self.club.slug}/{page}").text).split())

    def account(self, name: str) -> BookAccount:
        return self.club.book_accounts.get(name=name)

    def member(self, family: str) -> Member:
        return self.club.members.get(family_name=family)

    def reference(self, family: str) -> str:
        return self.member(family).accounts.get().payment_reference

    def entry(self, way: str, amount: str, on: str, other: str, *, money: str = "Kasse", **more: object) -> str:
        key = re.search(r'name="form_key" value="([^"]+)', self.browser.get(f"/{self.club.slug}/books/new/").text)[1]
        accounts = {"money": self.account(money).pk, "other": self.account(other).pk}
        return self.send("books/new/", form_key=key, way=way, amount=amount, on=on, text="x", **accounts, **more)

    def line(self, amount: int) -> BankStatementLine:
        return self.club.bank_lines.get(amount=amount)

    def book(self, amount: int, target: Member | BookAccount) -> None:
        kind = "member" if isinstance(target, Member) else "account"
        self.send(f"bank/lines/{self.line(amount).pk}/book/", target=f"{kind}:{target.pk}")


@pytest.fixture
def desk() -> Desk:
    club = make_club("pod-goncem", "Pod Gońcem")
    Club.objects.filter(pk=club.pk).update(currency="EUR", language="en")
    treasurer = make_user("treasurer", club, Role.TREASURER)
    for name, born in (("Adler, Anna", 1980), ("Berg, Bruno", 1975), ("Dorn, Clara", 2012), ("Fink, Emil", 1990)):
        make_member(club, name, birth_year=born, status="member")
    make_member(club, "Jung, Ivo", birth_year=1985, status="member")
    make_member(club, "Hahn, Greta", birth_year=1940, status="honorary")
    browser = Client()
    browser.force_login(treasurer)
    return Desk(club=Club.objects.get(pk=club.pk), browser=browser)


def opened(desk: Desk) -> None:
    for kind, name, iban, balance in (
        ("cash", "Kasse", "", "85.40"),
        ("bank", "Giro", GIRO, "1,240.15"),
        ("bank", "Postbank", POSTBANK, "310"),
        ("bank", "Sparbuch", SAVINGS, "3 000.00"),
    ):
        desk.send("books/accounts/new/", kind=kind, name=name, iban=iban, balance=balance, on="2025-01-01")
    for kind, names in (
        ("income", "Spenden,Startgelder,Zinsen,Getränke"),
        ("expense", "Miete,Gebühren,Uhren,Kaffee"),
    ):
        for name in names.split(","):
            desk.send("books/accounts/new/", kind=kind, name=name)
    desk.send("books/2025/budget/", **{f"of_{desk.account('Miete').pk}": "50"})


def charged(desk: Desk) -> None:
    classes = (("Ehrenmitglieder", "0", "honorary", ""), ("Jugend", "60", "", "18"), ("Erwachsene", "120", "", ""))
    form: dict[str, object] = {"fees-TOTAL_FORMS": 3, "fees-INITIAL_FORMS": 0}
    for place, (name, amount, status, to_age) in enumerate(classes):
        fee: dict[str, object] = {
            "place": place + 1,
            "name": name,
            "amount": amount,
            "status": status,
            "to_age": to_age,
        }
        form |= {f"fees-{place}-{key}": value for key, value in fee.items()}
    days = {"starts_on": "2025-01-01", "ends_on": "2025-12-31", "due_on": "2025-03-31"}
    desk.send("dues/seasons/new/", name="2025", instalments=1, **days, **form)
    season = DuesSeason.objects.get()
    assert "540.00" in desk.shown(f"dues/seasons/{season.pk}/")
    desk.send(f"dues/seasons/{season.pk}/charge/", count=5, sum=54_000)


def camt(desk: Desk) -> bytes:
    """The Giro account's year: one entry for each of these lines."""
    lines = (
        ("03-03", "120.00", "CRDT", f"{desk.reference('Adler')} Beitrag", "A. und C. Adler"),
        ("03-05", "120.00", "CRDT", "Beitrag 2025", "Bruno Berg"),
        ("03-10", "60.00", "CRDT", f"Clara {desk.reference('Dorn')}", "Familie Dorn"),
        ("04-01", "45.50", "DBIT", "Miete Vereinsheim", "Stadt Beispielen"),
        ("05-02", "200.00", "DBIT", "Ruecklage", "Pod Goncem"),
        ("06-30", "9.90", "DBIT", "Kontofuehrung", ""),
        ("08-01", "100.00", "DBIT", "Bargeld", ""),
        ("11-15", "150.00", "CRDT", desk.reference("Fink"), "E. Fink"),
        ("11-25", "30.00", "DBIT", "zu viel gezahlt", "Emil Fink"),
    )
    entries = ""
    for number, (day, amount, mark, text, party) in enumerate(lines):
        side = "Dbtr" if mark == "CRDT" else "Cdtr"
        account = f"<{side}Acct><Id><IBAN>{SAVINGS}</IBAN></Id></{side}Acct>" if text == "Ruecklage" else ""
        entries += (
            f'<Ntry><Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>{mark}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>'
            f"<BookgDt><Dt>2025-{day}</Dt></BookgDt><AcctSvcrRef>G{number}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties>"
            f"<{side}><Pty><Nm>{party}</Nm></Pty></{side}>{account}</RltdPties><RmtInf><Ustrd>{text}</Ustrd></RmtInf>"
            "</TxDtls></NtryDtls></Ntry>"
        )
    return (
        '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>'
        f"<Acct><Id><IBAN>{GIRO}</IBAN></Id></Acct>{entries}</Stmt></BkToCstmrStmt></Document>"
    ).encode()


MT940 = f""":20:STARTUMS
:25:{POSTBANK}
:28C:00001/001
:60F:C250101EUR310,00
:61:2502100210C500,00NTRFNONREF//P1
:86:166?00Gutschrift?20SVWZ+Spende Jugend?32STADTSPARKASSE BEISPIELEN
:61:2507010701D180,00NTRFNONREF//P2
:86:166?00Lastschrift?20SVWZ+sechs Uhren?32UHREN UND BRETTER
:61:2509120912C75,00NTRFNONREF//P3
:86:166?00Gutschrift?20SVWZ+Startgeld Open?32KASSE OPEN
:62F:C251231EUR705,00
-
""".encode()

CSV = f"""Sparbuch;{SAVINGS};2025
Buchungstag;Name Zahlungsbeteiligter;Verwendungszweck;Betrag
02.05.2025;Pod Goncem;Ruecklage;200,00
31.12.2025;;Zinsen;18,75
31.12.2025;;Gebuehr;-4,00
""".encode()


def brought_in(desk: Desk, data: bytes, name: str) -> str:
    return desk.send("bank/import/", file=SimpleUploadedFile(name, data))


def test_a_season(desk):
    opened(desk)
    charged(desk)
    # The cash box, entered by hand; one of the entries is a mistake.
    png = SimpleUploadedFile("kaffee.png", b"\x89PNG\r\n\x1a\n" + b"0" * 50, "image/png")
    desk.entry("out", "12.30", "2025-01-20", "Kaffee", file=png)
    desk.entry("in", "22", "2025-06-01", "Getränke")
    desk.entry("out", "5", "2025-06-02", "Kaffee")
    desk.entry("move", "100", "2025-08-01", "Kasse", money="Giro")
    ivo = desk.member("Jung")
    key = re.search(r'name="form_key" value="([^"]+)', desk.browser.get(f"/pod-goncem/dues/accounts/{ivo.pk}/").text)[1]
    paid = {"form_key": key, "amount": "50", "method": "cash", "paid_on": "2025-03-15"}
    desk.send(f"dues/accounts/{ivo.pk}/pay/", **paid)

    # The Giro.
    assert "New transactions: 9." in brought_in(desk, camt(desk), "giro.xml")
    desk.send("bank/certain/")
    waiting = {(line.amount, line.party) for line in desk.club.bank_lines.filter(entry=None, booking=None)}
    assert waiting == {
        (12_000, "Bruno Berg"),
        (15_000, "E. Fink"),
        (-4_550, "Stadt Beispielen"),
        (-990, ""),
        (-10_000, ""),
        (-3_000, "Emil Fink"),
    }, "the references and the own account were certain, but not the 30.00 too much"
    berg = desk.club.bank_lines.get(party="Bruno Berg")
    desk.send(f"bank/lines/{berg.pk}/book/", target=f"member:{desk.member('Berg').pk}")
    desk.book(-4_550, desk.account("Miete"))
    desk.book(-990, desk.account("Gebühren"))
    desk.book(15_000, desk.member("Fink"))
    desk.book(-3_000, desk.member("Fink"))
    desk.send(f"bank/lines/{desk.line(-10_000).pk}/aside/", reason="in der Kasse gebucht")
    assert "Already imported: 9." in brought_in(desk, camt(desk), "giro.xml")

    # The Postbank.
    shown = brought_in(desk, MT940, "post.sta")
    agrees = re.search(r"had a bank balance of \W*705\.00.* Ours is the same", shown)
    assert agrees, "310 + 500 - 180 + 75, of which nothing is booked yet"
    for amount, name in ((50_000, "Spenden"), (-18_000, "Uhren"), (7_500, "Startgelder")):
        desk.book(amount, desk.account(name))

    # The savings: a table with three accounts, of which this is one.
    asked = brought_in(desk, CSV, "sparbuch.csv")
    token = re.search(r'name="token" value="([^"]+)', asked)[1]
    chosen = dict(re.findall(r'<select name="(\w+)".*?<option value="([^"]*)" selected', asked, re.DOTALL))
    assert chosen["whose"] == SAVINGS, "it stands above the table"
    desk.send("bank/import/", token=token, **chosen)
    desk.book(1_875, desk.account("Zinsen"))
    desk.book(-400, desk.account("Gebühren"))
    moved = desk.club.bank_lines.get(amount=20_000)
    desk.send(f"bank/lines/{moved.pk}/aside/", reason="mit dem Giro gebucht")

    # The coffee entry was a mistake, found after the end of the year: it is reversed in the year in which it is found.
    wrong = BookEntry.objects.get(amount=500)
    desk.send(f"books/entries/{wrong.pk}/take-back/", reason="es gab keinen Kaffee", on=date.today().isoformat())

    report = build_year_report(desk.club, 2025)
    assert {line.account.name: line.actual for line in report.income if line.actual} == {
        "Members' dues": 47_000,
        "Spenden": 50_000,
        "Startgelder": 7_500,
        "Zinsen": 1_875,
        "Getränke": 2_200,
    }
    assert {line.account.name: line.actual for line in report.expenses} == {
        "Miete": 4_550,
        "Gebühren": 1_390,
        "Uhren": 18_000,
        "Kaffee": 1_730,
    }
    assert {line.account.name: (line.opening_balance, line.closing_balance) for line in report.money} == {
        "Kasse": (8_540, 24_010),
        "Giro": (124_015, 130_475),
        "Postbank": (31_000, 70_500),
        "Sparbuch": (300_000, 321_475),
    }
    assert (report.income_amount, report.expense_amount, report.surplus) == (108_575, 25_670, 82_905)
    assert (report.opening_balance, report.closing_balance) == (463_555, 546_460)
    # The budget has only the rent, 50.00, as an expense, and no income.
    assert (report.total_expenses.budget, report.total_expenses.difference) == (5_000, 20_670)
    assert report.total_income.budget is None
    assert (report.dues_outstanding, report.paid_ahead) == (7_000, 0)
    shown = desk.shown("books/2025/")
    for figure in ("1,085.75", "256.70", "829.05", "4,635.55", "5,464.60", "240.10", "1,304.75", "3,214.75", "70.00"):
        assert figure in shown

    desk.send("books/2025/close/")
    assert "closed" in desk.shown("books/2025/")
    late = desk.entry("out", "1", "2025-12-31", "Kaffee", status=422)
    assert "The year 2025 is closed" in late
    assert build_year_report(desk.club, 2025).closing_balance == 546_460
    later = build_year_report(desk.club, wrong.corrected_by.year)
    assert (later.opening_balance, later.surplus) == (546_460, 500)
