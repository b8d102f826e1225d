"""Receipts on paper."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _

from clubs.receipts import ReceiptSheet
from pairing.papers.making import Wishes, part_of
from pairing.pdfs import Paper


def receipt_paper(sheet: ReceiptSheet, wishes: Wishes) -> Paper:
    """A receipt for money, on half a sheet (A5)."""
    with translation.override(wishes.language):
        title = _("Receipt %(number)s") % {"number": sheet.number}
        context = {"sheet": sheet, "title": f"{title}, {sheet.club}", "heading": title, "club": sheet.club}
        return Paper(parts=(part_of("receipt", context, "receipt", "@page { size: 148mm 210mm }"),))
