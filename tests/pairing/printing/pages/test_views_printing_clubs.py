"""Papers of a club: who can print which, their contents, and that printing phone numbers is logged."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from clubs.finance.accounting.entries import record_accounting_entry
from clubs.finance.dues.ledger import charge_member, record_payment
from clubs.models import BookAccount, LedgerEntry, PersonalDataAccess, Role
from tests.factories import make_member, make_user
from tournaments.models import Series


@pytest.fixture(autouse=True)
def _kept_apart(settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def shown(signed_in, club):
    """What somebody reads on a paper of the club, as a preview: the status and the page."""

    def show(name, user, query="", *args):
        answer = signed_in(user).get(reverse(name, args=[club.slug, *args]) + f"?as=page{query}")
        return answer.status_code, answer.content.decode()

    return show


@pytest.fixture
def book(club):
    """Two members, one of whom owes something."""
    owing = make_member(club, "Niktowa, Anna", 1800, phone="600 100 200", email="anna@przyklad.example")
    paid = make_member(club, "Измислен, Петър")
    charge_member(owing, 8000, text="2026", due_on=date(2026, 1, 1), by=None)
    record_payment(owing, 5000, method="cash", paid_on=date(2026, 2, 1), by=None)
    return owing, paid


OFFICERS = {Role.SECRETARY, Role.ARBITER, Role.TREASURER}


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("club_print_centre", OFFICERS),
        ("print_members", OFFICERS),
        ("print_dues", {Role.SECRETARY, Role.TREASURER}),
        ("print_ratings", {*OFFICERS, Role.MEMBER}),
        ("print_printer_test", OFFICERS),
    ],
)
@pytest.mark.parametrize("role", [None, *Role])
def test_who_may_have_which(name, allowed, role, book, club, outsider, shown):
    user = make_user("somebody", club, role) if role else outsider
    status, _page = shown(name, user)
    assert status == (200 if role in allowed else 403 if role else 404)


def test_papers_are_only_read(club, secretary, signed_in):
    for name in ("club_print_centre", "print_members", "print_dues", "print_ratings", "print_printer_test"):
        assert signed_in(secretary).post(reverse(name, args=[club.slug])).status_code == 405


def test_the_member_list_without_and_with_contact(book, club, secretary, shown):
    _status, page = shown("print_members", secretary)
    assert page.index("Niktowa, Anna") < page.index("Измислен, Петър")
    assert "600 100 200" not in page
    assert not PersonalDataAccess.objects.exists()
    _status, page = shown("print_members", secretary, "&contact=1")
    assert "600 100 200" in page
    # An email address may be wrapped after its punctuation.
    assert "anna@przyklad.example" in page.replace("\u200b", "")
    seen = PersonalDataAccess.objects.get()
    assert (seen.user, seen.what, seen.details) == (
        secretary,
        PersonalDataAccess.DataAccessKind.LIST_EXPORT,
        {"count": 2, "on": "paper"},
    )


def test_arbiters_get_no_telephone_numbers(book, arbiter, shown):
    _status, page = shown("print_members", arbiter, "&contact=1")
    assert "Niktowa, Anna" in page
    assert "600 100 200" not in page


def test_the_dues_add_up(book, club, treasurer, shown):
    club.currency = "PLN"
    club.save()
    _status, page = shown("print_dues", treasurer, "&language=pl")
    rows = [row.split("</tr>")[0] for row in page.split("<tr")[2:]]
    of_anna = next(row for row in rows if "Niktowa" in row)
    assert [sum_ in of_anna for sum_ in ("80,00", "50,00", "30,00")] == [True] * 3
    assert "Razem" in rows[-1]
    assert "30,00" in rows[-1]
    _status, page = shown("print_dues", treasurer, "&dues=paid")
    assert "Niktowa" not in page


def test_a_series_of_another_club_is_not_there(club, neighbour, secretary, shown):
    own = Series.objects.create(club=club, name="Grand Prix")
    other = Series.objects.create(club=neighbour.memberships.get().club, name="Cudze")
    status, page = shown("print_series", secretary, "", own.pk)
    assert status == 200
    assert "Grand Prix" in page
    assert shown("print_series", secretary, "", other.pk)[0] == 404


def test_the_centre_offers_what_one_may_have(club, treasurer, arbiter, signed_in):
    Series.objects.create(club=club, name="Grand Prix")
    for user, sees_dues in ((treasurer, True), (arbiter, False)):
        page = signed_in(user).get(reverse("club_print_centre", args=[club.slug]))
        offered = {choice.code for group in page.context["groups"] for choice in group.choices}
        assert ("print_dues" in offered) is sees_dues
        assert {"print_members", "print_ratings", "print_printer_test"} < offered
        assert "Grand Prix" in page.content.decode()


def test_a_paper_is_printed_as_it_was_chosen_and_what_was_chosen_is_said(club, secretary, signed_in):
    browser = signed_in(secretary)
    asked = {"document": "print_members", "paper": "letter", "language": "cs"}
    there = browser.post(reverse("club_paper_print", args=[club.slug]), asked).url
    assert there.startswith(reverse("print_members", args=[club.slug]) + "?")
    assert {"paper=letter", "language=cs"} <= set(there.partition("?")[2].split("&"))
    page = browser.get(reverse("club_print_centre", args=[club.slug]), {"document": "print_members"})
    assert page.context["said"] == ["česky", "Letter"]
    nothing = browser.post(reverse("club_paper_print", args=[club.slug]), {"document": "print_everything"})
    assert nothing.status_code == 404


def test_the_style_of_a_preview_is_css(club, secretary, signed_in):
    answer = signed_in(secretary).get(reverse("print_members", args=[club.slug]) + "?as=css&part=7")
    assert answer["Content-Type"].startswith("text/css")
    assert "@page" in answer.content.decode()
    assert answer["X-Frame-Options"] == "SAMEORIGIN"


def offered(page) -> set[str]:
    return {choice.code for group in page.context["groups"] for choice in group.choices}


def test_letters_receipts_and_books_are_offered_where_there_are_any(book, club, treasurer, arbiter, signed_in):
    address = reverse("club_print_centre", args=[club.slug])
    codes = offered(signed_in(treasurer).get(address))
    assert "print_receipts" in codes
    # Anna has an email address, so she gets no letter.
    assert "print_dues_reminders" not in codes
    anna, _paid = book
    anna.email = ""
    anna.save()
    page = signed_in(treasurer).get(address)
    assert "print_dues_reminders" in offered(page)
    assert reverse("print_dues_reminders", args=[club.slug]) in {
        choice.address for group in page.context["groups"] for choice in group.choices
    }
    assert not {"print_receipts", "print_dues_reminders", "print_address_labels"} & offered(
        signed_in(arbiter).get(address)
    )


def test_the_books_of_a_year_are_offered_to_those_who_may_see_them(club, treasurer, arbiter, signed_in):
    address = reverse("club_print_centre", args=[club.slug])
    assert not any(code.startswith("annual_accounts") for code in offered(signed_in(treasurer).get(address)))
    cash = BookAccount.objects.create(club=club, kind="cash", name="Kasa")
    gift = BookAccount.objects.create(club=club, kind="income", name="Dotacja")
    record_accounting_entry(gift, cash, 500, on=date(2026, 3, 1), by=None)
    page = signed_in(treasurer).get(address)
    assert {"annual_accounts-2026", "accounting_journal-2026", f"account-{cash.pk}"} <= offered(page)
    assert "Kasa 2026" in page.content.decode()
    answer = signed_in(treasurer).post(
        reverse("club_paper_print", args=[club.slug]), {"document": "annual_accounts-2026"}
    )
    assert answer.url.startswith(reverse("print_annual_accounts", args=[club.slug, 2026]))
    assert "annual_accounts-2026" not in offered(signed_in(arbiter).get(address))


def test_receipts_of_a_year_or_one_of_them(book, club, treasurer, shown):
    anna, _paid = book
    record_payment(anna, 1000, method="cash", paid_on=date(2026, 2, 2), by=None)
    year = LedgerEntry.objects.filter(receipt_number=1).get().receipt_year
    status, page = shown("print_receipts", treasurer, f"&year={year}")
    assert status == 200
    assert f"{year}/1" in page
    assert PersonalDataAccess.objects.get().details == {"count": 2, "on": "paper", "dues": True}
    _status, second = shown("print_receipts", treasurer, f"&year={year}&receipt=2")
    assert f"{year}/2" in second
    assert f"{year}/1<" not in second
    assert shown("print_receipts", treasurer, "&year=1999")[0] == 409


def test_labels_need_permission_for_addresses_and_are_logged(book, club, secretary, treasurer, arbiter, shown):
    anna, _paid = book
    anna.address = "ul. Zmyślona 1\n00-950 Nigdzie"
    anna.save()
    assert shown("print_address_labels", arbiter)[0] == 403
    for user in (secretary, treasurer):
        _status, page = shown("print_address_labels", user, "&labels=l7163&used=99999")
        assert "00-950 Nigdzie" in page
        assert "Петър" not in page
    assert [each.details["count"] for each in PersonalDataAccess.objects.all()] == [1, 1]


def test_cards_and_the_voting_list_are_for_full_members(book, club, secretary, shown):
    make_member(club, "Gość, Jan", status="guest")
    make_member(club, "Kandydat, Jan", status="applicant")
    make_member(club, "Honorowa, Ewa", status="honorary")
    for name in ("print_membership_cards", "print_general_meeting"):
        _status, page = shown(name, secretary)
        assert "Niktow" in page
        assert "Honorowa" in page
        assert "Gość" not in page
        assert "Kandydat" not in page
    _status, page = shown("print_membership_cards", secretary, "&q=anna&year=2031")
    assert "2031" in page
    assert "Honorowa" not in page
