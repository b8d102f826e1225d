"""A year's entries in DATEV format, for tax advisers in Germany: an EXTF file of category 21, format version 9.

https://developer.datev.de describes it: line 1 says what the file is, line 2 has the names of all columns, and each
other line is an entry. It is Windows-1252 text with semicolons. Account numbers all have the same length.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import BookAccount, BookEntry, Club
from common.problems import OfficerProblem
from common.text.latin_letters import transliterate_name

OPENING_BALANCES = "9000"
"""The account for opening balances in DATEV's charts of accounts. Longer numbers get zeros at the end."""
MAX_REFERENCE, MAX_TEXT = 36, 60
_ENCODING = "cp1252"
_PLAIN = str.maketrans("łŁđĐ", "lLdD")
"""Letters that Unicode does not decompose into a base letter and an accent."""


def _numbered(*names: str, to: int) -> Iterator[str]:
    return (f"{name} {number}" for number in range(1, to + 1) for name in names)


COLUMNS = (
    *("Umsatz (ohne Soll/Haben-Kz)", "Soll/Haben-Kennzeichen", "WKZ Umsatz", "Kurs", "Basis-Umsatz"),
    *("WKZ Basis-Umsatz", "Konto", "Gegenkonto (ohne BU-Schlüssel)", "BU-Schlüssel", "Belegdatum", "Belegfeld 1"),
    *("Belegfeld 2", "Skonto", "Buchungstext", "Postensperre", "Diverse Adressnummer", "Geschäftspartnerbank"),
    *("Sachverhalt", "Zinssperre", "Beleglink"),
    *_numbered("Beleginfo - Art", "Beleginfo - Inhalt", to=8),
    *("KOST1 - Kostenstelle", "KOST2 - Kostenstelle", "KOST-Menge", "EU-Mitgliedstaat u. USt-IdNr."),
    *("EU-Steuersatz", "Abw. Versteuerungsart", "Sachverhalt L+L", "Funktionsergänzung L+L"),
    *("BU 49 Hauptfunktionstyp", "BU 49 Hauptfunktionsnummer", "BU 49 Funktionsergänzung"),
    *_numbered("Zusatzinformation - Art", "Zusatzinformation - Inhalt", to=20),
    *("Stück", "Gewicht", "Zahlweise", "Forderungsart", "Veranlagungsjahr", "Zugeordnete Fälligkeit", "Skontotyp"),
    *("Auftragsnummer", "Buchungstyp", "USt-Schlüssel (Anzahlungen)", "EU-Mitgliedstaat (Anzahlungen)"),
    *("Sachverhalt L+L (Anzahlungen)", "EU-Steuersatz (Anzahlungen)", "Erlöskonto (Anzahlungen)", "Herkunft-Kz"),
    *("Leerfeld", "KOST-Datum", "SEPA-Mandatsreferenz", "Skontosperre", "Gesellschaftername", "Beteiligtennummer"),
    *("Identifikationsnummer", "Zeichnernummer", "Postensperre bis", "Bezeichnung SoBil-Sachverhalt"),
    *("Kennzeichen SoBil-Buchung", "Festschreibung", "Leistungsdatum", "Datum Zuord. Steuerperiode", "Fälligkeit"),
    *("Generalumkehr (GU)", "Steuersatz", "Land"),
)


def render_datev_file(club: Club, year: int, entries: Sequence[BookEntry], *, consultant: int, client: int) -> bytes:
    """Return a year's entries as an EXTF file. `consultant` and `client` are the DATEV numbers of adviser and club.

    Raises OfficerProblem if an account has no number, or their lengths differ.
    """
    length = _length_of_numbers(entries)
    opening = OPENING_BALANCES.ljust(length, "0")
    lines = [
        _header(club, year, length, consultant=consultant, client=client, made_at=timezone.localtime()),
        list(COLUMNS),
        *(_entry_line(club, entry, opening) for entry in entries),
    ]
    return "".join(";".join(line) + "\r\n" for line in lines).encode(_ENCODING)


def _length_of_numbers(entries: Sequence[BookEntry]) -> int:
    used = {account for entry in entries for account in (entry.source, entry.target)}
    numbered = {account for account in used if account.kind != BookAccount.Kind.OPENING}
    lengths = {len(account.number) for account in numbered} or {len(OPENING_BALANCES)}
    if len(lengths) > 1 or min(lengths) < len(OPENING_BALANCES):
        names = ", ".join(sorted(f"{account.name} {account.number}".strip() for account in numbered))
        raise OfficerProblem(
            _("For DATEV, every account needs a number of 4 to 8 digits, all of the same length: %(names)s.")
            % {"names": names}
        )
    return min(lengths)


def _header(club: Club, year: int, length: int, *, consultant: int, client: int, made_at: datetime) -> list[str]:
    # Category, name and version of the format, then when it was made and by whom.
    what = ['"EXTF"', "700", "21", '"Buchungsstapel"', "9", f"{made_at:%Y%m%d%H%M%S}000", "", '"CN"', '""', '""']
    whose = [str(consultant), str(client), f"{year}0101", str(length), f"{year}0101", f"{year}1231"]
    return [*what, *whose, _text(club.name, 30), '""', "1", "0", "0", _text(club.currency, 3), *[""] * 9]


def _entry_line(club: Club, entry: BookEntry, opening: str) -> list[str]:
    debit, credit = (
        opening if account.kind == BookAccount.Kind.OPENING else account.number
        for account in (entry.target, entry.source)
    )
    party = entry.ledger_entry.account.member.name if entry.ledger_entry else entry.party
    said = {
        "Umsatz (ohne Soll/Haben-Kz)": f"{entry.amount // 100},{entry.amount % 100:02}",
        "Soll/Haben-Kennzeichen": '"S"',
        "WKZ Umsatz": _text(club.currency, 3),
        "Konto": debit,
        "Gegenkonto (ohne BU-Schlüssel)": credit,
        "Belegdatum": f"{entry.on:%d%m}",
        "Belegfeld 1": _text(entry.voucher_number, MAX_REFERENCE),
        "Buchungstext": _text(" ".join(filter(None, [party, entry.text])), MAX_TEXT),
    }
    return [said.get(name, "") for name in COLUMNS]


def _text(text: str, length: int) -> str:
    """Return a text in quotation marks, with letters that Windows-1252 has."""
    spelt = text if _fits(text) else transliterate_name(text) or text
    letters = (each if _fits(each) else unicodedata.normalize("NFKD", each)[0] for each in spelt.translate(_PLAIN))
    plain = "".join(each if _fits(each) and each.isprintable() else "?" for each in letters)
    if plain.startswith(("=", "+", "-", "@")):
        plain = f" {plain}"  # A spreadsheet would read a formula.
    return '"' + plain[:length].replace('"', '""') + '"'


def _fits(text: str) -> bool:
    try:
        text.encode(_ENCODING)
    except UnicodeEncodeError:
        return False
    return True
