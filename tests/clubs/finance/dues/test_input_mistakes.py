"""The treasurer's mistakes and double submissions: questions and messages; and the receipt for money paid out."""

from __future__ import annotations

import re
import uuid
from datetime import date
from io import BytesIO

import pytest
from pypdf import PdfReader

from clubs.finance.bank.statements import ParsedStatementLine, save_new_lines
from clubs.finance.dues.ledger import charge_member, record_payment, record_refund, reverse_ledger_entry, waive_dues
from clubs.models import BankStatementLine, DirectDebitCollection, DirectDebitLine, LedgerEntry, Member
from common.problems import OfficerConfirmationNeeded, OfficerProblem
from tests.clubs.member_scenario import make_book, owing, page
from tests.factories import make_member
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast

pytestmark = pytest.mark.django_db

DAY = date(2026, 1, 2)
made_once, cast = make_module_fixtures(make_book)


def jan(cast: Cast) -> Member:
    return cast.members[5]


@pytest.mark.parametrize("kind", ["payment", "refund", "due", "waiver"])
def test_a_form_sent_again_with_another_amount_is_not_dropped_in_silence(club, kind):
    jan, key = make_member(club, "Nikt, Jan"), uuid.uuid4()
    owing(jan, 9_000)
    record_payment(jan, 15_000, method="cash", paid_on=DAY, by=None) if kind == "refund" else None
    book = {
        "payment": lambda amount: record_payment(jan, amount, method="cash", paid_on=DAY, by=None, form_key=key),
        "refund": lambda amount: record_refund(jan, amount, method="cash", paid_on=DAY, by=None, form_key=key),
        "due": lambda amount: charge_member(jan, amount, text="x", due_on=DAY, by=None, form_key=key),
        "waiver": lambda amount: waive_dues(jan, amount, reason="x", by=None, form_key=key),
    }[kind]
    first = book(2_000)
    assert book(2_000) == first
    with pytest.raises(OfficerProblem, match=r"35\.00.* was not recorded"):
        book(3_500)
    assert LedgerEntry.objects.filter(form_key=key).count() == 1


def test_a_form_of_another_member_is_no_double_click(club):
    key = uuid.uuid4()
    record_payment(make_member(club, "Nikt, Jan"), 2_000, method="cash", paid_on=DAY, by=None, form_key=key)
    with pytest.raises(OfficerProblem, match=r"was not recorded\. Open the page"):
        record_payment(make_member(club, "Kos, Ola"), 2_000, method="cash", paid_on=DAY, by=None, form_key=key)


def test_the_same_payment_from_a_second_tab_is_asked_about(cast):
    treasurer, person = cast.browser("treasurer"), jan(cast)
    owing(person, 5_000)
    sent = {"amount": "50", "method": "cash", "paid_on": DAY.isoformat()}
    tabs = [sent | {"form_key": str(uuid.uuid4())} for _tab in range(2)]
    for _press in range(2):
        assert treasurer.post(page("payment_add", person.pk), tabs[0]).status_code == 302
    asked = treasurer.post(page("payment_add", person.pk), tabs[1])
    assert (
        asked.status_code,
        'name="is_sure"' in asked.text,
        "is for an identical payment on that day. Is this a second payment?" in asked.text,
    ) == (422, True, True)
    assert LedgerEntry.objects.filter(kind="payment").count() == 1
    assert treasurer.post(page("payment_add", person.pk), tabs[1] | {"is_sure": "on"}).status_code == 302
    assert LedgerEntry.objects.filter(kind="payment").count() == 2


def test_a_comma_in_the_wrong_place_is_asked_about(club):
    jan = make_member(club, "Nikt, Jan")
    owing(jan, 10_010)
    with pytest.raises(OfficerConfirmationNeeded, match="Is the amount right"):
        record_payment(jan, 100_050, method="cash", paid_on=DAY, by=None, is_sure=False)
    assert record_payment(jan, 20_020, method="cash", paid_on=DAY, by=None, is_sure=False), "two seasons at once"
    assert record_payment(jan, 100_050, method="cash", paid_on=DAY, by=None, is_sure=False), (
        "nothing is owed: a gift, ahead"
    )


def test_what_was_paid_too_much_is_said_on_the_account(cast):
    owing(jan(cast), 1_000)
    record_payment(jan(cast), 6_095, method="cash", paid_on=DAY, by=None)
    said = re.search(
        r'figure">\W*([\d.]+)</span> <span class="badge good">in credit',
        cast.browser("treasurer").get(page("member_dues_account", jan(cast).pk)).text,
    )
    assert said[1] == "50.95"


def test_a_receipt_for_money_given_back_says_so_and_is_signed_by_whoever_got_it(cast):
    cast.club.language, cast.club.currency = "en", "PLN"
    cast.club.save()
    record_payment(jan(cast), 12_000, method="cash", paid_on=DAY, by=cast.secretary)
    back = record_refund(jan(cast), 2_000, method="cash", paid_on=DAY, by=cast.secretary)
    counter = reverse_ledger_entry(back, reason="pomyłka", by=cast.secretary)
    browser = cast.browser("treasurer")
    for entry, expected in ((back, "Paid out to"), (counter, "Cancels receipt")):
        paper = browser.get(page("print_receipt", entry.receipt_year, entry.receipt_number)).content
        (sheet,) = PdfReader(BytesIO(paper)).pages
        shown = browser.get(page("receipt_detail", entry.receipt_year, entry.receipt_number)).text
        for text in (shown, sheet.extract_text()):
            assert expected in text
            assert "Received from" not in text
    paper = browser.get(page("print_receipt", back.receipt_year, back.receipt_number)).content
    text = " ".join(PdfReader(BytesIO(paper)).pages[0].extract_text().split())
    assert "Signature (Jan Nikt)" in text


@pytest.mark.parametrize(
    "wrong", ["quatsch", "DE00123", "PL61 1090 1014 0000 0712 1981 2875", "61109010140000071219812875"]
)
def test_the_clubs_own_account_is_checked_where_it_is_typed(cast, wrong):
    sent = {"currency": "PLN", "bank_account": wrong, "email": "", "guest_nights_allowed": "2"}
    answer = cast.browser("treasurer").post(page("dues_settings"), sent)
    assert (answer.status_code, "a valid IBAN. Check for a wrong or missing digit" in answer.text) == (422, True)


@pytest.mark.parametrize(
    "right", ["PL61 1090 1014 0000 0712 1981 2874", "61109010140000071219812874", "19-2000145399/0800"]
)
def test_an_account_as_clubs_write_it_is_kept(cast, right):
    sent = {"currency": "PLN", "bank_account": right, "email": "", "guest_nights_allowed": "2"}
    assert cast.browser("treasurer").post(page("dues_settings"), sent).status_code == 302
    cast.club.refresh_from_db()
    assert cast.club.bank_account == right


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("-20", "without a minus"),
        ("99999999999", "This amount is too large. Check the digits"),
        ("1.000", "could mean 2 different amounts"),
        ("5 books", "80.50"),
    ],
)
def test_what_is_wrong_with_an_amount_is_said(cast, written, said):
    sent = {"amount": written, "method": "cash", "paid_on": DAY.isoformat(), "form_key": str(uuid.uuid4())}
    assert said in cast.browser("treasurer").post(page("payment_add", jan(cast).pk), sent).text


def test_who_is_collected_from_is_not_booked_a_second_time_unasked(cast):
    member = jan(cast)
    owing(member, 8_050)
    collection = DirectDebitCollection.objects.create(
        club=cast.club, collected_on=date(2026, 12, 7), form_key=uuid.uuid4()
    )
    DirectDebitLine.objects.create(
        collection=collection, member=member, mandate_reference="M1", signed_on=DAY, holder="x", iban="x", amount=8_050
    )
    browser = cast.browser("treasurer")
    assert "collection on " in browser.get(page("overdue_dues_list")).text
    sent = {"amount": "80.50", "method": "cash", "paid_on": DAY.isoformat(), "form_key": str(uuid.uuid4())}
    assert "These dues will be collected by direct debit on" in browser.post(page("payment_add", member.pk), sent).text
    assert browser.post(page("payment_add", member.pk), sent | {"is_sure": "on"}).status_code == 302
    # Nor can a bank line be booked with one click.
    save_new_lines(cast.club, [ParsedStatementLine(booked_on=DAY, amount=600, text="składka", party="Jan")], by=None)
    line = BankStatementLine.objects.get(club=cast.club)
    press = {"target": f"member:{member.pk}"}
    asked = browser.post(page("bank_line_book", line.pk), press)
    assert (asked.status_code, "These dues will be collected by direct debit on" in asked.text) == (422, True)
    assert BankStatementLine.objects.get(pk=line.pk).entry is None
    assert browser.post(page("bank_line_book", line.pk), press | {"sure": "1"}).status_code == 302
    assert BankStatementLine.objects.get(pk=line.pk).entry is not None
