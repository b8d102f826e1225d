"""Three treasurers' years, through the pages: each bank's movements are booked once, and the books equal the bank.

A German, a Polish and a British bank send the first months in one format and the rest in another, and two months in
both. Banks, people and movements are invented. Each year is checked against its movements alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import accumulate

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from clubs.finance.accounting.entries import balance_of_account, open_money_account
from clubs.finance.bank.matching import LineWithProposals, MatchReason
from clubs.finance.bank.statement_tables import STATEMENT_COLUMNS
from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.ledger import charge_member
from clubs.models import BankStatementLine, BookAccount, BookEntry, Club, Member, Role
from common.text.ibans import normalise_account_number
from tests.factories import make_club, make_member, make_user

pytestmark = pytest.mark.django_db

YEAR = 2025
LAST_DAY = date(YEAR, 12, 31)
OPENING = 150_000
FEE, QUARTERLY = 2_500, (date(YEAR, 1, 15), date(YEAR, 4, 15), date(YEAR, 7, 15), date(YEAR, 10, 15))
FIRST_FORMAT_UNTIL, SECOND_FORMAT_FROM = date(YEAR, 7, 31), date(YEAR, 6, 1)
LATER_IN_SECOND_FORMAT_UNTIL = date(YEAR, 7, 20)
DOUBTS = {MatchReason.BOOKED_BEFORE, MatchReason.DUPLICATE_TO_REVIEW}


@dataclass(frozen=True, kw_only=True)
class Movement:
    """What the bank moved. `purpose` is a member's number, or the name of a category."""

    on: date
    cents: int
    purpose: int | str
    party: str
    iban: str
    text: str
    number: int = 0


@dataclass(kw_only=True)
class Treasurer:
    """A treasurer in a browser, who knows what each payment was for, but not which lines are the same."""

    club: Club
    browser: Client
    members: list[Member]
    categories: dict[str, BookAccount]
    movements: list[Movement] = field(default_factory=list)
    left_out: int = 0

    def page(self, name: str, *more: object) -> str:
        return reverse(name, args=[self.club.slug, *more])

    def import_statement(self, name: str, data: bytes) -> None:
        """Import a file. The suggested columns are confirmed, which the page asks the first time."""
        address = self.page("bank_statement_import")
        answer = self.browser.post(address, {"file": SimpleUploadedFile(name, data)})
        if answer.status_code == 200 and "token" in answer.context:
            form = answer.context["form"]
            columns = {key: form.initial.get(key, "") for key in STATEMENT_COLUMNS}
            said = {"token": answer.context["token"], "format": answer.context["chosen"]}
            answer = self.browser.post(address, columns | said)
        assert answer.status_code == 302, answer.content.decode()[:2000]

    def work_off_the_list(self) -> None:
        """Book what is certain, and then decide on each other line."""
        while True:
            before = self.waiting_count()
            self.browser.post(self.page("bank_lines_book_certain"))
            if self.waiting_count() == before:
                break
        while proposed := self.browser.get(self.page("bank_lines_review")).context["proposed"]:
            for each in proposed:
                self._decide(each)

    def waiting_count(self) -> int:
        count: int = self.browser.get(self.page("bank_lines_review")).context["waiting_count"]
        return count

    def _decide(self, shown: LineWithProposals) -> None:
        best, line = shown.best_proposal, shown.line
        if shown.duplicate_of is not None or (best is not None and DOUBTS & set(best.reasons)):
            self.browser.post(self.page("bank_line_ignore", line.pk), {"reason": "in the other file too"})
            self.left_out += 1
            return
        purpose = self._purpose(line)
        target = f"member:{self.members[purpose].pk}" if isinstance(purpose, int) else ""
        target = target or f"account:{self.categories[str(purpose)].pk}"
        self.browser.post(self.page("bank_line_book", line.pk), {"target": target})

    def _purpose(self, line: BankStatementLine) -> int | str:
        """What a payment of that day and amount was for. If there are several, the text says which."""
        alike = [each for each in self.movements if (each.on, each.cents) == (line.booked_on, line.amount)]
        purposes = {each.purpose for each in alike if len(alike) == 1 or each.text in line.text}
        assert len(purposes) == 1, (line.booked_on, line.amount, line.text)
        return purposes.pop()


# -- The year ----------------------------------------------------------------------------------------------------------


def a_year(members: Sequence[Member], words: dict[str, str], iban: Callable[[int], str]) -> list[Movement]:
    """The movements of a year in their order: dues, two payments returned, rents, fees, and money from nobody known."""
    references = [member.accounts.get().payment_reference for member in members]
    found: list[Movement] = []

    def move(on: date, cents: int, purpose: int | str, text: str, *, party: str = "", account: str = "") -> None:
        found.append(Movement(on=on, cents=cents, purpose=purpose, party=party, iban=account, text=text))

    for quarter, due_on in enumerate(QUARTERLY):
        for place, member in enumerate(members):
            family, given = member.name.split(", ")
            day = due_on - timedelta(days=12 - place)
            # Every other member writes the reference; the others are known by their names, and later their accounts.
            text = f"{references[place]} {words['dues']}" if place % 2 == 0 else f"{words['dues']} Q{quarter + 1}"
            move(day, FEE, place, text, party=f"{given} {family}", account=iban(place))
    # A payment of July is returned twelve days later, when the format has changed, and paid again.
    family, given = members[3].name.split(", ")
    party, returned_on = f"{given} {family}", QUARTERLY[2] + timedelta(days=3)
    move(returned_on, -FEE, 3, words["returned"], party=party, account=iban(3))
    move(date(YEAR, 8, 4), FEE, 3, f"{references[3]} {words['dues']}", party=party, account=iban(3))
    # A payment of January is charged back in June, in the months that both formats have.
    family, given = members[4].name.split(", ")
    party = f"{given} {family}"
    move(date(YEAR, 6, 20), -FEE, 4, f"{words['returned']} {references[4]}", party=party, account=iban(4))
    move(date(YEAR, 6, 27), FEE, 4, f"{references[4]} {words['dues']}", party=party, account=iban(4))
    # Two equal transfers on one day, of which the last statement in the first format only has one.
    for _time in range(2):
        move(FIRST_FORMAT_UNTIL, 1_000, 0, f"{references[0]} {words['extra']}", party="Ann A", account=iban(0))
    for month in range(1, 13):
        move(date(YEAR, month, 3), -12_000, "rent", words["rent"], party=words["hall"], account=iban(90))
        move(date(YEAR, month, 28), -350, "fees", words["fee"])
    move(date(YEAR, 2, 20), 5_000, "donations", words["gift"], party="X. Y. Zet", account=iban(91))
    move(date(YEAR, 7, 9), 7_777, "donations", words["gift"])
    move(date(YEAR, 11, 30), -20_000, "federation", words["federation"], party=words["union"], account=iban(92))
    in_order = sorted(found, key=lambda each: each.on)
    return [Movement(**{**vars(each), "number": number}) for number, each in enumerate(in_order, start=1)]


def on_day_of_value(movement: Movement) -> Movement:
    """The movement as in the second format, which tells a later day for members' payments that both formats have."""
    if not isinstance(movement.purpose, int) or movement.on > LATER_IN_SECOND_FORMAT_UNTIL:
        return movement
    return replace(movement, on=movement.on + timedelta(days=2))


# -- The formats -------------------------------------------------------------------------------------------------------


def money(cents: int, mark: str = ".") -> str:
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}{mark}{abs(cents) % 100:02}"


def camt(movements: Sequence[Movement], *, own: str, currency: str, closing: int) -> bytes:
    """CAMT.053, with the closing balance of the last day."""
    entries = []
    for each in movements:
        side, mark = ("Dbtr", "CRDT") if each.cents > 0 else ("Cdtr", "DBIT")
        party = f"<{side}><Pty><Nm>{each.party}</Nm></Pty></{side}>" if each.party else ""
        account = f"<{side}Acct><Id><IBAN>{each.iban}</IBAN></Id></{side}Acct>" if each.iban else ""
        entries.append(
            f'<Ntry><Amt Ccy="{currency}">{money(abs(each.cents))}</Amt><CdtDbtInd>{mark}</CdtDbtInd><Sts><Cd>BOOK</Cd>'
            f"</Sts><BookgDt><Dt>{each.on}</Dt></BookgDt><AcctSvcrRef>C{each.number:06}</AcctSvcrRef><NtryDtls><TxDtls>"
            f"<RltdPties>{party}{account}</RltdPties><RmtInf><Ustrd>{each.text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>"
        )
    balance = (
        f'<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="{currency}">{money(closing)}</Amt>'
        f"<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>{movements[-1].on}</Dt></Dt></Bal>"
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">'
        f"<BkToCstmrStmt><Stmt><Acct><Id><IBAN>{own}</IBAN></Id></Acct>{balance}{''.join(entries)}</Stmt>"
        "</BkToCstmrStmt></Document>"
    ).encode()


def mt940(movements: Sequence[Movement], *, own: str, currency: str, closing: int) -> bytes:
    """MT940 with a numbered field 86."""
    opening = closing - sum(each.cents for each in movements)
    lines = [":20:STMT", f":25:{own}", ":28C:1/1", _balance_field("60F", opening, movements[0].on, currency)]
    for each in movements:
        mark = "C" if each.cents > 0 else "D"
        amount = money(abs(each.cents), ",")
        lines.append(f":61:{each.on:%y%m%d}{each.on:%m%d}{mark}{amount}NTRFNONREF//M{each.number:06}")
        lines.append(f":86:020?00PRZELEW?20{each.text}?31{each.iban}?32{each.party}")
    lines.append(_balance_field("62F", closing, movements[-1].on, currency))
    return ("\r\n".join(lines) + "\r\n-\r\n").encode()


def _balance_field(name: str, cents: int, on: date, currency: str) -> str:
    return f":{name}:C{on:%y%m%d}{currency}{money(cents, ',')}"


def sparkasse(movements: Sequence[Movement], *, own: str, **_facts: object) -> bytes:
    head = "Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck"
    head += ";Beguenstigter/Zahlungspflichtiger;Kontonummer/IBAN;Betrag;Waehrung;Info"
    rows = [
        f"{own};{each.on:%d.%m.%y};{each.on:%d.%m.%y};UMSATZ;{each.text};{each.party};{each.iban}"
        f";{money(each.cents, ',')};EUR;Umsatz gebucht"
        for each in reversed(movements)
    ]
    pending = f"{own};31.12.25;;KARTE;Kaffee;Bistro;;-4,20;EUR;Umsatz vorgemerkt"
    return "\n".join([head, pending, *rows, ""]).encode("cp1252")


def mbank(movements: Sequence[Movement], *, own: str, **_facts: object) -> bytes:
    above = ["mBank S.A.;", "#Klient;", "KLUB SZACHOWY;", "#dla rachunków:;", f"eKonto - {own[2:]};", ""]
    head = "#Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;#Saldo;"
    rows = [
        f'{each.on};{each.on};PRZELEW;"{each.text}";"{each.party.upper()}";\'{each.iban[2:]}\''
        f";{money(each.cents, ',')};0,00;"
        for each in reversed(movements)
    ]
    return "\n".join([*above, head, *rows, ""]).encode("cp1250")


def lloyds(movements: Sequence[Movement], **_facts: object) -> bytes:
    head = "Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount"
    head += ",Credit Amount,Balance"
    rows = [
        f"{each.on:%d/%m/%Y},FPI,'11-22-33,87651234,{' '.join(filter(None, (each.party.upper(), each.text)))}"
        f",{money(-each.cents) if each.cents < 0 else ''},{money(each.cents) if each.cents > 0 else ''},0.00"
        for each in reversed(movements)
    ]
    return "\n".join([head, *rows, ""]).encode()


@dataclass(frozen=True, kw_only=True)
class Country:
    """A bank's country: its currency, account and words, and the two formats."""

    currency: str
    own: str
    iban: Callable[[int], str]
    first: Callable[..., bytes]
    second: Callable[..., bytes]
    words: dict[str, str]


def numbered(start: str) -> Callable[[int], str]:
    """Accounts of a country with correct check digits."""

    def iban(place: int) -> str:
        code, rest = start[:2], f"{start[4:-2]}{place:02}"
        digits = "".join(str(int(letter, 36)) for letter in f"{rest}{code}00")
        return f"{code}{98 - int(digits) % 97:02}{rest}"

    return iban


GERMANY = Country(
    currency="EUR",
    own="DE89370400440532013000",
    iban=numbered("DE00500105175407324900"),
    first=camt,
    second=sparkasse,
    words={
        "dues": "Beitrag",
        "extra": "Trainingsabend",
        "returned": "Ruecklastschrift",
        "rent": "Saalmiete",
        "hall": "Stadt Beispiel",
        "fee": "Entgeltabschluss",
        "gift": "Spende",
        "federation": "Verbandsabgabe",
        "union": "Schachverband Beispiel",
    },
)
POLAND = Country(
    currency="PLN",
    own="PL61109010140000071219812874",
    iban=numbered("PL00114020040000300201355300"),
    first=mt940,
    second=mbank,
    words={
        "dues": "Skladka",
        "extra": "Trening",
        "returned": "Zwrot przelewu",
        "rent": "Czynsz",
        "hall": "Dom Kultury",
        "fee": "Oplata za konto",
        "gift": "Darowizna",
        "federation": "Skladka zwiazkowa",
        "union": "Zwiazek Szachowy",
    },
)
BRITAIN = Country(
    currency="GBP",
    own="GB29NWBK60161331926819",
    iban=numbered("GB00LOYD30963487651200"),
    first=camt,
    second=lloyds,
    words={
        "dues": "Subscription",
        "extra": "Coaching",
        "returned": "Returned payment",
        "rent": "Room hire",
        "hall": "Village Hall",
        "fee": "Account charge",
        "gift": "Gift",
        "federation": "Affiliation",
        "union": "Chess Union",
    },
)
NAMES = (
    "Turm, Uta",
    "Springer, Ole",
    "Läufer, Jan",
    "Dame, Ida",
    "König, Max",
    "Bauer, Eva",
    "Patt, Lena",
    "Remis, Paul",
)


def make_treasurer(country: Country) -> Treasurer:
    club = make_club("year", "Rook Lane")
    club.currency = country.currency
    club.save()
    make_user("books", club, Role.TREASURER)
    browser = Client()
    browser.login(username="books", password="books")
    open_money_account(club, kind="bank", name="Bank", iban=country.own, balance=OPENING, on=date(YEAR, 1, 1), by=None)
    kinds = {"rent": "expense", "fees": "expense", "federation": "expense", "donations": "income"}
    categories = {
        name: BookAccount.objects.create(club=club, kind=kind, name=name.title()) for name, kind in kinds.items()
    }
    members = [make_member(club, name, birth_year=1980) for name in NAMES]
    for member in members:
        for due_on in QUARTERLY:
            charge_member(member, FEE, text="dues", due_on=due_on, by=None)
    charge_member(members[0], 2_000, text="coaching", due_on=date(YEAR, 7, 1), by=None)
    found = Treasurer(club=club, browser=browser, members=members, categories=categories)
    found.movements = a_year(members, country.words, country.iban)
    return found


def booked_at_the_bank(account: BookAccount) -> Counter[tuple[date, int]]:
    """Day and amount of everything booked into and out of the bank's account, but for the opening balance."""
    entries = BookEntry.objects.filter(club=account.club)
    found = Counter(entries.filter(target=account).values_list("on", "amount"))
    found.update((on, -amount) for on, amount in entries.filter(source=account).values_list("on", "amount"))
    found.subtract([(date(YEAR, 1, 1), OPENING)])
    return +found


@pytest.mark.slow
@pytest.mark.parametrize("country", [GERMANY, POLAND, BRITAIN], ids=["german", "polish", "british"])
def test_the_books_equal_the_bank_to_the_cent(country: Country):
    treasurer = make_treasurer(country)
    movements = treasurer.movements
    balances = dict(zip(movements, accumulate((each.cents for each in movements), initial=OPENING), strict=False))
    early = movements[: next(place for place, each in enumerate(movements, 1) if each.on == FIRST_FORMAT_UNTIL)]
    late = [on_day_of_value(each) for each in movements if each.on >= SECOND_FORMAT_FROM]
    in_both = len(early) + len(late) - len(movements)
    assert in_both > 15
    facts = {"own": country.own, "currency": country.currency}
    halves = [early[: len(early) // 2], early[len(early) // 3 :]]
    for part in halves:
        closing = balances[part[-1]] + part[-1].cents
        treasurer.import_statement("statement", country.first(part, closing=closing, **facts))
        treasurer.work_off_the_list()
    for part in (late[: len(late) // 2], late[len(late) // 3 :]):
        treasurer.import_statement("statement.csv", country.second(part, closing=0, **facts))
        treasurer.work_off_the_list()

    bank = BookAccount.objects.get(club=treasurer.club, kind=BookAccount.Kind.BANK)
    assert booked_at_the_bank(bank) == Counter((each.on, each.cents) for each in movements)
    assert balance_of_account(bank, until=LAST_DAY) == OPENING + sum(each.cents for each in movements)
    assert treasurer.left_out == in_both
    for place, member in enumerate(treasurer.members):
        paid = sum(each.cents for each in movements if each.purpose == place)
        assert balance_of_member(member, today=LAST_DAY).paid == paid, member.name
    for name, category in treasurer.categories.items():
        moved = sum(each.cents for each in movements if each.purpose == name)
        assert abs(balance_of_account(category, until=LAST_DAY)) == abs(moved), name


def test_the_movements_have_what_makes_a_year_difficult():
    movements = make_treasurer(GERMANY).movements
    assert sum(each.cents < 0 and isinstance(each.purpose, int) for each in movements) == 2
    assert any(not each.party and not each.iban for each in movements)
    assert max(Counter((each.on, each.cents, each.text) for each in movements).values()) == 2
    assert all(normalise_account_number(each.iban) == each.iban for each in movements)
