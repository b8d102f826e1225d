"""The year for the tax adviser: what DATEV refuses, and the lines by DATEV's description of the format."""

from __future__ import annotations

import csv
import io
import os
import tracemalloc
import zipfile
from datetime import date

import pytest
from django.urls import reverse
from django.utils import translation

from clubs.finance.accounting.datev import COLUMNS, render_datev_file
from clubs.finance.accounting.entries import open_money_account, record_accounting_entry
from clubs.finance.accounting.reports import journal_entries
from clubs.finance.accounting.vouchers import add_voucher
from clubs.finance.accounting.year_package import build_year_package
from clubs.finance.dues.ledger import record_payment
from clubs.models import BookAccount, Club, PersonalDataAccess, Role, User
from common.problems import OfficerProblem
from tests.factories import make_club, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    """Opening balance 100.00, 12.50 spent, 60.00 of dues, and 9.99 spent in the year after."""
    club = make_club("turm", "Turm")
    treasurer = make_user("treasurer", club, Role.TREASURER)
    cash = open_money_account(
        club, kind="cash", name="Kasse", iban="", balance=100_00, on=date(2025, 1, 1), by=treasurer
    )
    things = BookAccount.objects.create(club=club, kind="expense", name="Material")
    spent = record_accounting_entry(
        cash, things, 12_50, on=date(2025, 3, 7), by=treasurer, party="Läden „A“; B", text='Uhren "neu" ' + "x" * 60
    )
    add_voucher(spent, b"%PDF-1.7", "rechnung.pdf", by=treasurer)
    record_payment(make_member(club, "Łoś, Żaneta"), 60_00, method="cash", paid_on=date(2025, 4, 1), by=treasurer)
    record_accounting_entry(cash, things, 9_99, on=date(2026, 1, 2), by=treasurer)
    return club


def number(club: Club, **numbers: str) -> None:
    """Give the accounts their numbers: by name, or `dues` for the category of dues."""
    for name, value in numbers.items():
        wanted = {"is_for_dues": True} if name == "dues" else {"name": name}
        assert club.book_accounts.filter(**wanted).update(number=value) == 1


def datev(club: Club) -> list[list[str]]:
    data = render_datev_file(club, 2025, journal_entries(club, 2025), consultant=1234567, client=42)
    assert data.endswith(b"\r\n")
    return list(csv.reader(io.StringIO(data.decode("cp1252"), newline=""), delimiter=";"))


@pytest.mark.parametrize(
    "numbers",
    [{}, {"Kasse": "1000"}, {"Kasse": "1000", "Material": "40000", "dues": "2110"}],
    ids=["none", "one", "of two lengths"],
)
def test_datev_needs_numbers_of_one_length(club, numbers):
    number(club, **numbers)
    with pytest.raises(OfficerProblem, match="Kasse"):
        datev(club)


def test_the_entries_are_as_datev_describes_them(club):
    """Debit is `Konto` with S. The account of opening balances is 9000. Days are DDMM, amounts have a comma."""
    number(club, Kasse="1000", Material="4000", dues="2110")
    header, columns, *lines = datev(club)
    assert header[:5] == ["EXTF", "700", "21", "Buchungsstapel", "9"]
    assert header[10:17] == ["1234567", "42", "20250101", "4", "20250101", "20251231", "Turm"]
    assert header[18:22] == ["1", "0", "0", "EUR"]
    assert len(header) == 31
    assert columns == list(COLUMNS)
    assert (len(columns), columns[0], columns[13], columns[-1]) == (
        120,
        "Umsatz (ohne Soll/Haben-Kz)",
        "Buchungstext",
        "Land",
    )
    assert {len(line) for line in lines} == {120}
    assert [[*line[:3], *line[6:8], *line[9:11]] for line in lines] == [
        ["100,00", "S", "EUR", "1000", "9000", "0101", "2025/1"],
        ["12,50", "S", "EUR", "4000", "1000", "0703", "2025/2"],
        ["60,00", "S", "EUR", "1000", "2110", "0104", "2025/3"],
    ]
    assert lines[1][13].startswith('Läden „A“; B Uhren "neu" xxx')
    assert len(lines[1][13]) == 60
    assert lines[2][13].startswith("Los, Zaneta")


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "@SUM(1)", "+cmd|1", "-1+1", "\uff1d1+1"])
def test_a_description_is_never_a_formula(club, text):
    """With German settings, a spreadsheet opens the file directly."""
    number(club, Kasse="1000", Material="4000", dues="2110")
    cash, things = club.book_accounts.get(name="Kasse"), club.book_accounts.get(name="Material")
    treasurer = User.objects.get(username="treasurer")
    record_accounting_entry(cash, things, 100, on=date(2025, 5, 1), by=treasurer, text=text)
    assert datev(club)[-1][13][0] in " ?"


def test_opening_balances_have_as_many_digits_as_the_others(club):
    number(club, Kasse="100000", Material="400000", dues="211000")
    assert datev(club)[2][7] == "900000"


def test_the_package_has_every_entry_balance_and_document(club):
    number(club, Kasse="1000")
    with zipfile.ZipFile(build_year_package(club, 2025)) as package:
        names = package.namelist()
        entries = list(csv.DictReader(io.StringIO(package.read("entries.csv").decode("utf-8-sig")), delimiter=";"))
        accounts = list(csv.DictReader(io.StringIO(package.read("accounts.csv").decode("utf-8-sig")), delimiter=";"))
    assert [name for name in names if name.startswith("EXTF")] == []
    (document,) = [name for name in names if name.startswith("documents/2025-2-")]
    assert entries[1]["Files"] == document.removeprefix("documents/")
    assert [(row["Debit"], row["Credit no."], row["Amount"]) for row in entries][1] == ("Material", "1000", "12.50")
    cash = next(row for row in accounts if row["Account"] == "Kasse")
    assert (cash["Opening balance"], cash["Change over the year"], cash["Closing balance"]) == (
        "100.00",
        "47.50",
        "147.50",
    )


def test_the_treasurer_downloads_it_and_the_log_says_so(club, client):
    client.force_login(User.objects.get(username="treasurer"))
    address = reverse("accounting_year_package", args=[club.slug, 2025])
    package = client.get(address)
    assert package.headers["Content-Type"] == "application/zip"
    assert package.headers["Cache-Control"] == "no-store"
    assert package.headers["Content-Disposition"] == f'attachment; filename="{club.slug}-books-2025.zip"'
    assert PersonalDataAccess.objects.get(club=club).details == {"books": 2025}
    report = reverse("accounting_year_report", args=[club.slug, 2025])
    for wrong in ({"consultant": "1234"}, {"consultant": "x", "client": "1"}, {"consultant": "1234", "client": "1"}):
        assert client.get(address, wrong).headers["Location"] == report
    number(club, Kasse="1000", Material="4000", dues="2110")
    answer = client.get(address, {"consultant": "1234", "client": "1"})
    assert "EXTF_Buchungsstapel_2025.csv" in zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))).namelist()
    for number_of_account in ("12", "123456789", "10a0"):
        page = reverse("accounting_account_edit", args=[club.slug, club.book_accounts.get(name="Kasse").pk])
        assert client.post(page, {"name": "Kasse", "number": number_of_account}).status_code == 422


def test_amounts_have_the_decimal_mark_of_the_readers_language(club):
    """Otherwise a German spreadsheet takes 12.50 for a text or a day."""
    with translation.override("de"), zipfile.ZipFile(build_year_package(club, 2025)) as package:
        assert ";12,50;" in package.read("entries.csv").decode("utf-8-sig")
        assert ";147,50;" in package.read("accounts.csv").decode("utf-8-sig")


def test_large_documents_are_not_all_in_memory(club):
    """The pages' processes have no limit of memory, and any club may have hundreds of scans."""
    entry = club.book_entries.filter(year=2025, ledger_entry=None).latest("pk")
    documents = [b"%PDF-1.7 " + os.urandom(1_000_000) for _number in range(8)]
    for data in documents:
        add_voucher(entry, data, "scan.pdf", by=User.objects.get(username="treasurer"))
    size = sum(map(len, documents))
    del documents
    tracemalloc.start()
    with build_year_package(club, 2025) as package:
        assert package.seek(0, io.SEEK_END) > size
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < size / 2
