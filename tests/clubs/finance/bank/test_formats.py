"""Bank statements in all formats: CAMT.053, MT940, tables. All banks and names are invented."""

from __future__ import annotations

from datetime import date

import pytest

from clubs.finance.bank.camt_files import read_camt_statement
from clubs.finance.bank.mt940_files import read_mt940_statement
from clubs.finance.bank.statement_reader import read_camt_or_mt940, reject_invalid_lines
from clubs.finance.bank.statement_tables import (
    detect_columns,
    parse_signed_amount,
    parse_statement_table,
    read_bank_table,
    save_column_layout,
)
from clubs.finance.bank.statements import ParsedStatementLine
from common.problems import OfficerProblem

OURS, THEIRS = "DE89370400440532013000", "PL61109010140000071219812874"
TODAY = date(2026, 11, 21)

CAMT = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>{ours}</IBAN></Id></Acct>
{entries}</Stmt></BkToCstmrStmt></Document>"""
ENTRY = """<Ntry><Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>{mark}</CdtDbtInd><Sts><Cd>{state}</Cd></Sts>
<BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>{reference}</AcctSvcrRef><NtryDtls>{details}</NtryDtls></Ntry>"""
DETAIL = """<TxDtls>{own}<RltdPties><Dbtr><Pty><Nm>Łoś, Ewa</Nm></Pty></Dbtr>
<DbtrAcct><Id><IBAN>{theirs}</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>{text}</Ustrd></RmtInf></TxDtls>"""


def camt(*entries: str) -> bytes:
    return CAMT.format(ours=OURS, entries="".join(entries)).encode()


def entry(details: str = "", **facts: str) -> str:
    given = {"amount": "120.00", "mark": "CRDT", "state": "BOOK", "reference": "R-1"} | facts
    return ENTRY.format(details=details, **given)


def detail(text: str, amount: str = "") -> str:
    own = f'<Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>' if amount else ""
    return DETAIL.format(text=text, own=own, theirs=THEIRS)


# -- CAMT.053 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<a",
        b"<html></html>",
        camt(entry(amount="12.345")),
        camt(entry(amount="NaN")),
        camt(entry(amount="1E999999")),
        camt(entry(mark="")),
        camt(entry()).replace(b"2026-11-20", b"20.11.2026"),
        b'<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]><a>&y;</a>',
    ],
)
def test_no_camt(data):
    with pytest.raises(OfficerProblem):
        read_camt_statement(data)


def test_an_entry_with_everything():
    (line,) = read_camt_statement(camt(entry(detail("Składka 2026")))).lines
    assert line == ParsedStatementLine(
        booked_on=date(2026, 11, 20),
        amount=12_000,
        text="Składka 2026",
        party="Łoś, Ewa",
        party_account=THEIRS,
        own_account=OURS,
        bank_reference="R-1",
        currency="EUR",
    )


def test_money_out_and_what_is_not_booked_yet():
    lines = read_camt_statement(camt(entry(mark="DBIT", amount="7.5"), entry(state="PDNG"), entry(state="INFO"))).lines
    assert [line.amount for line in lines] == [-750]


def test_a_collective_entry_is_its_lines_where_they_add_up():
    both = detail("a", "50.00") + detail("b", "70.00")
    assert [(line.amount, line.text) for line in read_camt_statement(camt(entry(both))).lines] == [
        (5_000, "a"),
        (7_000, "b"),
    ]
    short = detail("a", "50.00") + detail("b", "60.00")
    assert [line.amount for line in read_camt_statement(camt(entry(short))).lines] == [12_000], (
        "the sum that was booked is what counts"
    )


def test_an_older_version_has_names_elsewhere():
    older = camt(entry(detail("x"))).replace(b"<Pty>", b"").replace(b"</Pty>", b"").replace(b"<Cd>BOOK</Cd>", b"BOOK")
    assert read_camt_statement(older.replace(b"001.08", b"001.02")).lines[0].party == "Łoś, Ewa"


# -- MT940 -----------------------------------------------------------------------------------------------------------

MT940 = """:20:STARTUMS
:25:{ours}
:28C:00001/001
:60F:C261101EUR1000,00
:61:2611201120C120,00NTRFNONREF//2026112000001
:86:020~00Przelew~20RF12000001 sk~21ladka Nikt 2026~30BPHKPLPK~31{theirs}~32JAN NIKT~33ZAGORZE
:61:2611211121D45,50NTRFNONREF//2026112100007
:86:166?00SEPA?20EREF+ABC?21SVWZ+Miete November?30GENODEF1?31DE02120300000000202051?32STADT BEISPIEL
:61:2611211121RD5,00NTRFNONREF
:86:plain text of a bank that numbers nothing
:62F:C261121EUR1079,50
-
"""


def test_more_than_a_database_takes():
    whole = MT940.format(ours=OURS, theirs=THEIRS)
    with pytest.raises(OfficerProblem):
        read_mt940_statement(whole.replace("C120,00", "C999999999999,99").encode())
    most = "21474836.47"
    assert read_camt_statement(camt(entry(detail("x"), amount=most))).lines[0].amount == 2**31 - 1
    with pytest.raises(OfficerProblem, match="an amount"):
        read_camt_statement(camt(entry(detail("x"), amount="21474836.48")))
    assert "\0" not in read_mt940_statement(whole.replace("JAN NIKT", "JAN\0NIKT").encode()).lines[0].party
    line = ":61:2611201120C1,00NTRFNONREF\n"
    many = f":20:X\n:25:Y\n:60F:C261101EUR1000,00\n{line * 20_001}:62F:C261121EUR1079,50\n"
    with pytest.raises(OfficerProblem, match="more than 20000 transactions"):
        read_camt_or_mt940(many.encode(), today=TODAY)


@pytest.mark.parametrize("data", [b"", b"hello", b":20:X\n:25:Y\n:61:garbage\n", b":20:X\n:61:2613451120C1,00NTRF\n"])
def test_no_mt940(data):
    with pytest.raises(OfficerProblem):
        read_mt940_statement(data)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_polish_and_german_details(line_end):
    data = MT940.format(ours=OURS, theirs=THEIRS).replace("\n", line_end).encode()
    polish, german, plain = read_mt940_statement(data).lines
    assert (polish.amount, polish.text, polish.party) == (12_000, "RF12000001 skladka Nikt 2026", "JAN NIKT ZAGORZE")
    assert (polish.party_account, polish.own_account, polish.bank_reference) == (THEIRS, OURS, "2026112000001")
    assert polish.booked_on == date(2026, 11, 20)
    assert (german.amount, german.text, german.party) == (-4_550, "Miete November", "STADT BEISPIEL")
    assert (plain.amount, plain.text) == (500, "plain text of a bank that numbers nothing"), "a debit taken back"


def test_two_statements_in_one_file():
    data = MT940.format(ours=OURS, theirs=THEIRS)
    other = data.replace(OURS, "DE02120300000000202051")
    lines = read_mt940_statement((data + other).encode()).lines
    assert [line.own_account for line in lines] == [OURS] * 3 + ["DE02120300000000202051"] * 3


# -- Tables ----------------------------------------------------------------------------------------------------------

TABLE = """Buchungstag;Wertstellung;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;Verwendungszweck;Betrag
20.11.2026;20.11.2026;Łoś, Ewa;PL61109010140000071219812874;Beitrag;1.120,00
21.11.2026;21.11.2026;Stadt;;Miete;-45,50
kaputt;;;;;1
21.11.2026;21.11.2026;Stadt;;;0,00
"""


@pytest.mark.parametrize("text", ["", "abc", "1,2,3", "--5", "EUR"])
def test_no_signed_amount(text):
    with pytest.raises(ValueError):
        parse_signed_amount(text)


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("-45,50", -4550),
        ("45,50-", -4550),
        ("+1 120,00", 112_000),
        ("120.00 EUR", 12_000),
        ("−5 zł", -500),
        ("(3)", -300),
    ],
)
def test_a_signed_amount(text, cents):
    assert parse_signed_amount(text) == cents


@pytest.mark.django_db
def test_a_banks_table_is_read_by_its_headings_and_remembered(club):
    table = read_bank_table(TABLE.encode())
    columns = detect_columns(club, table)
    assert columns == {"day": 0, "party": 2, "party_account": 3, "text": 4, "amount": 5}
    statement = parse_statement_table(table, columns)
    assert [(line.amount, line.party) for line in statement.lines] == [(112_000, "Łoś, Ewa"), (-4_550, "Stadt")]
    assert [problem.line for problem in statement.problems] == [4]
    save_column_layout(club, table, {"day": 1, "amount": 5})
    assert detect_columns(club, read_bank_table(TABLE.encode())) == {"day": 1, "amount": 5}


def test_two_columns_of_amounts():
    table = read_bank_table(b"Date;Credit;Debit\n2026-11-20;5.00;\n2026-11-20;;7.00\n")
    lines = parse_statement_table(table, {"day": 0, "credit": 1, "debit": 2}).lines
    assert [line.amount for line in lines] == [500, -700]


def test_what_is_no_message_is_left_to_the_tables():
    assert read_camt_or_mt940(TABLE.encode(), today=TODAY) is None
    assert len(read_camt_or_mt940(camt(entry()), today=TODAY).lines) == 1
    told = reject_invalid_lines(read_camt_or_mt940(camt(entry()), today=date(2027, 1, 1)), today=date(2026, 1, 1))
    assert (told.lines, len(told.problems)) == ((), 1)
