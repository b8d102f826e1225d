"""A bank line split into several, and the page for booking lines one by one."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs.finance.accounting.entries import open_money_account
from clubs.finance.bank.line_booking import book_bank_line
from clubs.finance.bank.line_splitting import split_bank_line, unsplit_bank_line
from clubs.finance.bank.matching import MatchReason, bank_lines_to_review, propose_line_bookings
from clubs.finance.bank.reconciliation import bank_account_statuses
from clubs.finance.bank.statements import ClosingBalance, ParsedStatementLine, save_closing_balance, save_new_lines
from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.ledger import charge_member, record_payment, reverse_ledger_entry
from clubs.models import BankBalance, BankStatementLine, BookAccount, BookEntry, Club, LedgerEntry
from clubs.privacy import erase_member_data
from common.problems import OfficerProblem
from tests.clubs.finance.bank.test_formats import OURS
from tests.clubs.member_scenario import make_book, owing, page
from tests.factories import make_member
from tests.scenario import Cast

FRIDAY = date(2026, 11, 20)
TODAY = date(2026, 11, 21)


def a_line(club: Club, amount: int = 15_000, **facts: object) -> BankStatementLine:
    given = {"booked_on": FRIDAY, "amount": amount, "text": "za dwoje", "party": "Nikt Anna"}
    save_new_lines(club, [ParsedStatementLine(**(given | facts))], by=None)
    return BankStatementLine.objects.get(club=club, text=given["text"] if "text" not in facts else facts["text"])


@pytest.fixture
def giro(club) -> BookAccount:
    return open_money_account(club, kind="bank", name="Giro", iban=OURS, balance=0, on=date(2026, 1, 1), by=None)


@pytest.mark.parametrize("parts", [[15_000], [10_000, 4_999], [10_000, 5_001], [15_000, 0], [16_000, -1_000]])
def test_what_is_not_the_whole_parts_nothing(club, giro, parts):
    with pytest.raises(OfficerProblem):
        split_bank_line(a_line(club), [(amount, None) for amount in parts], by=None)
    assert BankStatementLine.objects.count() == 1


def test_a_part_that_cannot_be_booked_leaves_the_line_whole(club, giro):
    """She has paid nothing that could be refunded."""
    anna = make_member(club, "Nikt, Anna")
    with pytest.raises(OfficerProblem):
        split_bank_line(a_line(club, -15_000), [(10_000, None), (5_000, anna)], by=None)
    assert BankStatementLine.objects.count() == 1


def test_a_transfer_for_two_members_and_a_category(club, giro):
    anna, jan = make_member(club, "Nikt, Anna"), make_member(club, "Nikt, Jan")
    owing(anna, 8_000)
    owing(jan, 5_000)
    gifts = BookAccount.objects.create(club=club, kind="income", name="Darowizny")
    line = a_line(club)
    split_bank_line(line, [(8_000, anna), (5_000, jan), (2_000, gifts)], by=None)
    assert [balance_of_member(member, today=TODAY).amount_owed for member in (anna, jan)] == [0, 0]
    assert BookEntry.objects.get(source=gifts).amount == 2_000
    assert not bank_lines_to_review(club).exists()
    for again in (
        lambda: split_bank_line(line, [(1, None), (14_999, None)], by=None),
        lambda: book_bank_line(line, anna, by=None),
    ):
        with pytest.raises(OfficerProblem):
            again()
    with pytest.raises(OfficerProblem):
        unsplit_bank_line(line)
    assert (
        save_new_lines(
            club, [ParsedStatementLine(booked_on=FRIDAY, amount=15_000, text="za dwoje", party="Nikt Anna")], by=None
        ).new_count
        == 0
    )


def test_a_part_taken_back_waits_alone_and_is_never_certain(club, giro):
    anna, jan = make_member(club, "Nikt, Anna"), make_member(club, "Nikt, Jan")
    line = a_line(club)
    split_bank_line(line, [(10_000, anna), (5_000, jan)], by=None)
    reverse_ledger_entry(LedgerEntry.objects.get(account__member=jan), reason="pomyłka", by=None)
    (waits,) = propose_line_bookings(club, list(bank_lines_to_review(club)), today=TODAY)
    assert (waits.line.amount, waits.line.part_of) == (5_000, line)
    assert not any(each.is_certain for each in waits.proposals)
    with pytest.raises(OfficerProblem):
        unsplit_bank_line(line)


def test_parts_that_wait_are_put_together_again(club, giro):
    line = a_line(club)
    split_bank_line(line, [(10_000, None), (5_000, None)], by=None)
    assert sorted(bank_lines_to_review(club).values_list("amount", flat=True)) == [5_000, 10_000]
    unsplit_bank_line(line)
    assert list(bank_lines_to_review(club)) == [line]


def test_the_whole_from_another_file_is_in_doubt(club, giro):
    anna, jan = make_member(club, "Nikt, Anna"), make_member(club, "Nikt, Jan")
    split_bank_line(a_line(club), [(10_000, anna), (5_000, jan)], by=None)
    a_line(club, text="za dwoje RF", party="NIKT, ANNA")
    (again,) = propose_line_bookings(club, list(bank_lines_to_review(club)), today=TODAY)
    (best,) = (each for each in again.proposals if each.member == anna)
    assert MatchReason.BOOKED_BEFORE in best.reasons


def test_who_is_erased_is_erased_from_line_and_parts(club, giro):
    anna, jan = make_member(club, "Nikt, Anna"), make_member(club, "Nikt, Jan")
    split_bank_line(a_line(club), [(10_000, anna), (5_000, jan)], by=None)
    erase_member_data(anna)
    assert set(BankStatementLine.objects.values_list("party", "text")) == {("", "")}


def test_the_banks_last_word_stands_beside_the_books_and_the_lines_that_wait(club, giro):
    save_closing_balance(club, ClosingBalance(own_account=f"BOOK{giro.pk}", on=date(2026, 11, 19), amount=1))
    for amount in (15_000, 14_000):
        save_closing_balance(club, ClosingBalance(own_account=f"BOOK{giro.pk}", on=FRIDAY, amount=amount))
    split_bank_line(a_line(club), [(10_000, None), (5_000, None)], by=None)
    a_line(club, 700, text="inne konto", own_account="12345")
    (found,) = bank_account_statuses(club, today=TODAY)
    assert (found.booked_balance, found.amount_to_review, BankBalance.objects.count()) == (0, 15_000, 2)
    assert found.latest_reconciliation is not None
    assert found.latest_reconciliation.difference == -1_000, "the line is counted once, in its parts"


# -- The page --------------------------------------------------------------------------------------------------------


@pytest.fixture
def cast(db) -> Cast:
    made = make_book()
    open_money_account(made.club, kind="bank", name="Giro", iban=OURS, balance=0, on=date(2026, 1, 1), by=None)
    return made


def test_the_page_goes_on_to_the_next_line_without_scripts(cast):
    treasurer, jan = cast.browser("treasurer"), cast.members[5]
    owing(jan, 3_000)
    reference = jan.accounts.get().payment_reference
    first, second, third = (
        a_line(cast.club, 1_000, text=f"{reference} {n}", booked_on=date(2026, 11, 10 + n)) for n in range(3)
    )
    answer = treasurer.post(page("bank_line_book", second.pk), {"target": f"member:{jan.pk}"}, follow=True)
    assert answer.context["focused"] == third.pk
    answer = treasurer.post(page("bank_line_book", third.pk), {"target": f"member:{jan.pk}"}, follow=True)
    assert answer.context["focused"] == first.pk, "behind the last one the first is left"
    assert answer.text.count("autofocus") == 1
    refused = treasurer.post(page("bank_line_book", first.pk), {"target": ""}, follow=True)
    assert refused.context["focused"] == first.pk, "what was not booked keeps the focus"
    assert treasurer.get(page("bank_lines_review"), {"after": "9" * 30}).context["focused"] == first.pk


def test_a_line_is_split_on_its_page_with_rows_added_and_nothing_lost(cast):
    treasurer, jan = cast.browser("treasurer"), cast.members[5]
    line = a_line(cast.club)
    management = {"form-TOTAL_FORMS": "2", "form-INITIAL_FORMS": "0"}
    sent = management | {"form-0-amount": "80,00", "form-0-target": f"member:{jan.pk}", "form-1-amount": "5O"}
    more = treasurer.post(page("bank_line_split", line.pk), sent | {"more": "1"})
    assert more.status_code == 200
    assert [more.text.count(part) for part in ('value="80,00"', 'value="5O"', 'name="form-3-amount"')] == [1, 1, 1]
    assert treasurer.post(page("bank_line_split", line.pk), sent).status_code == 422
    assert treasurer.post(page("bank_line_split", line.pk), sent | {"form-1-amount": "50"}).status_code == 422
    stranger = make_member(Club.objects.exclude(pk=cast.club.pk).get(), "Obcy, Ktoś")
    wrong = sent | {"form-1-amount": "", "form-1-target": f"member:{stranger.pk}"}
    assert treasurer.post(page("bank_line_split", line.pk), wrong).status_code == 422
    assert BankStatementLine.objects.count() == 1
    other = cast.members[4]
    good = sent | {"form-1-amount": "", "form-1-target": f"member:{other.pk}"}
    assert treasurer.post(page("bank_line_split", line.pk), good).status_code == 302
    assert sorted(LedgerEntry.objects.values_list("amount", flat=True)) == [7_000, 8_000]
    assert treasurer.get(page("bank_line_split", line.pk)).status_code == 302


def test_the_first_lines_are_shown_as_they_will_be_read(cast):
    treasurer = cast.browser("treasurer")
    table = "Wann;Wieviel;Wer;Wozu\n1.11.2026;50,00;Nikt;składka\n2.11.2026;-7,00;Sklep;zegar\n"
    asked = treasurer.post(page("bank_statement_import"), {"file": _file(table)})
    assert asked.context["reading"] is None, "nothing is known of these headings"
    said = {"token": asked.context["token"], "day": "0", "amount": "1", "party": "2", "look": "1"}
    shown = treasurer.post(page("bank_statement_import"), said)
    assert [(line.amount, line.party, line.text) for line in shown.context["reading"].lines] == [
        (5_000, "Nikt", ""),
        (-700, "Sklep", ""),
    ]
    assert not BankStatementLine.objects.exists()
    turned = treasurer.post(page("bank_statement_import"), said | {"day": "2"})
    assert turned.status_code == 422
    treasurer.post(page("bank_statement_import"), {**{k: v for k, v in said.items() if k != "look"}, "text": "3"})
    assert sorted(BankStatementLine.objects.values_list("text", flat=True)) == ["składka", "zegar"]


def test_the_treasurer_sees_first_what_waits_and_writes_down_what_the_bank_says(cast):
    a_line(cast.club)
    home = f"/{cast.club.slug}/"
    treasurer = cast.browser("treasurer")
    assert treasurer.get(home).context["glance"].lines_to_book == 1
    assert cast.browser("secretary").get(home).context["glance"].lines_to_book == 0
    account = BookAccount.objects.get(name="Giro")
    sent = {"account": account.pk, "on": timezone.localdate().isoformat(), "amount": "-20,50"}
    treasurer.post(page("bank_balance_add"), sent | {"on": "2999-01-01"})
    assert not BankBalance.objects.exists()
    treasurer.post(page("bank_balance_add"), sent)
    assert (
        treasurer.get(page("bank_lines_review")).context["standings"][0].latest_reconciliation.bank_balance.amount
        == -2_050
    )


def _file(text: str):
    from django.core.files.uploadedfile import SimpleUploadedFile

    return SimpleUploadedFile("konto.csv", text.encode(), "text/csv")


def test_the_focus_is_on_a_guess_only_where_it_is_certain(cast):
    jan = cast.members[5]
    owing(jan, 3_000)
    a_line(cast.club, 700, text="kto wie", party="Ktoś")
    treasurer = cast.browser("treasurer")
    assert re.search(r"<tr [^>]*autofocus", treasurer.get(page("bank_lines_review")).text)
    a_line(cast.club, 3_000, text=jan.accounts.get().payment_reference, booked_on=date(2026, 11, 2))
    assert re.search(r"<button [^>]*data-certain autofocus", treasurer.get(page("bank_lines_review")).text)


def test_the_longer_name_an_open_instalment_and_two_letters_for_one(club, giro):
    """Hans-Peter has paid 20.00 of 60.01 + 60.01: 40.01 are left of the first part, 100.02 of both."""
    hans, longer = make_member(club, "Schmidt, Hans"), make_member(club, "Schmidt, Hans-Peter")
    for days in (10, -40):
        charge_member(longer, 6_001, text="Beitrag", due_on=TODAY - timedelta(days=days), by=None)
    record_payment(longer, 2_000, method="cash", paid_on=FRIDAY, by=None)
    owing(hans, 5_555)
    for amount, reasons in (
        (4_001, {MatchReason.NAME, MatchReason.AMOUNT}),
        (10_002, {MatchReason.NAME, MatchReason.AMOUNT}),
        (9_999, {MatchReason.NAME}),
    ):
        line = a_line(club, amount, text=f"Rate {amount}", party="Hans-Peter Schmidt")
        (found,) = propose_line_bookings(club, [line], today=TODAY)
        assert [each.member for each in found.proposals] == [longer]
        assert set(found.proposals[0].reasons) == reasons
    boecken = make_member(club, "van der Böcken, Ute")
    (found,) = propose_line_bookings(club, [a_line(club, text="x", party="UTE VAN DER BOECKEN")], today=TODAY)
    assert [each.member for each in found.proposals] == [boecken]
