"""The package of an accounting year for the tax adviser or the auditor: entries, balances and documents in one ZIP."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Sequence
from typing import IO

from django.utils.formats import get_format
from django.utils.translation import gettext as _

from clubs.finance.accounting.datev import render_datev_file
from clubs.finance.accounting.reports import account_display_name, build_year_report, journal_entries
from clubs.models import BookEntry, Club, Voucher
from common.tabular.file_responses import render_csv
from common.tabular.spreadsheets import CellValue
from common.text.amounts import cents_to_decimal


def build_year_package(club: Club, year: int, *, datev_numbers: tuple[int, int] | None = None) -> IO[bytes]:
    """Return the ZIP file in the reader's language. It is a temporary file on disk, as documents may fill a gigabyte.

    `datev_numbers` are those of the adviser and the club. Without them there is no DATEV file. Raises OfficerProblem if
    accounts have no numbers for it.
    """
    entries = journal_entries(club, year)
    out = tempfile.TemporaryFile()  # noqa: SIM115 (the response closes it)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        if datev_numbers is not None:
            consultant, client = datev_numbers
            data = render_datev_file(club, year, entries, consultant=consultant, client=client)
            package.writestr(f"EXTF_Buchungsstapel_{year}.csv", data)
        package.writestr("entries.csv", _entries(club, entries))
        package.writestr("accounts.csv", _accounts(club, year))
        # One at a time: behind a connection pooler, an iterator would load all documents.
        for pk in Voucher.objects.filter(entry__in=entries).order_by("pk").values_list("pk", flat=True):
            voucher = Voucher.objects.select_related("entry").get(pk=pk)
            name = f"documents/{year}-{voucher.entry.number}-{voucher.pk}.{voucher.kind}"
            package.writestr(name, bytes(voucher.data), zipfile.ZIP_STORED)
    out.seek(0)
    return out


def _entries(club: Club, entries: Sequence[BookEntry]) -> bytes:
    headings = (
        *(_("Entry"), _("Date"), _("Debit no."), _("Debit"), _("Credit no."), _("Credit"), _("Amount"), _("Currency")),
        *(_("Payer or payee"), _("Description"), _("Receipt"), _("Reverses"), _("Reason"), _("Files")),
    )
    rows: list[list[CellValue]] = [
        [
            entry.voucher_number,
            entry.on,
            entry.target.number,
            account_display_name(entry.target),
            entry.source.number,
            account_display_name(entry.source),
            cents_to_decimal(entry.amount),
            club.currency,
            entry.ledger_entry.account.member.name if entry.ledger_entry else entry.party,
            entry.text,
            entry.ledger_entry.printed_receipt_number if entry.ledger_entry else "",
            entry.corrects.voucher_number if entry.corrects else "",
            entry.ledger_entry.visible_reason if entry.ledger_entry else entry.reason,
            ", ".join(f"{entry.year}-{entry.number}-{each.pk}.{each.kind}" for each in entry.vouchers.all()),
        ]
        for entry in entries
    ]
    return render_csv(headings, rows, decimal_mark=str(get_format("DECIMAL_SEPARATOR")))


def _accounts(club: Club, year: int) -> bytes:
    report = build_year_report(club, year)
    money = [(line.account, line.opening_balance, line.balance_change, line.closing_balance) for line in report.money]
    categories = [(line.account, 0, line.actual, line.actual) for line in (*report.income, *report.expenses)]
    headings = (
        *(_("Number"), _("Account"), _("Type"), _("Opening balance"), _("Change over the year")),
        *(_("Closing balance"), _("Currency")),
    )
    rows: list[list[CellValue]] = [
        [account.number, account.name, account.get_kind_display(), *map(cents_to_decimal, amounts), club.currency]
        for account, *amounts in (*money, *categories)
    ]
    return render_csv(headings, rows, decimal_mark=str(get_format("DECIMAL_SEPARATOR")))
