"""Bank lines are stored and booked once, whoever imports them and however often."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from django.db import IntegrityError, transaction

from clubs.finance.accounting.entries import open_money_account
from clubs.finance.bank.camt_files import read_camt_statement
from clubs.finance.bank.line_booking import book_bank_line, book_certain_lines, ignore_bank_line, restore_ignored_line
from clubs.finance.bank.matching import MatchReason, bank_lines_to_review, propose_line_bookings
from clubs.finance.bank.reconciliation import reconcile_balances
from clubs.finance.bank.statement_reader import read_pasted_statement
from clubs.finance.bank.statements import ParsedStatementLine, SavedLineCounts, save_new_lines
from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.ledger import record_payment, reverse_ledger_entry
from clubs.models import BankStatementLine, BookAccount, Club, LedgerEntry, Member
from common.problems import OfficerProblem
from tests.clubs.finance.bank.test_formats import OURS, camt
from tests.clubs.finance.dues.test_ledger import at_once
from tests.clubs.member_scenario import owing
from tests.factories import make_club, make_member

TODAY = date(2026, 11, 21)
FRIDAY = date(2026, 11, 20)


@pytest.fixture
def jan(club) -> Member:
    return make_member(club, "Nikt, Jan", birth_year=1980)


def line(**facts: object) -> ParsedStatementLine:
    given = {"booked_on": FRIDAY, "amount": 5500, "text": "Składka 2026/27", "party": "Jan Nikt"}
    return ParsedStatementLine(**(given | facts))


def proposals(club: Club) -> list:
    return propose_line_bookings(club, list(bank_lines_to_review(club)), today=TODAY)


# -- One line is one line --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "again",
    [
        {"text": "SKŁADKA\n 2026 / 27"},
        {"text": "składka  2026/27 "},
        {"party": "JAN  NIKT"},
        {"bank_reference": "NONREF"},
    ],
)
def test_a_line_written_another_way_is_the_same(club, again):
    assert save_new_lines(club, [line()], by=None) == SavedLineCounts(new_count=1, known_count=0)
    assert save_new_lines(club, [line(**again)], by=None) == SavedLineCounts(new_count=0, known_count=1)
    assert BankStatementLine.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [
        {"booked_on": TODAY},
        {"amount": 5501},
        {"amount": -5500},
        {"text": "Składka 2025/26"},
        {"party": "Ola Nikt"},
        {"own_account": "PL61109010140000071219812874"},
        {"bank_reference": "2026-11-20-7"},
    ],
)
def test_another_line_is_another(club, other):
    save_new_lines(club, [line()], by=None)
    assert save_new_lines(club, [line(**other)], by=None).new_count == 1


def test_by_the_banks_reference_the_text_does_not_matter(club):
    with_reference = line(bank_reference="N-77")
    save_new_lines(club, [with_reference], by=None)
    assert save_new_lines(club, [replace(with_reference, text="", party="")], by=None).known_count == 1
    assert save_new_lines(club, [replace(with_reference, bank_reference="N-78")], by=None).new_count == 1


def test_a_second_payment_alike_is_a_second_payment(club):
    """Two brothers pay the same amount on one day: two lines in one statement, and in the next that has both."""
    assert save_new_lines(club, [line(), line()], by=None).new_count == 2
    assert save_new_lines(club, [line(), line()], by=None) == SavedLineCounts(new_count=0, known_count=2)
    assert save_new_lines(club, [line(), line(), line()], by=None) == SavedLineCounts(new_count=1, known_count=2)


def test_the_database_takes_a_line_once(club):
    save_new_lines(club, [line()], by=None)
    kept = BankStatementLine.objects.get()
    kept.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        kept.save(force_insert=True)
    assert save_new_lines(make_club("other"), [line()], by=None).new_count == 1


@pytest.mark.django_db(transaction=True)
def test_a_statement_from_six_tabs_at_once_is_booked_once():
    club = make_club()
    jan = make_member(club, "Nikt, Jan")
    owing(jan, 5500)
    text = f"2026-11-20;55;{jan.accounts.get().payment_reference}\n2026-11-20;12;{jan.accounts.get().payment_reference}"

    def tab() -> None:
        save_new_lines(club, read_pasted_statement(text, today=TODAY).lines, by=None)
        book_certain_lines(proposals(club), by=None)

    at_once([tab] * 6)
    amounts = LedgerEntry.objects.filter(kind="payment").order_by("receipt_number").values_list("amount", flat=True)
    assert sorted(amounts) == [1200, 5500]
    assert list(LedgerEntry.objects.filter(kind="payment").order_by("pk").values_list("receipt_number", flat=True)) == [
        1,
        2,
    ]


def test_a_line_is_settled_once(club, jan):
    save_new_lines(club, [line()], by=None)
    kept = BankStatementLine.objects.get()
    book_bank_line(kept, jan, by=None)
    with pytest.raises(OfficerProblem, match="already"):
        book_bank_line(kept, jan, by=None)
    with pytest.raises(OfficerProblem, match="already"):
        ignore_bank_line(kept, reason="no")
    assert LedgerEntry.objects.count() == 1


def test_a_line_whose_booking_was_taken_back_waits_again(club, jan):
    save_new_lines(club, [line()], by=None)
    settled = book_bank_line(BankStatementLine.objects.get(), jan, by=None)
    reverse_ledger_entry(settled.entry, reason="wrong member", by=None)
    (again,) = bank_lines_to_review(club)
    book_bank_line(again, make_member(club, "Ktoś, Ola"), by=None)
    assert not bank_lines_to_review(club)
    assert balance_of_member(jan, today=TODAY).paid == 0


def test_a_line_left_aside_does_not_wait_and_can_be_taken_up(club):
    save_new_lines(club, [line()], by=None)
    kept = BankStatementLine.objects.get()
    with pytest.raises(OfficerProblem, match="reason"):
        ignore_bank_line(kept, reason=" ")
    ignore_bank_line(kept, reason="not ours")
    assert not bank_lines_to_review(club)
    restore_ignored_line(kept)
    assert bank_lines_to_review(club).get() == kept


# -- Pasted ----------------------------------------------------------------------------------------------------------


def test_pasted_lines_with_faults_are_told_and_the_others_kept(club, jan):
    owing(jan, 12_000)
    reference = jan.accounts.get().payment_reference
    lines = [
        f"20.11.2026; 120,00; {reference} składka",
        "2026-11-20;50;darowizna bez referencji",
        f"2026-13-40;50;{reference}",
        f"2026-11-20;pięć;{reference}",
        f"2126-11-20;5;{reference}",
        f"2026-11-20;0;{reference}",
        "only text",
    ]
    statement = read_pasted_statement("\n".join(lines), today=TODAY)
    assert len(statement.lines) == 2
    assert len(statement.problems) == 5
    save_new_lines(club, statement.lines, by=None)
    assert book_certain_lines(proposals(club), by=None).booked_count == 1
    assert balance_of_member(jan, today=TODAY).amount_owed == 0
    assert bank_lines_to_review(club).get().text == "darowizna bez referencji"


# -- Whose is it? ----------------------------------------------------------------------------------------------------


def best(club: Club) -> tuple:
    (each,) = proposals(club)
    return (
        (
            each.best_proposal.member or each.best_proposal.account,
            set(each.best_proposal.reasons),
            each.best_proposal.is_certain,
        )
        if each.best_proposal
        else ()
    )


def test_of_nobody_known_nothing_is_proposed(club, jan):
    save_new_lines(club, [line(party="Firma ABC", text="faktura")], by=None)
    assert best(club) == ()


def test_a_reference_of_another_club_matches_nobody(club, jan):
    owing(jan, 1000)
    other = make_club("other")
    save_new_lines(other, [line(party="", text=jan.accounts.get().payment_reference)], by=None)
    assert best(other) == ()


def test_two_references_are_nobodys(club, jan):
    ola = make_member(club, "Ktoś, Ola")
    owing(jan, 1000), owing(ola, 1000)
    text = f"{jan.accounts.get().payment_reference} {ola.accounts.get().payment_reference}"
    save_new_lines(club, [line(party="", text=text)], by=None)
    assert best(club) == ()


def test_a_reference_is_certain_and_a_name_is_likely(club, jan):
    owing(jan, 5500)
    save_new_lines(club, [line(text=f"x {jan.accounts.get().payment_reference}", party="Babcia")], by=None)
    assert best(club) == (jan, {MatchReason.REFERENCE, MatchReason.AMOUNT}, True)
    BankStatementLine.objects.all().delete()
    save_new_lines(club, [line(party="NIKT JAN")], by=None)
    assert best(club) == (jan, {MatchReason.NAME, MatchReason.AMOUNT}, False)


@pytest.mark.parametrize("words", ["membership no {}", "Mitgliedsnr. {}", "nr członkowski {}", "členské číslo {}"])
def test_a_membership_number_with_the_family_name_is_a_hint_and_never_certain(club, jan, words):
    owing(jan, 5500)
    make_member(club, "Ktoś, Ola")
    save_new_lines(club, [line(party="X NIKT", text=words.format(jan.pk))], by=None)
    assert best(club) == (jan, {MatchReason.MEMBER_NUMBER, MatchReason.AMOUNT}, False)
    (found,) = proposals(club)
    assert found.best_proposal.is_likely


def test_a_membership_number_of_another_name_is_nothing_and_tells_two_of_one_name_apart(club, jan):
    ola = make_member(club, "Ktoś, Ola")
    owing(jan, 5500), owing(ola, 5500)
    save_new_lines(club, [line(party="X NIKT", text=f"membership no {ola.pk}")], by=None)
    assert best(club) == ()
    BankStatementLine.objects.all().delete()
    make_member(club, "Nikt, Jan", birth_year=2012)
    save_new_lines(club, [line(party="JAN NIKT", text=f"membership no {jan.pk}")], by=None)
    assert best(club)[0] == jan
    assert not best(club)[2]


def test_a_name_that_two_have_is_not_even_likely(club, jan):
    make_member(club, "Nikt, Jan", birth_year=2012)
    save_new_lines(club, [line()], by=None)
    (each,) = proposals(club)
    assert len(each.proposals) == 2
    assert not each.best_proposal.is_likely


def test_what_was_accepted_teaches_the_next_time(club, jan):
    save_new_lines(club, [line(party="Babcia Nikt", party_account="PL27114020040000300201355387")], by=None)
    assert best(club) == ()
    book_bank_line(BankStatementLine.objects.get(), jan, by=None)
    owing(jan, 9900)
    save_new_lines(
        club,
        [line(booked_on=TODAY, amount=4400, text="grudzień", party_account="PL27 1140 2004 0000 3002 0135 5387")],
        by=None,
    )
    assert best(club)[:2] == (jan, {MatchReason.KNOWN_ACCOUNT, MatchReason.NAME, MatchReason.AMOUNT})


def test_a_grandmother_who_pays_for_two_is_asked_about(club, jan):
    ola = make_member(club, "Ktoś, Ola")
    for member, text in ((jan, "a"), (ola, "b")):
        save_new_lines(club, [line(text=text, party="Babcia", party_account="X1")], by=None)
        book_bank_line(bank_lines_to_review(club).get(), member, by=None)
    save_new_lines(club, [line(text="c", party="Babcia", party_account="X1")], by=None)
    (each,) = proposals(club)
    assert {proposal.member for proposal in each.proposals} == {jan, ola}
    assert not any(proposal.is_certain for proposal in each.proposals)


def test_a_manually_booked_transfer_gives_a_warning(club, jan):
    owing(jan, 5500)
    record_payment(jan, 5500, method="transfer", paid_on=FRIDAY, by=None)
    save_new_lines(club, [line(text=jan.accounts.get().payment_reference)], by=None)
    assert MatchReason.BOOKED_MANUALLY in best(club)[1]
    assert book_certain_lines(proposals(club), by=None).booked_count == 0


def other_format(of: ParsedStatementLine, **facts: object) -> ParsedStatementLine:
    """The same transaction in another of the bank's files."""
    return replace(of, text=f"PRZELEW {of.text}", bank_reference="2026-11-20/7", **facts)


@pytest.mark.parametrize("first_is_booked", [True, False])
def test_a_movement_from_two_formats_is_booked_once(club, jan, first_is_booked):
    owing(jan, 5500)
    first = line(text=jan.accounts.get().payment_reference, party_account="X1", bank_reference="R1")
    save_new_lines(club, [first], by=None)
    if first_is_booked:
        assert book_certain_lines(proposals(club), by=None).booked_count == 1
    save_new_lines(club, [other_format(first)], by=None)
    assert book_certain_lines(proposals(club), by=None).booked_count == (0 if first_is_booked else 1)
    assert book_certain_lines(proposals(club), by=None).booked_count == 0
    assert MatchReason.BOOKED_BEFORE in best(club)[1]
    assert balance_of_member(jan, today=TODAY).amount_owed == 0


def test_two_equal_payments_of_one_statement_are_both_certain(club, jan):
    owing(jan, 11_000)
    save_new_lines(club, [line(text=jan.accounts.get().payment_reference)] * 2, by=None)
    assert book_certain_lines(proposals(club), by=None).booked_count == 2


def test_a_rent_from_two_formats_is_in_doubt_and_another_payee_is_not(club):
    giro = open_money_account(club, kind="bank", name="Giro", iban="", balance=0, on=FRIDAY, by=None)
    rent = BookAccount.objects.create(club=club, kind="expense", name="Rent")
    first = line(amount=-9000, party="Landlord", party_account="L1", text="rent")
    save_new_lines(club, [first], by=None)
    book_bank_line(BankStatementLine.objects.get(), rent, by=None)
    save_new_lines(club, [other_format(first)], by=None)
    assert best(club) == (rent, {MatchReason.KNOWN_ACCOUNT, MatchReason.BOOKED_BEFORE}, False)
    assert giro.entries_from.count() == 1
    BankStatementLine.objects.filter(booking=None).delete()
    save_new_lines(club, [other_format(first, party="Garage")], by=None)
    assert MatchReason.BOOKED_BEFORE not in best(club)[1]


def test_names_alone_are_never_certain(club, jan):
    owing(jan, 5500)
    save_new_lines(club, [line(booked_on=date(2026, 10, 1), text="a")], by=None)
    book_bank_line(BankStatementLine.objects.get(), jan, by=None)
    owing(jan, 5500)
    save_new_lines(club, [line(text="b")], by=None)
    assert best(club) == (jan, {MatchReason.KNOWN_NAME, MatchReason.NAME, MatchReason.AMOUNT}, False)


# -- What comes back -------------------------------------------------------------------------------------------------


def test_nothing_comes_back_of_what_was_not_paid(club, jan):
    owing(jan, 5500)
    save_new_lines(club, [line(amount=-5500, text=jan.accounts.get().payment_reference)], by=None)
    assert best(club) == (jan, {MatchReason.REFERENCE, MatchReason.NAME, MatchReason.NOTHING_PAID}, False)
    with pytest.raises(OfficerProblem, match="was overpaid"):
        book_bank_line(BankStatementLine.objects.get(), jan, by=None)


def test_a_payment_that_came_back_is_taken_back_on_the_banks_day(club, jan):
    owing(jan, 5500)
    reference = jan.accounts.get().payment_reference
    save_new_lines(club, [line(booked_on=date(2026, 11, 16), text=reference)], by=None)
    book_certain_lines(proposals(club), by=None)
    payment = LedgerEntry.objects.get(kind="payment")
    save_new_lines(club, [line(amount=-5500, text=f"return {reference}")], by=None)
    (each,) = proposals(club)
    assert (each.best_proposal.returned_payment, each.best_proposal.is_certain) == (payment, True)
    assert book_certain_lines([each], by=None).booked_count == 1
    payment.refresh_from_db()
    assert (payment.corrected_by.booked_on, payment.corrected_by.amount) == (FRIDAY, -5500)
    assert balance_of_member(jan, today=TODAY).amount_owed == 5500
    assert not bank_lines_to_review(club).exists(), "neither of them waits again"


# -- What the bank says is there -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "mark", "difference"), [("155.00", "CRDT", 0), ("145.00", "CRDT", -1000), ("1.00", "DBIT", -15_600)]
)
def test_the_banks_balance_is_held_against_the_books(club, amount, mark, difference):
    """100.00 in the morning and 55.00 under review: 155.00."""
    open_money_account(club, kind="bank", name="Giro", iban=OURS, balance=10_000, on=FRIDAY, by=None)
    save_new_lines(club, [line(own_account=OURS), line(own_account="other", text="x")], by=None)
    balance = (
        f'<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">{amount}</Amt>'
        f"<CdtDbtInd>{mark}</CdtDbtInd><Dt><Dt>{TODAY}</Dt></Dt></Bal>"
    )
    (found,) = reconcile_balances(club, read_camt_statement(camt(balance)).balances)
    assert found.difference == difference
