"""A transfer is booked once, whatever statements contain it, and a payment returned by the bank is reversed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from clubs.finance.accounting.entries import open_money_account
from clubs.finance.bank.line_booking import book_bank_line, book_certain_lines
from clubs.finance.bank.matching import MatchReason, bank_lines_to_review, propose_line_bookings
from clubs.finance.bank.statements import ParsedStatementLine, save_new_lines
from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.ledger import record_payment, reverse_ledger_entry
from clubs.models import BankStatementLine, BookAccount, BookEntry, Club, LedgerEntry, Member
from common.problems import OfficerProblem
from tests.clubs.member_scenario import make_book, owing, page
from tests.factories import make_member
from tests.module_fixtures import make_module_fixtures

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 21)
FRIDAY = date(2026, 11, 20)
OURS, THEIRS = "PL61109010140000071219812874", "PL27114020040000300201355387"

made_once, cast = make_module_fixtures(make_book)


@pytest.fixture
def jan(club) -> Member:
    return make_member(club, "Nikt, Jan", birth_year=1980)


def transfer(member: Member, **facts: object) -> ParsedStatementLine:
    """The same transfer of 55.00 in CAMT.053, with the given changes."""
    given = {
        "booked_on": FRIDAY,
        "amount": 5500,
        "text": f"{member.accounts.get().payment_reference} Składka 2026/27",
        "party": "Jan Nikt",
        "party_account": THEIRS,
        "own_account": OURS,
        "bank_reference": "C-1",
    }
    return ParsedStatementLine(**(given | facts))


def bring_in(club: Club, *lines: ParsedStatementLine) -> None:
    save_new_lines(club, lines, by=None)


def proposals(club: Club) -> list:
    return propose_line_bookings(club, list(bank_lines_to_review(club)), today=TODAY)


OTHER_KINDS = [
    {"bank_reference": ""},
    {"bank_reference": "9911", "own_account": "109010140000071219812874", "party_account": ""},
    {"bank_reference": "", "own_account": "", "party_account": "", "party": ""},
    {"bank_reference": "", "booked_on": TODAY},
]


@pytest.mark.parametrize("other", OTHER_KINDS)
def test_the_same_transfer_from_another_kind_of_statement_is_never_certain(club, jan, other):
    owing(jan, 5500)
    bring_in(club, transfer(jan))
    assert book_certain_lines(proposals(club), by=None).booked_count == 1
    bring_in(club, transfer(jan, **other))
    (again,) = proposals(club)
    assert MatchReason.BOOKED_BEFORE in again.best_proposal.reasons
    assert not again.best_proposal.is_likely
    assert book_certain_lines([again], by=None).booked_count == 0
    assert balance_of_member(jan, today=TODAY).paid == 5500


def test_of_two_statements_that_wait_one_is_booked(club, jan):
    owing(jan, 5500)
    bring_in(club, transfer(jan))
    bring_in(club, transfer(jan, bank_reference=""))
    assert book_certain_lines(proposals(club), by=None).booked_count == 1
    assert book_certain_lines(proposals(club), by=None).booked_count == 0
    assert LedgerEntry.objects.filter(kind="payment").count() == 1


@pytest.mark.parametrize(
    "other",
    [
        {"bank_reference": "C-2", "booked_on": date(2026, 11, 10)},
        {"bank_reference": "C-2", "amount": 5400},
    ],
)
def test_another_transfer_of_the_same_member_stays_certain(club, jan, other):
    owing(jan, 30_000)
    bring_in(club, transfer(jan))
    book_certain_lines(proposals(club), by=None)
    bring_in(club, transfer(jan, **other))
    assert book_certain_lines(proposals(club), by=None).booked_count == 1


def test_two_equal_transfers_in_one_file_are_two_payments(club, jan):
    owing(jan, 11_000)
    bring_in(club, transfer(jan), transfer(jan, bank_reference="C-2"))
    assert book_certain_lines(proposals(club), by=None).booked_count == 2
    # Another format has both without the bank's references, and later a third one.
    other = transfer(jan, bank_reference="")
    bring_in(club, other, other, other)
    doubted = [MatchReason.BOOKED_BEFORE in each.best_proposal.reasons for each in proposals(club)]
    assert doubted == [True, True, False]


def test_a_line_that_names_nobody_is_known_in_another_file(cast):
    club = cast.club
    fee = ParsedStatementLine(
        booked_on=FRIDAY, amount=-350, text="Opłata za konto", own_account=OURS, bank_reference="C-9"
    )
    other_days = replace(fee, booked_on=date(2026, 11, 18), bank_reference="C-8")
    open_money_account(club, kind="bank", name="Bank", iban=OURS, balance=0, on=date(2026, 1, 1), by=None)
    fees = BookAccount.objects.create(club=club, kind="expense", name="Opłaty")
    bring_in(club, fee)
    (first,) = proposals(club)
    assert first.duplicate_of is None
    book_bank_line(first.line, fees, by=None)
    bring_in(club, replace(fee, text="OPLATA ZA KONTO LISTOPAD", bank_reference=""), other_days)
    again = {each.line.booked_on: each.duplicate_of for each in proposals(club)}
    assert again == {FRIDAY: first.line, date(2026, 11, 18): None}
    assert (
        "Possible duplicate of a transaction from another file."
        in cast.browser("treasurer").get(page("bank_lines_review")).text
    )


def test_a_reference_tells_two_transfers_of_one_payer_apart(club, jan):
    ola = make_member(club, "Nikt, Ola")
    owing(jan, 5500), owing(ola, 5500)
    bring_in(club, transfer(jan))
    bring_in(club, transfer(ola, bank_reference="C-2"))
    assert book_certain_lines(proposals(club), by=None).booked_count == 2


def test_a_father_pays_for_two_on_one_day(club, jan):
    ola = make_member(club, "Nikt, Ola")
    owing(jan, 5500), owing(ola, 5500)
    bring_in(club, transfer(jan), transfer(ola, bank_reference="C-2"))
    assert book_certain_lines(proposals(club), by=None).booked_count == 2


def test_a_rent_of_two_statements_is_never_certain(club):
    open_money_account(club, kind="bank", name="Bank", iban=OURS, balance=0, on=date(2026, 1, 1), by=None)
    rent = BookAccount.objects.create(club=club, kind="expense", name="Czynsz")
    line = ParsedStatementLine(booked_on=FRIDAY, amount=-9_000, text="Czynsz", party="Dom", own_account=OURS)
    bring_in(club, line)
    book_bank_line(bank_lines_to_review(club).get(), rent, by=None)
    bring_in(
        club, ParsedStatementLine(booked_on=FRIDAY, amount=-9_000, text="Czynsz 11", party="Dom", bank_reference="7")
    )
    (again,) = proposals(club)
    assert (again.best_proposal.account, MatchReason.BOOKED_BEFORE in again.best_proposal.reasons) == (rent, True)
    assert not again.best_proposal.is_likely


def test_what_was_taken_back_does_not_come_back_as_certain(club, jan):
    owing(jan, 5500)
    bring_in(club, transfer(jan))
    assert book_certain_lines(proposals(club), by=None).booked_count == 1
    reverse_ledger_entry(LedgerEntry.objects.get(kind="payment"), reason="podwójnie", by=None)
    (again,) = proposals(club)
    assert MatchReason.REVERSED in again.best_proposal.reasons
    assert book_certain_lines([again], by=None).booked_count == 0
    book_bank_line(again.line, jan, by=None)
    reverse_ledger_entry(
        LedgerEntry.objects.get(kind="payment", corrects=None, corrected_by=None), reason="x", by=None, aside=True
    )
    assert not bank_lines_to_review(club)
    assert BankStatementLine.objects.get().ignored_because == "x"


def test_a_name_alone_is_never_certain(club, jan):
    owing(jan, 5500)
    bring_in(club, transfer(jan, text="Składka", party_account=""))
    book_bank_line(bank_lines_to_review(club).get(), jan, by=None)
    nameless = {"text": "grudzień Jan Nikt", "party_account": "", "bank_reference": "", "booked_on": date(2026, 12, 20)}
    for amount in (1000, 7000):
        owing(jan, 7000)
        bring_in(club, transfer(jan, amount=amount, **nameless))
    for each in proposals(club):
        assert {MatchReason.KNOWN_NAME, MatchReason.NAME} <= set(each.best_proposal.reasons)
        assert (each.best_proposal.is_certain, each.best_proposal.is_likely) == (False, True)


# -- Sent back by the bank -------------------------------------------------------------------------------------------


def test_a_transfer_sent_back_takes_its_payment_back_on_the_banks_day(club, jan):
    open_money_account(club, kind="bank", name="Bank", iban=OURS, balance=0, on=date(2026, 1, 1), by=None)
    owing(jan, 5500)
    bring_in(club, transfer(jan, booked_on=date(2026, 11, 18)))
    bring_in(
        club, transfer(jan, amount=-5500, bank_reference="C-2", text=f"Zwrot {jan.accounts.get().payment_reference}")
    )
    first, _back = proposals(club)
    book_certain_lines([first], by=None)
    (back,) = proposals(club)
    assert (back.best_proposal.returned_payment, back.best_proposal.is_certain) == (
        LedgerEntry.objects.get(kind="payment"),
        True,
    )
    assert book_certain_lines([back], by=None) == (1, [])
    counter = LedgerEntry.objects.get(kind="payment", amount=-5500)
    assert (counter.booked_on, counter.corrects) == (FRIDAY, back.best_proposal.returned_payment)
    assert counter.book_entry.on == FRIDAY
    assert balance_of_member(jan, today=TODAY).amount_owed == 5500
    assert not bank_lines_to_review(club)
    with pytest.raises(OfficerProblem):
        book_bank_line(back.line, jan, by=None)


@pytest.mark.parametrize("is_entered_by_hand", [False, True])
def test_money_sent_back_is_still_known_when_it_comes_from_another_kind_of_statement(club, jan, is_entered_by_hand):
    """The bank moved 55.00 in and 55.00 out. The same two lines from another file add nothing."""
    owing(jan, 5500)
    came, went = transfer(jan, booked_on=date(2026, 11, 18)), transfer(jan, amount=-5500, bank_reference="C-2")
    if is_entered_by_hand:
        record_payment(jan, 5500, method=LedgerEntry.Method.TRANSFER, paid_on=came.booked_on, by=None)
        bring_in(club, went)
    else:
        bring_in(club, came, went)
        book_certain_lines(proposals(club)[:1], by=None)
    assert book_certain_lines(proposals(club), by=None).booked_count == 1
    assert balance_of_member(jan, today=TODAY).paid == 0
    bring_in(club, *(replace(line, bank_reference="") for line in (came, went)))
    again = proposals(club)
    assert len(again) == 2
    known = MatchReason.BOOKED_MANUALLY if is_entered_by_hand else MatchReason.BOOKED_BEFORE
    assert known in again[0].best_proposal.reasons
    assert MatchReason.BOOKED_BEFORE in again[1].best_proposal.reasons
    assert not any(each.best_proposal.is_likely for each in again)
    assert book_certain_lines(again, by=None).booked_count == 0
    assert balance_of_member(jan, today=TODAY).paid == 0


def test_an_entry_by_hand_that_was_a_mistake_is_no_money(club, jan):
    owing(jan, 5500)
    mistake = record_payment(jan, 5500, method=LedgerEntry.Method.TRANSFER, paid_on=FRIDAY, by=None)
    reverse_ledger_entry(mistake, reason="Ola", by=None)
    bring_in(club, transfer(jan))
    assert book_certain_lines(proposals(club), by=None).booked_count == 1


def test_what_was_booked_by_mistake_is_known_in_another_kind_of_statement(club, jan):
    owing(jan, 5500)
    bring_in(club, transfer(jan))
    book_certain_lines(proposals(club), by=None)
    reverse_ledger_entry(LedgerEntry.objects.get(kind="payment"), reason="x", by=None, aside=True)
    bring_in(club, transfer(jan, bank_reference=""))
    assert book_certain_lines(proposals(club), by=None).booked_count == 0


def test_what_cannot_be_given_back_is_not_called_certain(club, jan):
    owing(jan, 10_010)
    bring_in(club, transfer(jan, amount=-500))
    (each,) = proposals(club)
    assert MatchReason.NOTHING_PAID in each.best_proposal.reasons
    assert book_certain_lines([each], by=None).booked_count == 0


def test_the_certain_that_are_booked_are_those_that_were_promised(cast):
    treasurer, club = cast.browser("treasurer"), cast.club
    jan, ola = cast.members[5], cast.members[4]
    owing(jan, 5500), owing(ola, 5500)
    bring_in(club, transfer(jan, booked_on=date(2026, 11, 18)), transfer(ola, bank_reference="C-3", party="Ola"))
    book_bank_line(bank_lines_to_review(club).first(), jan, by=None)
    bring_in(club, transfer(jan, amount=-5500, bank_reference="C-2"), transfer(ola, amount=-500, bank_reference="C-4"))
    shown = treasurer.get(page("bank_lines_review"))
    assert shown.context["certain_count"] == 2
    assert "returned payment, reverses receipt" in shown.text
    answer = treasurer.post(page("bank_lines_book_certain"), follow=True)
    assert "2 transactions recorded." in answer.text
    assert bank_lines_to_review(club).get().amount == -500
    assert not BookEntry.objects.exists()
