"""A season charged in usual ways: one bill per family, parts of a season, instalments, and reductions for leavers."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import timezone

from clubs.finance.accounting.reports import build_year_report
from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.ledger import record_payment, record_refund
from clubs.finance.dues.season_charges import charge_season, propose_season_charges, reduce_charges_of_leavers
from clubs.membership.members.duplicates import merge_members
from clubs.membership.members.guest_nights import make_guest_a_member
from clubs.models import DuesSeason, FeeClass, LedgerEntry, Member
from clubs.privacy import erase_member_data
from common.problems import OfficerProblem
from tests.clubs.member_scenario import make_book, page
from tests.factories import make_club, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club) -> DuesSeason:
    """120.00 for everyone, by months, in two instalments; 30.00 for further family members."""
    made = DuesSeason.objects.create(
        club=club,
        name="2026/27",
        starts_on=date(2026, 9, 1),
        ends_on=date(2027, 8, 31),
        due_on=date(2026, 10, 31),
        part_counts_by="month",
        instalments=2,
    )
    FeeClass.objects.create(season=made, place=1, name="Rodzeństwo", amount=30_00, family="next")
    FeeClass.objects.create(season=made, place=2, name="Dorośli", amount=120_00)
    return made


def owed(member: Member) -> int:
    return balance_of_member(member, today=timezone.localdate()).amount_owed


def test_a_family_has_one_bill_which_says_whom_each_line_is_for(club, season):
    mother = make_member(club, "Nikt, Anna")
    child = make_member(club, "Nikt, Ola", family_payer=mother)
    assert charge_season(season, by=None) == 2
    assert (owed(mother), owed(child)) == (150_00, 0)
    lines = LedgerEntry.objects.filter(account__member=mother).order_by("pk")
    assert sorted(
        (line.amount, line.on_behalf_of.member.name if line.on_behalf_of else "", str(line.due_on)) for line in lines
    ) == [
        (15_00, "Nikt, Ola", "2026-10-31"),
        (15_00, "Nikt, Ola", "2027-04-30"),
        (60_00, "", "2026-10-31"),
        (60_00, "", "2027-04-30"),
    ]
    stands = balance_of_member(mother, today=date(2026, 12, 1))
    assert (stands.overdue, stands.amount_owed, stands.amount_due_now) == (75_00, 150_00, 75_00), (
        "the instalment, not the year"
    )
    assert balance_of_member(mother, today=date(2026, 9, 1)).amount_due_now == 150_00
    assert charge_season(season, by=None) == 0, "the child is charged, though on another account"
    Member.objects.filter(pk=child.pk).update(family_payer=None)
    assert charge_season(season, by=None) == 0, "nor again when the family parts"


def test_whoever_leaves_pays_for_the_months_begun_and_gets_the_rest_back_once(club, season, treasurer):
    leaver = make_member(club, "Nikt, Jan")
    charge_season(season, by=None)
    record_payment(leaver, 120_00, method="cash", paid_on=timezone.localdate(), by=None)
    Member.objects.filter(pk=leaver.pk).update(status=Member.Status.FORMER, left_on=date(2026, 12, 15))
    (due,) = propose_season_charges(season)
    assert (due.amount, due.overcharged_amount) == (40_00, 80_00), "four months of twelve"
    with pytest.raises(OfficerProblem):
        reduce_charges_of_leavers(season, by=treasurer, shown=79_99)
    assert owed(leaver) == 0
    assert reduce_charges_of_leavers(season, by=treasurer, shown=80_00) == 1
    assert reduce_charges_of_leavers(season, by=treasurer, shown=80_00) == 0, "two presses take it off once"
    assert owed(leaver) == -80_00
    record_refund(leaver, 80_00, method="cash", paid_on=timezone.localdate(), by=None)
    assert owed(leaver) == 0
    assert not any(due.overcharged_amount for due in propose_season_charges(season))


def test_what_comes_off_for_a_leaver_is_of_the_last_instalment_first(club, season):
    leaver = make_member(club, "Nikt, Jan")
    charge_season(season, by=None)
    Member.objects.filter(pk=leaver.pk).update(status=Member.Status.FORMER, left_on=date(2026, 11, 20))
    assert reduce_charges_of_leavers(season, by=None, shown=90_00) == 1
    before, between, after = (
        balance_of_member(leaver, today=day) for day in (date(2026, 10, 31), date(2026, 12, 1), date(2027, 5, 1))
    )
    assert (before.overdue, between.overdue, after.overdue) == (0, 30_00, 30_00), "three months of twelve, overdue"
    assert {balance.amount_owed for balance in (before, between, after)} == {30_00}
    figures = build_year_report(club, 2026)
    assert (figures.dues_outstanding, figures.paid_ahead) == (30_00, 0), "nor has he paid ahead"


def test_a_leavers_part_comes_off_the_account_it_was_charged_to(club, season):
    mother = make_member(club, "Nikt, Anna")
    child = make_member(club, "Nikt, Ola", family_payer=mother)
    charge_season(season, by=None)
    Member.objects.filter(pk=child.pk).update(status=Member.Status.FORMER, left_on=date(2027, 2, 1), family_payer=None)
    changed = {due.member: due for due in propose_season_charges(season)}[Member.objects.get(pk=child.pk)]
    assert changed.fee_class.name == "Dorośli", "who has left is of no family any more"
    assert changed.overcharged_amount == 0, "and nobody is charged more for leaving"
    assert owed(mother) == 150_00


def test_a_leaver_who_was_charged_as_one_of_a_family_gets_the_rest_of_that_fee_back(club, season):
    mother = make_member(club, "Nikt, Anna")
    child = make_member(club, "Nikt, Ola", family_payer=mother)
    charge_season(season, by=None)
    Member.objects.filter(pk=child.pk).update(status=Member.Status.FORMER, left_on=date(2026, 11, 20))
    left = {due.member: due for due in propose_season_charges(season)}[Member.objects.get(pk=child.pk)]
    assert (left.fee_class.name, left.amount, left.overcharged_amount) == ("Rodzeństwo", 7_50, 22_50), (
        "three months of twelve"
    )
    assert reduce_charges_of_leavers(season, by=None, shown=22_50) == 1
    assert owed(mother) == 127_50


def test_a_guest_who_joins_pays_from_that_month_on_and_joins_once(club, season):
    guest = make_member(club, "Gość", status=Member.Status.GUEST)
    assert charge_season(season, by=None) == 0
    make_guest_a_member(guest, date(2027, 3, 10))
    with pytest.raises(OfficerProblem):
        make_guest_a_member(guest, date(2027, 4, 10))
    charge_season(season, by=None)
    assert owed(guest) == 60_00
    assert set(LedgerEntry.objects.values_list("amount", flat=True)) == {30_00}


def test_rows_of_a_family_that_are_made_one_pay_for_themselves(club, season, secretary):
    first = make_member(club, "Nikt, Anna")
    second = make_member(club, "Nikt, Ania")
    child = make_member(club, "Nikt, Ola", family_payer=second)
    Member.objects.filter(pk=first.pk).update(family_payer=second)
    charge_season(season, by=None)
    merged = merge_members(Member.objects.get(pk=first.pk), second, from_second=[], by=secretary)
    assert Member.objects.get(pk=merged.pk).family_payer is None
    assert Member.objects.get(pk=child.pk).family_payer == merged
    assert charge_season(season, by=None) == 0


def test_an_erased_person_is_of_no_family(club):
    mother = make_member(club, "Nikt, Anna")
    child = make_member(club, "Nikt, Ola", family_payer=mother)
    erase_member_data(mother)
    assert Member.objects.get(pk=child.pk).family_payer is None


def test_nobody_pays_for_one_who_pays_for_others_nor_across_clubs():
    cast = make_book()
    anna, ola, jan = cast.members[:3]
    Member.objects.filter(pk=ola.pk).update(family_payer=anna)
    stranger = make_member(make_club("dokad", "Dokąd"), "Obcy")
    browser = cast.browser("secretary")

    def changed(member: Member, payer: Member | None) -> int:
        values = {"family_name": member.family_name, "given_name": member.given_name, "status": "member"}
        if payer:
            values["family_payer"] = str(payer.pk)
        return browser.post(page("member_edit", member.pk), values).status_code

    assert changed(anna, jan) == 422, "on her account another is charged"
    assert changed(jan, ola) == 422, "who pays for nobody, as another pays for her"
    assert changed(jan, jan) == 422
    assert changed(jan, stranger) == 422
    assert changed(jan, anna) == 302
    assert Member.objects.get(pk=jan.pk).family_payer == anna
    assert "Pays for" in cast.browser("treasurer").get(page("member_detail", anna.pk)).text
