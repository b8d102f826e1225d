"""Paid, outstanding and overdue amounts of a season after late charges, waivers and advance payments.

The figures of two seasons were worked by hand: Ewa joined within 2025, was charged for it in 2026 and had paid; Ola was
let off 18.00 of 2025.
"""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs.finance.accounting.entries import open_money_account
from clubs.finance.accounting.reports import build_year_report
from clubs.finance.accounting.year_closing import close_year
from clubs.finance.dues.balances import balance_of_member, member_account_lines
from clubs.finance.dues.ledger import charge_member, record_payment, record_refund, reverse_ledger_entry, waive_dues
from clubs.finance.dues.receipts import build_receipt_sheet
from clubs.finance.dues.reminders import compose_paper_reminders
from clubs.finance.dues.season_charges import charge_season
from clubs.models import Club, DuesSeason, FeeClass, LedgerEntry, Member
from common.problems import OfficerConfirmationNeeded, OfficerProblem
from tests.clubs.member_scenario import make_book, page
from tests.factories import make_member
from tests.module_fixtures import make_module_fixtures

pytestmark = pytest.mark.django_db

TODAY = timezone.localdate()
LAST, THIS = TODAY.year - 1, TODAY.year
made_once, cast = make_module_fixtures(make_book)


def season_of(club, year: int, due_on: date, amount: int) -> DuesSeason:
    season = DuesSeason.objects.create(
        club=club, name=str(year), starts_on=date(year, 1, 1), ends_on=date(year, 12, 31), due_on=due_on
    )
    FeeClass.objects.create(season=season, name="all", amount=amount)
    return season


def joined(club, name: str, on: date | None = None) -> Member:
    member = make_member(club, name)
    member.joined_on = on
    member.save()
    return member


# -- Charging late -----------------------------------------------------------------------------------------------------


def test_a_season_that_is_over_keeps_its_days_however_late_it_is_charged(club):
    jan, ewa = joined(club, "Nikt, Jan"), joined(club, "Los, Ewa", date(LAST, 4, 15))
    late = joined(club, "Kos, Ola", date(LAST, 12, 30))
    charge_season(season_of(club, LAST, date(LAST, 1, 31), 9_001), by=None)
    days = {line.account.member: (line.due_on, line.booked_on) for line in LedgerEntry.objects.all()}
    assert days == {
        jan: (date(LAST, 1, 31),) * 2,
        ewa: (date(LAST, 4, 29),) * 2,
        late: (date(LAST, 12, 31),) * 2,
    }


def test_who_joins_late_in_a_season_that_runs_has_days_to_pay_from_today(club):
    joined(club, "Los, Ewa", TODAY)
    season = season_of(club, THIS, date(THIS, 1, 1), 9_001)
    season.starts_on, season.ends_on = TODAY - timedelta(days=30), TODAY + timedelta(days=30)
    season.save()
    charge_season(season, by=None)
    assert LedgerEntry.objects.get().due_on == TODAY + timedelta(days=14)


def test_nothing_is_charged_or_waived_into_a_closed_year(club):
    jan = joined(club, "Nikt, Jan")
    close_year(club, LAST, figures={}, by=None)
    assert charge_member(jan, 5_000, text="x", due_on=date(LAST, 3, 1), by=None).booked_on == TODAY
    with pytest.raises(OfficerProblem, match=f"{LAST} is closed"):
        waive_dues(jan, 100, reason="x", on=date(LAST, 12, 31), by=None)
    with pytest.raises(OfficerProblem, match="future"):
        waive_dues(jan, 100, reason="x", on=TODAY + timedelta(days=1), by=None)


# -- Where payments go -------------------------------------------------------------------------------------------------


def two_seasons(club) -> tuple[DuesSeason, DuesSeason]:
    """Two seasons, last year's and this year's."""
    begins = {year: TODAY - timedelta(days=days) for year, days in ((LAST, 500), (THIS, 100))}
    older, newer = (
        DuesSeason.objects.create(club=club, name=str(year), starts_on=on, ends_on=on + timedelta(days=200), due_on=on)
        for year, on in begins.items()
    )
    return older, newer


def test_what_was_paid_for_the_older_season_pays_nothing_of_the_newer(club):
    older, newer = two_seasons(club)
    ewa = joined(club, "Los, Ewa")
    charge_member(ewa, 9_001, text="a", due_on=TODAY + timedelta(days=14), season=older, by=None)
    record_payment(ewa, 9_001, method="cash", paid_on=TODAY, by=None)
    assert balance_of_member(ewa, today=TODAY).overdue == 0
    charge_member(ewa, 9_999, text="b", due_on=TODAY - timedelta(days=1), season=newer, by=None)
    assert balance_of_member(ewa, today=TODAY).overdue == 9_999, (
        "not 9.98, which is what was left when all went together"
    )
    record_payment(ewa, 10_000, method="cash", paid_on=TODAY, by=None)
    assert (balance_of_member(ewa, today=TODAY).overdue, balance_of_member(ewa, today=TODAY).overpaid_amount) == (0, 1)


@pytest.mark.parametrize(
    ("paid", "overdue"),
    [(0, 6_000), (1_000, 5_000), (5_000, 1_000), (6_000, 0), (8_000, 0)],
)
def test_instalments_of_one_season_are_paid_one_after_another(club, paid, overdue):
    _older, newer = two_seasons(club)
    ewa = joined(club, "Los, Ewa")
    for days in (-60, -30, 30):
        charge_member(ewa, 3_000, text="x", due_on=TODAY + timedelta(days=days), season=newer, by=None)
    if paid:
        record_payment(ewa, paid, method="cash", paid_on=TODAY, by=None)
    assert balance_of_member(ewa, today=TODAY).overdue == overdue


def test_a_charge_taken_back_leaves_its_payment_to_the_others(club):
    older, newer = two_seasons(club)
    ewa = joined(club, "Los, Ewa")
    wrong = charge_member(ewa, 9_000, text="a", due_on=TODAY + timedelta(days=14), season=older, by=None)
    charge_member(ewa, 5_000, text="b", due_on=TODAY - timedelta(days=1), season=newer, by=None)
    record_payment(ewa, 9_000, method="cash", paid_on=TODAY, by=None)
    assert balance_of_member(ewa, today=TODAY).overdue == 5_000
    reverse_ledger_entry(wrong, reason="x", by=None)
    assert (balance_of_member(ewa, today=TODAY).overdue, balance_of_member(ewa, today=TODAY).overpaid_amount) == (
        0,
        4_000,
    )


def test_a_waiver_of_no_season_lowers_the_oldest_first(club):
    older, newer = two_seasons(club)
    ola = joined(club, "Kos, Ola")
    for season, days in ((older, 400), (newer, 50)):
        charge_member(ola, 5_000, text="x", due_on=TODAY - timedelta(days=days), season=season, by=None)
    waive_dues(ola, 1_800, reason="x", by=None)
    assert (balance_of_member(ola, today=TODAY).amount_owed, balance_of_member(ola, today=TODAY).overdue) == (
        8_200,
        8_200,
    )


def test_the_letter_names_the_charges_that_are_open(club):
    """40.00 and 30.00 of the older season, less 45.00 paid: 25.00 of its second part; all 20.00 outside a season."""
    older, newer = two_seasons(club)
    ola = joined(club, "Kos, Ola")
    for amount, days in ((4_000, 450), (3_000, 400)):
        charge_member(ola, amount, text=f"part {amount}", due_on=TODAY - timedelta(days=days), season=older, by=None)
    charge_member(ola, 9_000, text="not yet", due_on=TODAY + timedelta(days=5), season=newer, by=None)
    charge_member(ola, 2_000, text="beside", due_on=TODAY - timedelta(days=20), by=None)
    wrong = charge_member(ola, 7_777, text="wrong", due_on=TODAY - timedelta(days=30), by=None)
    reverse_ledger_entry(wrong, reason="x", by=None)
    record_payment(ola, 4_500, method="cash", paid_on=TODAY, by=None)
    (letter,) = compose_paper_reminders(club, today=TODAY)
    assert [(text, amount) for text, _day, amount in letter.items] == [
        ("part 3000", "€25.00"),
        ("beside", "€20.00"),
    ]
    assert letter.formatted_amount == "€45.00"
    assert balance_of_member(ola, today=TODAY).overdue == 4_500


def test_all_amounts_of_a_letter_are_in_the_club_s_language(club):
    Club.objects.filter(pk=club.pk).update(language="pl", currency="PLN")
    ola = joined(Club.objects.get(pk=club.pk), "Kos, Ola")
    charge_member(ola, 6_000, text="składka", due_on=TODAY - timedelta(days=50), by=None)
    (letter,) = compose_paper_reminders(Club.objects.get(pk=club.pk), today=TODAY)
    assert [amount for _text, _day, amount in letter.items] == ["60,00\xa0zł"]
    assert letter.formatted_amount == "60,00\xa0zł"
    assert "60,00\xa0zł" in letter.text


# -- The year's report -------------------------------------------------------------------------------------------------


def test_the_report_of_a_year_charged_late_and_waived_on_a_day(club):
    """Outstanding: nothing. Ola's 18.00 were waived on the last day; Ewa paid the 90.01 that she owed."""
    ewa, ola = joined(club, "Los, Ewa", date(LAST, 4, 15)), joined(club, "Kos, Ola")
    season = season_of(club, LAST, date(LAST, 1, 31), 9_001)
    charge_season(season, by=None)
    record_payment(ewa, 9_002, method="cash", paid_on=date(LAST, 6, 1), by=None)
    record_payment(ola, 7_201, method="cash", paid_on=date(LAST, 6, 1), by=None)
    before = build_year_report(club, LAST)
    assert (before.dues_outstanding, before.paid_ahead) == (1_800, 1)
    waive_dues(ola, 1_800, reason="x", on=date(LAST, 12, 31), by=None)
    after = build_year_report(club, LAST)
    assert (after.dues_outstanding, after.paid_ahead) == (0, 1)
    charge_member(ewa, 9_001, text="late", due_on=TODAY + timedelta(days=14), season=season, by=None)
    assert build_year_report(club, LAST).dues_outstanding == 9_000, "a season that is over is owed, whatever its day"


# -- The account's page, receipts, giving back -------------------------------------------------------------------------


def test_lines_stand_by_their_days_with_what_was_owed_after_each(club):
    jan = joined(club, "Nikt, Jan")
    record_payment(jan, 3_000, method="cash", paid_on=date(THIS, 1, 3), by=None)
    waiver = charge_member(jan, 10_000, text="x", due_on=date(THIS, 1, 2), by=None)
    refund_of = record_payment(jan, 8_000, method="cash", paid_on=date(THIS, 1, 4), by=None)
    record_refund(jan, 1_000, method="cash", paid_on=date(THIS, 1, 5), by=None)
    lines = member_account_lines(jan)
    assert [line.balance_after for line in lines] == [10_000, 7_000, -1_000, 0]
    assert (lines[0].entry, lines[2].entry) == (waiver, refund_of)


def test_receipts_are_numbered_in_the_year_of_their_payment(club):
    jan = joined(club, "Nikt, Jan")
    days = [date(LAST, 5, 1), date(THIS, 1, 1), date(LAST, 6, 1)]
    numbers = [
        record_payment(jan, 1_000 + place, method="cash", paid_on=day, by=None).printed_receipt_number
        for place, day in enumerate(days)
    ]
    assert numbers == [f"{LAST}/1", f"{THIS}/1", f"{LAST}/2"]
    first = LedgerEntry.objects.get(receipt_year=LAST, receipt_number=1)
    assert reverse_ledger_entry(first, reason="x", by=None, on=date(LAST, 7, 1)).printed_receipt_number == f"{LAST}/3"


def test_what_takes_a_refund_back_was_paid_out_to_nobody(cast):
    jan = cast.members[5]
    record_payment(jan, 3_000, method="cash", paid_on=TODAY, by=None)
    counter = reverse_ledger_entry(
        record_refund(jan, 1_000, method="cash", paid_on=TODAY, by=None), reason="x", by=None
    )
    assert not build_receipt_sheet(counter).is_paid_out
    text = cast.browser("treasurer").get(page("receipt_detail", counter.receipt_year, counter.receipt_number)).text
    assert "Correction for" in text
    assert "Paid out to" not in text


def test_more_than_is_in_the_cash_box_is_given_back_only_when_asked(cast):
    jan = cast.members[5]
    open_money_account(cast.club, kind="cash", name="Box", iban="", balance=1_000, on=TODAY, by=None)
    open_money_account(cast.club, kind="bank", name="Giro", iban="", balance=0, on=TODAY, by=None)
    record_payment(jan, 30_000, method="transfer", paid_on=TODAY, by=None)
    with pytest.raises(OfficerConfirmationNeeded, match="Did you really pay out more"):
        record_refund(jan, 1_001, method="cash", paid_on=TODAY, by=None, is_sure=False)
    record_refund(jan, 1_000, method="cash", paid_on=TODAY, by=None, is_sure=False)
    record_refund(jan, 5_000, method="transfer", paid_on=TODAY, by=None, is_sure=False)
    treasurer = cast.browser("treasurer")
    shown = treasurer.get(page("member_dues_account", jan.pk)).context["back"]
    assert shown["method"].value() == "transfer", "as the money came"
    sent = {"amount": "20", "method": "cash", "paid_on": TODAY.isoformat(), "form_key": shown["form_key"].value()}
    asked = treasurer.post(page("refund_add", jan.pk), sent)
    assert asked.context["back"].needs_confirmation
    assert jan.accounts.get().ledger.filter(kind="refund").count() == 2
    treasurer.post(page("refund_add", jan.pk), sent | {"is_sure": "on"})
    assert jan.accounts.get().ledger.filter(kind="refund").count() == 3
