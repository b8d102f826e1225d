"""Members who leave and come back: earlier data stay unchanged."""

from __future__ import annotations

from datetime import date

import pytest

from clubs.membership.members.duplicates import merge_members
from clubs.membership.members.forms import MemberForm
from clubs.membership.members.guest_nights import make_guest_a_member
from clubs.membership.members.import_export import import_members
from clubs.membership.members.membership_periods import member_in_month_condition, membership_gaps
from clubs.membership.members.statistics import calculate_member_statistics
from clubs.models import Club, Member, MembershipPeriod
from clubs.privacy import erase_member_data, export_member_data
from tests.clubs.member_scenario import make_book, page
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

FIRST, LAST, BACK = date(2019, 9, 1), date(2024, 10, 31), date(2025, 11, 20)
BEFORE, BETWEEN, SINCE = date(2024, 1, 1), date(2025, 1, 1), date(2026, 1, 1)


@pytest.fixture
def gone(club) -> Member:
    return make_member(club, "Nowa, Ola", status="former", joined_on=FIRST, left_on=LAST, went_to="Goniec")


def change(member: Member, **values: object) -> Member:
    member = Member.objects.get(pk=member.pk)
    kept = {name: getattr(member, name) or "" for name in ("status", "joined_on", "left_on", "came_from", "went_to")}
    form = MemberForm({"family_name": member.family_name} | kept | values, instance=member, club=member.club)
    assert form.is_valid(), form.errors
    return form.save()


def spells(member: Member) -> list[tuple[date | None, date, str]]:
    return list(member.membership_periods.values_list("joined_on", "left_on", "went_to"))


def there(club: Club) -> list[int]:
    """The number of members before she left, while she was away, and since she came back."""
    return [calculate_member_statistics(club, on=day).total_count for day in (BEFORE, BETWEEN, SINCE)]


def come_back(member: Member) -> Member:
    return change(member, status="member", joined_on=BACK.isoformat(), left_on="")


def test_without_coming_back_nothing_is_kept(gone):
    change(gone, status="former", joined_on="2019-09-02")
    assert spells(gone) == []
    back = change(gone, status="member", left_on="")
    assert (spells(gone), back.left_on, back.joined_on) == ([], None, date(2019, 9, 2)), "she never was away"


def test_who_comes_back_was_a_member_before_and_left_in_that_year(club, gone):
    assert there(club) == [1, 0, 0]
    back = come_back(gone)
    assert (spells(gone), back.went_to) == ([(FIRST, LAST, "Goniec")], "")
    assert there(club) == [1, 0, 1]
    of_then = calculate_member_statistics(club, on=date(2024, 12, 31))
    assert [(each.pk, each.left_on, each.went_to) for each in of_then.left] == [(gone.pk, LAST, "Goniec")]
    assert [each.joined_on for each in calculate_member_statistics(club, on=date(2019, 12, 31)).joined] == [FIRST]
    assert [each.joined_on for each in calculate_member_statistics(club, on=date(2025, 12, 31)).joined] == [BACK]
    (seen,) = calculate_member_statistics(club, on=BEFORE).members
    assert (seen.status, seen.joined_on, seen.left_on) == ("member", FIRST, LAST)
    come_back(gone)
    assert spells(gone) == [(FIRST, LAST, "Goniec")], "the same form sent twice"


def test_a_day_of_joining_put_right_takes_the_time_before_back(club, gone):
    come_back(gone)
    change(gone, joined_on=FIRST.isoformat())
    assert spells(gone) == []
    assert there(club) == [1, 1, 1]


def test_who_comes_back_as_a_guest_was_a_member_and_is_none(club, gone):
    guest = change(gone, status="guest", left_on="")
    assert (guest.joined_on, spells(gone)) == (None, [(FIRST, LAST, "Goniec")])
    assert there(club) == [1, 0, 0]
    make_guest_a_member(guest, BACK)
    assert there(club) == [1, 0, 1]


def test_a_former_guest_keeps_the_day_of_leaving(club, gone):
    change(gone, status="guest", left_on="")
    former = change(gone, status="former")
    assert (former.joined_on, former.left_on, spells(gone)) == (FIRST, LAST, [])
    assert there(club) == [1, 0, 0]


def test_coming_back_by_a_table_or_as_a_row_of_its_own_is_the_same(club, gone, django_user_model):
    officer = django_user_model.objects.create(username="x")
    table = f"name;status;joined on\nNowa, Ola;member;{BACK}\n".encode()
    import_members(club, table, today=SINCE, by=officer)
    assert (Member.objects.get().left_on, there(club)) == (None, [1, 0, 1])

    anew = make_member(club, "Nowa, Ola", joined_on=BACK)
    Member.objects.filter(pk=gone.pk).update(status="former", joined_on=FIRST, left_on=LAST)
    MembershipPeriod.objects.all().delete()
    merge_members(anew, gone, from_second=[], by=officer)
    assert spells(anew)[0][:2] == (FIRST, LAST)
    assert there(club) == [1, 0, 1]


def test_who_was_away_between_two_times_of_membership(club, gone):
    come_back(gone)
    change(gone, status="former", left_on="2026-01-31")
    change(gone, status="member", joined_on="2026-03-02", left_on="")
    assert membership_gaps(club) == {gone.pk: [(date(2026, 1, 31), date(2026, 3, 2)), (LAST, BACK)]}


def test_members_of_a_month_are_those_who_were_there_on_a_day_of_it(club, gone):
    make_member(club, "Zawsze, Ewa")
    make_member(club, "Później, Jan", joined_on=date(2024, 11, 1))
    come_back(gone)

    def names(month: date | None) -> list[str]:
        return list(
            club.members.filter(member_in_month_condition(month)).order_by("pk").values_list("family_name", flat=True)
        )

    assert names(date(2019, 8, 1)) == ["Zawsze"]
    assert names(date(2024, 10, 1)) == ["Nowa", "Zawsze"]
    assert names(date(2024, 11, 1)) == ["Zawsze", "Później"]
    assert names(date(2025, 11, 1)) == names(None) == ["Nowa", "Zawsze", "Później"]


def test_it_is_shown_given_out_and_goes_with_the_person():
    cast = make_book()
    jan = cast.members[5]
    Member.objects.filter(pk=jan.pk).update(joined_on=BACK)
    MembershipPeriod.objects.create(member=jan, joined_on=FIRST, left_on=LAST, went_to="Goniec")
    assert "previously left on" in cast.browser("arbiter").get(page("member_detail", jan.pk)).text
    (given,) = export_member_data(jan)["earlier_memberships"]
    assert (given["joined_on"], given["left_on"], given["went_to"]) == ("2019-09-01", "2024-10-31", "Goniec")
    erase_member_data(jan)
    assert not MembershipPeriod.objects.exists()
