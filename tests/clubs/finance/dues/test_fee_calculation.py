"""Fees: families, parts of a season, instalments. Every figure is calculated by hand."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from clubs.finance.dues.fee_calculation import (
    family_positions,
    find_fee_class,
    membership_share_of_season,
    prorated_amount,
    split_into_instalments,
)
from clubs.models import DuesSeason, FeeClass, Member

MAY = date(2027, 5, 15)


def season(**columns: object) -> DuesSeason:
    """From September to August, due by the end of October."""
    days = {"starts_on": date(2026, 9, 1), "ends_on": date(2027, 8, 31), "due_on": date(2026, 10, 31)}
    return DuesSeason(**(days | columns))


def member(pk: int, payer: int | None = None, **columns: object) -> Member:
    return Member(pk=pk, family_name=f"Nikt{pk}", family_payer_id=payer, **columns)


@pytest.mark.parametrize(
    ("joined", "left", "by_months", "by_halves"),
    [
        (None, None, Fraction(1), Fraction(1)),
        (date(2020, 1, 1), None, Fraction(1), Fraction(1)),
        (date(2026, 9, 30), None, Fraction(1), Fraction(1)),
        (date(2026, 10, 1), None, Fraction(11, 12), Fraction(1)),
        (date(2027, 2, 28), None, Fraction(7, 12), Fraction(1)),
        (date(2027, 3, 1), None, Fraction(6, 12), Fraction(1, 2)),
        (MAY, None, Fraction(4, 12), Fraction(1, 2)),
        (date(2027, 8, 31), None, Fraction(1, 12), Fraction(1, 2)),
        (None, date(2026, 9, 1), Fraction(1, 12), Fraction(1, 2)),
        (None, date(2027, 2, 28), Fraction(6, 12), Fraction(1, 2)),
        (None, date(2027, 3, 1), Fraction(7, 12), Fraction(1)),
        (date(2026, 12, 24), date(2027, 1, 2), Fraction(2, 12), Fraction(1, 2)),
        (date(2027, 9, 1), None, Fraction(0), Fraction(0)),
        (None, date(2026, 8, 31), Fraction(0), Fraction(0)),
    ],
)
def test_a_part_is_paid_for_what_was_begun(joined, left, by_months, by_halves):
    person = member(1, joined_on=joined, left_on=left)
    assert membership_share_of_season(person, season(part_counts_by="month")) == by_months
    assert membership_share_of_season(person, season(part_counts_by="half")) == by_halves
    assert membership_share_of_season(person, season()) == 1, "the whole, where the season does not ask"


def test_half_a_cent_is_rounded_up_and_never_lost_to_a_float():
    assert prorated_amount(100_00, Fraction(7, 12)) == 58_33
    assert prorated_amount(1, Fraction(1, 2)) == 1
    assert prorated_amount(99_99, Fraction(1, 2)) == 50_00
    assert prorated_amount(100_00, Fraction(0)) == 0


def test_instalments_add_up_and_stand_at_equal_distances():
    parts = split_into_instalments(100_00, season(instalments=3), charged_on=date(2026, 9, 1))
    assert [(part.amount, part.due_on) for part in parts] == [
        (33_34, date(2026, 10, 31)),
        (33_33, date(2027, 2, 28)),
        (33_33, date(2027, 6, 30)),
    ]
    assert [part.amount for part in split_into_instalments(2, season(instalments=3), charged_on=MAY)] == [1, 1]
    assert [part.amount for part in split_into_instalments(500, season(), charged_on=MAY)] == [500]


def test_whoever_joins_late_has_two_weeks_for_what_is_past():
    parts = split_into_instalments(90_00, season(instalments=2), charged_on=MAY, is_late=True)
    assert [part.due_on for part in parts] == [date(2027, 5, 29), date(2027, 5, 29)]
    parts = split_into_instalments(90_00, season(instalments=4), charged_on=date(2027, 1, 25), is_late=True)
    assert [part.due_on for part in parts] == [date(2027, 2, 8), date(2027, 2, 8), date(2027, 4, 30), date(2027, 7, 31)]


def test_the_first_of_a_family_pays_for_it_and_the_others_stand_by_age():
    payer, child, elder, of_unknown_age = (
        member(7, birth_year=2015),
        member(1, payer=7, birth_date=date(2012, 5, 1)),
        member(2, payer=7, birth_year=1980),
        member(3, payer=7),
    )
    alone, without_the_payer = member(4), member(5, payer=99)
    places = family_positions([child, of_unknown_age, alone, elder, payer, without_the_payer])
    assert places == {7: 1, 2: 2, 1: 3, 3: 4}


def test_brothers_and_sisters_are_a_family_though_who_pays_is_no_member():
    assert family_positions([member(1, payer=9, birth_year=2010), member(2, payer=9, birth_year=2008)]) == {2: 1, 1: 2}


def test_a_family_tariff_is_two_classes():
    classes = [
        FeeClass(name="Rodzina", amount=150_00, family="first"),
        FeeClass(name="W rodzinie", amount=0, family="next"),
        FeeClass(name="Sam", amount=90_00),
    ]
    named = {place: find_fee_class(member(1), classes, season(), family_place=place).name for place in (None, 1, 2, 3)}
    assert named == {None: "Sam", 1: "Rodzina", 2: "W rodzinie", 3: "W rodzinie"}


def test_ages_are_counted_on_the_seasons_day_for_them():
    youth = [FeeClass(name="Junior", amount=1, to_age=17)]
    turns_18_in_october = member(1, birth_date=date(2008, 10, 2))
    assert find_fee_class(turns_18_in_october, youth, season(), family_place=None)
    assert not find_fee_class(turns_18_in_october, youth, season(ages_on=date(2027, 1, 1)), family_place=None)
