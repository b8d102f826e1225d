"""Direct debits: who is collected from, once, and the file for the bank."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from xml.etree.ElementTree import Element

import pytest
from defusedxml import ElementTree
from django.utils import timezone

from clubs.finance.direct_debit.debit_collections import (
    book_collected_payments,
    cancel_debit_collection,
    create_debit_collection,
    find_collectable_amounts,
    first_bank_day_from,
    is_bank_day,
)
from clubs.finance.direct_debit.forms import suggested_collection_date
from clubs.finance.direct_debit.mandates import end_mandate, record_mandate, suggested_mandate_reference
from clubs.finance.direct_debit.sepa_file import name_in_bank_letters, render_sepa_file
from clubs.finance.dues.balances import balance_of_member
from clubs.models import Club, DirectDebitCollection, DirectDebitMandate, LedgerEntry, Member
from clubs.privacy import erase_member_data
from common.problems import OfficerProblem
from common.text.ibans import is_creditor_id
from tests.clubs.member_scenario import make_book, owing, page
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast

pytestmark = pytest.mark.django_db

IBAN = "DE89370400440532013000"
"""The standard's own example of an account number."""


def make_rows() -> Cast:
    made = make_book()
    Club.objects.filter(pk=made.club.pk).update(
        name="Pod Gońcem", currency="EUR", bank_account=IBAN, creditor_id="DE98ZZZ09999999999"
    )
    made.club.refresh_from_db()
    return made


made_once, cast = make_module_fixtures(make_rows)


def soon() -> date:
    return first_bank_day_from(timezone.localdate() + timedelta(days=14))


def mandate(member: Member, reference: str = "M1") -> DirectDebitMandate:
    return record_mandate(member, reference=reference, holder="Łucja Nikt", iban=IBAN, signed_on=date(2026, 1, 2))


def collected(cast: Cast, *members: Member, key: uuid.UUID | None = None) -> DirectDebitCollection:
    return create_debit_collection(
        cast.club, {member.pk for member in members}, on=soon(), by=None, form_key=key or uuid.uuid4()
    )


def read(file: bytes) -> Element:
    root: Element = ElementTree.fromstring(file)
    for each in root.iter():
        each.tag = each.tag.partition("}")[2] or each.tag
    return root


@pytest.mark.parametrize("written", ["", "DE98ZZZ0999999999", "DE97ZZZ09999999999", "98DEZZZ09999999999"])
def test_no_creditor_identifier(written):
    assert not is_creditor_id(written)


def test_the_business_code_does_not_count_for_the_check_digits():
    assert is_creditor_id("DE98ZZZ09999999999")
    assert is_creditor_id("DE98ABC09999999999")


@pytest.mark.parametrize(
    ("today", "day"),
    [
        (date(2026, 11, 20), date(2026, 12, 4)),
        (date(2026, 11, 21), date(2026, 12, 7)),
        (date(2026, 11, 22), date(2026, 12, 7)),
        (date(2026, 11, 23), date(2026, 12, 7)),
        (date(2026, 12, 11), date(2026, 12, 28)),
        (date(2027, 3, 12), date(2027, 3, 30)),
    ],
)
def test_the_day_of_a_collection_that_is_proposed_is_one_of_the_banks(monkeypatch, today, day):
    monkeypatch.setattr(timezone, "localdate", lambda: today)
    assert suggested_collection_date() == day


# From the ECB's press releases and calendars for 2024 to 2027.
CLOSED = "2024-01-01 2024-03-29 2024-04-01 2024-05-01 2024-12-25 2024-12-26 2025-04-18 2025-04-21 2026-04-03 2026-04-06"
CLOSED += " 2026-05-01 2027-01-01 2027-03-26 2027-03-29"
OPEN = "2024-05-09 2025-10-03 2026-05-25 2026-12-24 2026-12-31 2027-12-27"


def test_days_of_the_banks():
    assert not any(is_bank_day(date.fromisoformat(day)) for day in CLOSED.split())
    assert all(is_bank_day(date.fromisoformat(day)) for day in OPEN.split())


def test_nothing_is_collected_on_a_day_without_banks(cast, monkeypatch):
    owing(cast.members[0], 50_00)
    mandate(cast.members[0])
    monkeypatch.setattr(timezone, "localdate", lambda: date(2026, 12, 11))
    with pytest.raises(OfficerProblem, match="28"):
        create_debit_collection(cast.club, {cast.members[0].pk}, on=date(2026, 12, 25), by=None, form_key=uuid.uuid4())
    assert not DirectDebitCollection.objects.exists()


def test_nothing_is_collected_without_a_mandate_that_holds_a_debt_or_what_banks_want(cast):
    jan, anna = cast.members[:2]
    owing(jan, 50_00)
    with pytest.raises(OfficerProblem, match="There is nothing left to collect"):
        collected(cast, jan)
    mandate(jan)
    mandate(anna, "M2")
    assert [each.member for each in find_collectable_amounts(cast.club, on=soon())] == [jan]
    for day in (timezone.localdate(), timezone.localdate() + timedelta(days=61)):
        with pytest.raises(OfficerProblem, match="day"):
            create_debit_collection(cast.club, {jan.pk}, on=day, by=None, form_key=uuid.uuid4())
    end_mandate(jan, timezone.localdate())
    assert find_collectable_amounts(cast.club, on=soon()) == []
    mandate(jan, "M3")
    for column, value in (("currency", "PLN"), ("bank_account", "12"), ("creditor_id", "")):
        Club.objects.filter(pk=cast.club.pk).update(**{column: value})
        with pytest.raises(OfficerProblem):
            collected(cast, jan)
        Club.objects.filter(pk=cast.club.pk).update(**{column: getattr(cast.club, column)})
    assert not DirectDebitCollection.objects.exists()


def test_what_is_due_after_the_day_waits_and_what_is_under_way_is_not_collected_twice(cast):
    jan = cast.members[0]
    mandate(jan)
    owing(jan, 50_00)
    owing(jan, 7_00, days=-20)
    key = uuid.uuid4()
    first = collected(cast, jan, key=key)
    assert [line.amount for line in first.lines.all()] == [50_00]
    assert collected(cast, jan, key=key) == first, "one form, one collection"
    with pytest.raises(OfficerProblem):
        collected(cast, jan)
    cancel_debit_collection(first)
    second = collected(cast, jan)
    assert book_collected_payments(second, on=timezone.localdate(), by=None) == 1
    assert book_collected_payments(second, on=timezone.localdate(), by=None) == 0
    assert balance_of_member(jan, today=timezone.localdate()).amount_owed == 7_00
    assert LedgerEntry.objects.get(kind="payment").method == "transfer"
    for act in (lambda: cancel_debit_collection(second), lambda: book_collected_payments(first, on=soon(), by=None)):
        with pytest.raises(OfficerProblem):
            act()


def test_the_file_is_what_the_bank_takes_and_the_same_each_time(cast):
    jan, anna = cast.members[:2]
    mandate(jan)
    mandate(anna, "M2")
    owing(jan, 50_00)
    owing(anna, 12_05)
    made = collected(cast, jan, anna)
    file = render_sepa_file(made)
    assert render_sepa_file(made) == file
    root = read(file)
    assert root.findtext(".//GrpHdr/NbOfTxs") == "2"
    assert root.findtext(".//GrpHdr/CtrlSum") == "62.05"
    assert root.findtext(".//ReqdColltnDt") == soon().isoformat()
    assert root.findtext(".//CdtrSchmeId//Othr/Id") == "DE98ZZZ09999999999"
    (first, _second) = sorted(root.iter("DrctDbtTxInf"), key=lambda each: each.findtext(".//MndtId") or "")
    assert first.findtext(".//InstdAmt") == "50.00"
    assert first.findtext(".//Dbtr/Nm") == "Lucja Nikt", "banks take Latin letters without marks"
    assert first.findtext(".//DbtrAcct//IBAN") == IBAN
    assert first.findtext(".//DtOfSgntr") == "2026-01-02"
    assert jan.accounts.get().payment_reference in (first.findtext(".//Ustrd") or "")
    made.club.name = "Schachfreunde Köln"
    assert read(render_sepa_file(made)).findtext(".//Cdtr/Nm") == "Schachfreunde Koeln", "its bank is a German one"


@pytest.mark.parametrize(("country", "name"), [("DE", "Joerg Muessig"), ("AT", "Joerg Muessig"), ("SE", "Jörg Müßig")])
def test_german_banks_have_their_own_way_of_writing_umlauts(country, name):
    assert name_in_bank_letters("Jörg Müßig", country) == name


def test_another_account_ends_the_mandate_before_and_references_are_never_used_again(cast):
    jan, anna = cast.members[:2]
    first = mandate(jan)
    assert mandate(jan) == first
    with pytest.raises(OfficerProblem):
        mandate(anna, "M1")
    with pytest.raises(OfficerProblem):
        record_mandate(jan, reference="M5", holder="X", iban=IBAN, signed_on=date(2025, 12, 31))
    assert suggested_mandate_reference(jan).endswith("-2")
    mandate(jan, "M4")
    assert DirectDebitMandate.objects.get(ended_on=None).reference == "M4"
    with pytest.raises(OfficerProblem):
        mandate(anna, "M1")


def test_whoever_is_erased_leaves_no_account_behind(cast):
    jan, anna = cast.members[:2]
    mandate(jan)
    mandate(anna, "M2")
    owing(jan, 50_00), owing(anna, 50_00)
    made = collected(cast, jan, anna)
    treasurer = cast.browser("treasurer")
    assert treasurer.get(page("debit_collection_detail", made.pk)).context["has_file"]
    erase_member_data(jan)
    assert not DirectDebitMandate.objects.filter(member=jan).exists()
    assert [(line.holder, line.iban) for line in made.lines.filter(member=jan)] == [("", "")]
    assert not treasurer.get(page("debit_collection_detail", made.pk)).context["has_file"]
    assert treasurer.get(page("debit_collection_file", made.pk)).status_code == 404


def test_a_treasurer_collects_in_the_browser(cast):
    jan = cast.members[0]
    owing(jan, 50_00)
    browser = cast.browser("treasurer")
    wrong = {"holder": "Jan Nikt", "iban": IBAN[:-1] + "1", "reference": "M 1", "signed_on": "2030-01-01"}
    said = browser.post(page("mandate_edit", jan.pk), wrong)
    assert said.status_code == 422
    assert {"iban", "reference", "signed_on"} == set(said.context["form"].errors)
    right = wrong | {"iban": "de89 3704 0044 0532 0130 00", "reference": "M1", "signed_on": "2026-01-02"}
    assert browser.post(page("mandate_edit", jan.pk), right).status_code == 302
    form = browser.get(page("debit_collection_new"), {"on": soon().isoformat()})
    assert "50.00" in form.text
    assert form.status_code == 200
    sent = {"on": soon().isoformat(), "form_key": form.context["form"]["form_key"].value(), "member": [jan.pk]}
    address = browser.post(page("debit_collection_new"), sent).url
    assert browser.post(page("debit_collection_new"), sent).url == address
    made = DirectDebitCollection.objects.get()
    assert read(browser.get(page("debit_collection_file", made.pk)).content).findtext(".//CtrlSum") == "50.00"
    assert browser.post(page("debit_collection_book", made.pk), {"on": "2099-01-01"}).status_code == 422
    browser.post(page("debit_collection_book", made.pk), {"on": timezone.localdate().isoformat()})
    assert browser.get(address).context["booked"] == 1
    Club.objects.filter(pk=cast.club.pk).update(creditor_id="")
    assert "creditor identifier first" in browser.get(page("debit_collection_file", made.pk), follow=True).text
    assert balance_of_member(jan, today=timezone.localdate()).amount_owed == 0
