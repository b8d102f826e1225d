"""What the bank says was on the account, beside the books; and a bank's columns said again."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.bank.agreeing import agreements
from clubs.bank.matching import open_lines
from clubs.bank.reading import read_messages
from clubs.bank.settling import settle
from clubs.books.booking import open_account
from clubs.models import BankBalance, BankLine, BookAccount, Club
from tests.clubs.bank.test_formats import OURS, entry
from tests.clubs.book import make_book, page
from tests.sharing import once_a_module

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 21)
BALANCE = (
    "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt>{amount}</Amt><CdtDbtInd>{mark}</CdtDbtInd>"
    "<Dt><Dt>2026-11-20</Dt></Dt></Bal>"
)
MT940 = """:20:1
:25:{ours}
:28C:1/1
:60F:C261101EUR100,00
:61:2611201120C120,00NTRFNONREF
:86:a
:62F:C261120EUR{closing}
"""
TABLE = "Date;What;Amount\n2026-11-05;Ewa RF1;100.00\n"

made_once, cast = once_a_module(make_book)


def camt(opening: str, closing: str, *entries: str, mark: str = "CRDT") -> bytes:
    balances = BALANCE.format(code="OPBD", amount=opening, mark=mark) + BALANCE.format(
        code="CLBD", amount=closing, mark="CRDT"
    )
    return (
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>'
        f"<Acct><Id><IBAN>{OURS}</IBAN></Id></Acct>{balances}{''.join(entries)}</Stmt></BkToCstmrStmt></Document>"
    ).encode()


@pytest.mark.parametrize(
    ("data", "amount", "missing"),
    [
        (camt("100.00", "220.00", entry()), 22_000, 0),
        (camt("100.00", "219.90", entry()), 21_990, -10),
        (camt("20.00", "100.00", entry(), mark="DBIT"), 10_000, 0),
        (MT940.format(ours=OURS, closing="220,00").encode(), 22_000, 0),
        (MT940.format(ours=OURS, closing="221,00").encode(), 22_100, 100),
    ],
)
def test_a_statement_says_what_was_on_the_account(data, amount, missing):
    (balance,) = read_messages(data, today=TODAY).balances
    assert (balance.own_account, balance.on, balance.amount, balance.missing) == (
        OURS,
        date(2026, 11, 20),
        amount,
        missing,
    )


def bring_in(cast, data: bytes, name: str, **more: str) -> str:
    sent = {"file": SimpleUploadedFile(name, data)} | more
    return cast.browser("treasurer").post(page("bank_import"), sent, follow=True).text


def giro(club: Club) -> BookAccount:
    return open_account(club, kind="bank", name="Giro", iban=OURS, balance=10_000, on=date(2026, 1, 1), by=None)


def test_the_books_are_held_beside_the_banks_balance(cast):
    account = giro(cast.club)
    gifts = BookAccount.objects.create(club=cast.club, kind="income", name="Darowizny")
    told = bring_in(cast, camt("100.00", "220.10", entry()), "a.xml")
    assert "0.10" in told, "ten cents are missing among its lines"
    (found,) = agreements(cast.club)
    assert (found.bank, found.books, found.waiting, found.difference) == (22_010, 10_000, 12_000, 10)
    assert "the books differ by" in cast.browser("treasurer").get(page("bank")).text
    bring_in(cast, camt("100.00", "220.00", entry()), "a.xml")
    settle(open_lines(cast.club).get(), gifts, by=None)
    (found,) = agreements(cast.club)
    assert (found.account, found.books, found.waiting, found.difference) == (account, 22_000, 0, 0)
    assert "the books agree" in cast.browser("treasurer").get(page("bank")).text
    assert BankBalance.objects.count() == 1


def test_a_double_is_seen_by_the_banks_balance(cast):
    giro(cast.club)
    gifts = BookAccount.objects.create(club=cast.club, kind="income", name="Darowizny")
    bring_in(cast, camt("100.00", "220.00", entry()), "a.xml")
    bring_in(cast, b"Date;Details;Amount\n2026-11-20;Dar;120.00\n", "b.csv")
    bring_in(cast, MT940.format(ours=OURS, closing="220,00").encode(), "c.sta")
    for line in list(open_lines(cast.club)):
        settle(line, gifts, by=None)
    assert agreements(cast.club)[0].difference == -12_000 * (BankLine.objects.count() - 1)


def test_without_a_column_for_the_text_it_is_asked_and_columns_can_be_said_again(cast):
    club, treasurer = cast.club, cast.browser("treasurer")
    asked = bring_in(cast, TABLE.encode(), "a.csv")
    said = {"token": re.search(r'name="token" value="([^"]+)', asked)[1], "day": "0", "amount": "2"}
    warned = treasurer.post(page("bank_import"), said)
    assert (warned.status_code, "No column is the text" in warned.text) == (422, True)
    treasurer.post(page("bank_import"), said | {"is_sure": "on"})
    assert BankLine.objects.get(club=club).text == ""
    assert "Brought in before: 1." in bring_in(cast, TABLE.encode(), "a.csv"), "known from then on"
    asked = bring_in(cast, TABLE.encode(), "a.csv", anew="on")
    said["token"] = re.search(r'name="token" value="([^"]+)', asked)[1]
    treasurer.post(page("bank_import"), said | {"text": "1"})
    bring_in(cast, (TABLE + "2026-11-06;Jan RF2;50.00\n").encode(), "b.csv")
    assert BankLine.objects.filter(club=club, text="Jan RF2").exists()
