"""The data that dues depend on, entered by the treasurer: family, joining and leaving."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs.membership.members.import_export import import_members, members_to_table, preview_member_import
from clubs.models import Member, PersonalDataAccess
from tests.clubs.member_scenario import make_book, page
from tests.factories import make_member, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_the_treasurer_says_who_is_a_family_and_nothing_else():
    cast = make_book()
    treasurer, jan, mother = cast.browser("treasurer"), cast.members[5], cast.members[4]
    address = page("membership_dates_edit", jan.pk)
    assert address in treasurer.get(page("member_dues_account", jan.pk)).text
    assert cast.browser("arbiter").get(address).status_code == 403
    sent = {
        "family_payer": mother.pk,
        "joined_on": "2026-09-01",
        "left_on": "",
        "email": "x@y.example",
        "status": "former",
    }
    assert treasurer.post(address, sent | {"left_on": "2026-08-01"}).status_code == 422
    assert treasurer.post(address, sent | {"joined_on": "wczoraj"}).status_code == 422
    assert treasurer.post(address, sent | {"family_payer": jan.pk}).status_code == 422
    assert treasurer.post(address, sent).status_code == 302
    before = jan.email
    jan.refresh_from_db()
    assert (jan.family_payer, jan.status, jan.email) == (mother, Member.Status.MEMBER, before)
    assert sorted(PersonalDataAccess.objects.get(what="change").details["fields"]) == ["family_payer", "joined_on"]
    # A member whose dues are paid by another cannot pay for others.
    assert (
        treasurer.post(page("membership_dates_edit", mother.pk), {"family_payer": cast.members[3].pk}).status_code
        == 422
    )


def test_a_last_day_makes_a_former_member_when_it_is_over():
    cast = make_book()
    treasurer, jan = cast.browser("treasurer"), cast.members[5]
    today = timezone.localdate()
    for day, status in (
        (today + timedelta(days=9), "member"),
        (today - timedelta(days=1), "former"),
        (today, "member"),
    ):
        treasurer.post(page("membership_dates_edit", jan.pk), {"left_on": day.isoformat()})
        jan.refresh_from_db()
        assert (jan.left_on, jan.status) == (day, status)
    guest = make_member(cast.club, "Gość, Ola", status="guest")
    answer = treasurer.post(page("membership_dates_edit", guest.pk), {"left_on": today.isoformat()})
    assert (answer.status_code, "Leave it empty for a guest" in answer.text) == (422, True)


def test_a_table_says_who_pays_for_whom(club):
    """By name or number, also a member of the same import; a second import changes nothing."""
    anna = make_member(club, "Łoś, Anna")
    table = (
        "family name;given name;family: pays with\n"
        f"Łoś;Jan;{anna.pk}\nŁoś;Ola;Łoś, Anna\nŁoś;Anna;Łoś, Anna\nRyś;Ewa;\nRyś;Jan;Ryś, Ewa\n"
    ).encode()
    by = make_user("clerk")
    assert import_members(club, table, today=date(2026, 11, 23), by=by).added_count == 4
    paid = {member.name: member.family_payer.name for member in club.members.exclude(family_payer=None)}
    assert paid == {"Łoś, Jan": "Łoś, Anna", "Łoś, Ola": "Łoś, Anna", "Ryś, Jan": "Ryś, Ewa"}
    again = preview_member_import(club, table, today=date(2026, 11, 23))
    assert (again.problems, again.unchanged_count) == ((), 5)
    headings, rows = members_to_table(club.members.filter(family_name="Ryś", given_name="Jan"))
    assert rows[0][headings.index("family: pays with")] == "Ryś, Ewa"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Nowa;Ola;Nikt, Taki", "a member and isn't in the table"),
        ("Nowa;Ola;Dwa, Jan", "Several people are called"),
        ("Nowa;Ola;Dziecko, Jan", "pay for others, because someone else pays for this member"),
        ("Płatnik;Ewa;Inny, Jan", "pays for other members. Choose another payer for them first"),
        ("Nowa;Ola;Nowa, Ewa\nNowa;Ewa;Inny, Jan", "pay for others, because someone else pays for this member"),
    ],
)
def test_a_table_that_would_make_a_family_of_no_payer_is_refused(club, line, said):
    ewa = make_member(club, "Płatnik, Ewa")
    make_member(club, "Dziecko, Jan", family_payer=ewa)
    for name in ("Dwa, Jan", "Dwa, Jan", "Inny, Jan"):
        make_member(club, name)
    preview = preview_member_import(
        club, f"family name;given name;pays with\n{line}\n".encode(), today=date(2026, 11, 23)
    )
    assert [said in str(problem) for problem in preview.problems] == [True]


@pytest.mark.parametrize(
    ("heading", "name", "parts"),
    [
        ("Nazwisko i imię", "Kowalski Jan", ("Kowalski", "Jan")),
        ("Imię i nazwisko", "Jan Kowalski", ("Kowalski", "Jan")),
        ("Příjmení a jméno", "Novák, Jan Karel", ("Novák", "Jan Karel")),
        ("Nazwisko i imię", "García Márquez José", ("García Márquez José", "")),
        ("Nazwisko", "Kowalska Nowak", ("Kowalska Nowak", "")),
    ],
)
def test_a_heading_says_how_a_name_is_parted(club, heading, name, parts):
    table = f"{heading};Wstąpił\n{name};1.9.2020\n".encode()
    import_members(club, table, today=date(2026, 11, 23), by=make_user("clerk"))
    member = club.members.get()
    assert (member.family_name, member.given_name) == parts
    assert member.joined_on == date(2020, 9, 1)


def test_a_table_with_a_last_day_that_is_over_makes_a_former_member(club):
    table = b"family name;status;left on\nStary;member;30.6.2026\n"
    import_members(club, table, today=date(2026, 11, 23), by=make_user("clerk"))
    assert club.members.get().status == "former"
