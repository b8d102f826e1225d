"""What each user sees of people, page by page; access is logged."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from clubs.finance.dues.ledger import record_payment
from clubs.models import LedgerEntry, Member, PersonalDataAccess, Role
from clubs.privacy import DataCategory, visible_data_categories
from tests.clubs.member_scenario import SECRETS, make_book, make_season, owing, page
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast

pytestmark = pytest.mark.django_db

NOBODYS = ("visitor", "neighbour")

made_once, cast = make_module_fixtures(make_book)


def jan(cast: Cast) -> Member:
    return cast.members[5]


def addresses(cast: Cast) -> dict[str, str]:
    """Every page of the member list that anybody might request, with its content."""
    person = jan(cast)
    season = make_season(cast.club, Wszyscy=(1000, "", None, None))
    due = owing(person, 1000)
    paid = record_payment(person, 1000, method="cash", paid_on=timezone.localdate(), by=None)
    return {
        "members": page("member_list"),
        "member": page("member_detail", person.pk),
        "member_edit": page("member_edit", person.pk),
        "member_new": page("member_new"),
        "emergency": page("member_emergency_note", person.pk),
        "export": page("members_export", "csv"),
        "import": page("members_import"),
        "duplicates": page("member_duplicates"),
        "merge": page("member_merge", person.pk, cast.members[4].pk),
        "groups": page("member_groups"),
        "viewings": page("data_access_log"),
        "kept_too_long": page("expired_data_list"),
        "member_data": page("member_data_download", person.pk),
        "member_erase": page("member_erase", person.pk),
        "guests": page("guest_list"),
        "dues": page("dues_overview"),
        "money_settings": page("dues_settings"),
        "season_new": page("dues_season_new"),
        "season": page("dues_season_detail", season.pk),
        "season_edit": page("dues_season_edit", season.pk),
        "ledger": page("ledger_export", "csv"),
        "account": page("member_dues_account", person.pk),
        "take_back": page("ledger_entry_reverse", due.pk),
        "bank": page("bank_lines_review"),
        "overdue": page("overdue_dues_list"),
        "receipt": page("receipt_detail", paid.receipt_year, paid.receipt_number),
        "receipt_pdf": page("print_receipt", paid.receipt_year, paid.receipt_number),
    }


OPEN_TO = {
    "arbiter": {"members", "member", "emergency", "guests"},
    "member": {"receipt", "receipt_pdf"},
    "treasurer": {"members", "member", "guests", "dues", "season_new", "season", "season_edit", "ledger", "account"}
    | {"money_settings"}
    | {"take_back", "bank", "overdue", "receipt", "receipt_pdf"},
    "secretary": {"members", "member", "member_edit", "member_new", "emergency", "export", "import", "duplicates"}
    | {"merge", "groups", "viewings", "kept_too_long", "member_data", "member_erase", "guests", "dues", "season"}
    | {"ledger", "account", "bank", "overdue", "receipt", "receipt_pdf"},
}


@pytest.mark.parametrize("who", NOBODYS)
def test_strangers_find_nothing(cast, who):
    browser = cast.browser(who)
    answers = {name: browser.get(address).status_code for name, address in addresses(cast).items()}
    assert set(answers.values()) == {302 if who == "visitor" else 404}


@pytest.mark.parametrize("who", OPEN_TO)
def test_each_role_opens_its_own_pages_and_no_others(cast, who):
    browser = cast.browser(who)
    opened = {name for name, address in addresses(cast).items() if browser.get(address).status_code == 200}
    assert opened == OPEN_TO[who]


def test_every_member_page_is_tried(cast):
    """A new page must say here who can see it."""
    assert set().union(*OPEN_TO.values()) == set(addresses(cast))


def test_an_arbiter_sees_no_contact_and_no_money(cast):
    owing(jan(cast), 1000)
    text = cast.browser("arbiter").get(page("member_detail", jan(cast).pk)).text
    assert "Nikt, Jan" in text
    assert not [secret for secret in SECRETS.values() if secret in text]
    assert "EUR" not in text
    assert "28 March" not in text, "the year is enough"


def test_an_arbiter_sees_the_emergency_note_and_it_is_written_down(cast):
    text = cast.browser("arbiter").get(page("member_emergency_note", jan(cast).pk)).text
    assert SECRETS["emergency_note"] in text
    assert SECRETS["guardian_phone"] in text
    assert SECRETS["address"] not in text
    seen = PersonalDataAccess.objects.get(what=PersonalDataAccess.DataAccessKind.EMERGENCY)
    assert (seen.user.username, seen.member) == ("arbiter", jan(cast))


def test_a_treasurer_sees_contact_and_money_but_no_emergency_note(cast):
    owing(jan(cast), 1050)
    treasurer = cast.browser("treasurer")
    text = treasurer.get(page("member_detail", jan(cast).pk)).text
    assert SECRETS["email"] in text
    assert "10.50" in text
    assert SECRETS["emergency_note"] not in text
    assert treasurer.get(page("member_emergency_note", jan(cast).pk)).status_code == 403
    assert not PersonalDataAccess.objects.filter(what=PersonalDataAccess.DataAccessKind.EMERGENCY).exists()


def test_the_secretary_opens_the_emergency_note_on_purpose_only(cast):
    secretary = cast.browser("secretary")
    assert SECRETS["emergency_note"] not in secretary.get(page("member_detail", jan(cast).pk)).text
    assert not PersonalDataAccess.objects.filter(what=PersonalDataAccess.DataAccessKind.EMERGENCY).exists()
    assert SECRETS["emergency_note"] in secretary.get(page("member_emergency_note", jan(cast).pk)).text


def test_looking_at_contacts_accounts_and_lists_is_written_down(cast):
    secretary = cast.browser("secretary")
    secretary.get(page("member_detail", jan(cast).pk))
    secretary.get(page("member_dues_account", jan(cast).pk))
    secretary.get(page("members_export", "xlsx"), {"q": "nikt"})
    assert set(PersonalDataAccess.objects.values_list("what", "user__username")) == {
        ("contact", "secretary"),
        ("money", "secretary"),
        ("list export", "secretary"),
    }
    assert PersonalDataAccess.objects.get(what="list export").details == {"count": 1, "filters": {"q": "nikt"}}
    assert "Nikt, Jan" in secretary.get(page("data_access_log")).text


def test_a_member_sees_only_their_own_data_and_dues(cast):
    owing(jan(cast), 1050)
    owing(cast.members[0], 7777)
    browser = cast.browser("member")
    text = browser.get(page("own_member_page")).text
    assert [secret for secret in SECRETS.values() if secret not in text] == []
    assert "10.50" in text
    assert "77.77" not in text
    assert browser.get(page("member_detail", cast.members[0].pk)).status_code == 403
    theirs = record_payment(cast.members[0], 7777, method="cash", paid_on=timezone.localdate(), by=None)
    assert browser.get(page("receipt_detail", theirs.receipt_year, theirs.receipt_number)).status_code == 404


def test_a_log_in_without_a_row_in_the_book_has_no_page_of_its_own(cast):
    assert cast.browser("arbiter").get(page("own_member_page")).status_code == 404


def test_a_member_may_not_book_nor_charge_nor_remind(cast):
    due = owing(jan(cast), 1000)
    season = make_season(cast.club)
    posts = {
        page("payment_add", jan(cast).pk),
        page("charge_add", jan(cast).pk),
        page("ledger_entry_reverse", due.pk),
        page("dues_season_charge", season.pk),
        page("overdue_reminders_send"),
        page("bank_statement_import"),
    }
    for who in ("member", "arbiter", "secretary"):
        assert {cast.browser(who).post(address).status_code for address in posts} == {403}, who
    assert LedgerEntry.objects.count() == 1


def test_a_secretary_who_is_also_treasurer_books(cast):
    assert DataCategory.EMERGENCY in visible_data_categories({Role.SECRETARY, Role.TREASURER})
    cast.club.memberships.create(user=cast.secretary, role=Role.TREASURER)
    assert cast.browser("secretary").get(page("bank_statement_import")).status_code == 200


def test_one_takes_ones_own_data_as_a_file(cast):
    owing(jan(cast), 1050)
    answer = cast.browser("member").get(page("own_data_download"))
    assert "attachment" in answer.headers["Content-Disposition"]
    data = json.loads(answer.content)
    assert [secret for secret in SECRETS.values() if secret not in json.dumps(data, ensure_ascii=False)] == []
    assert data["ledger"][0]["amount"] == 1050
    assert data["events"][0]["entered_as"]["name"] == "Nikt, Jan"
    assert "Domysłowska" not in json.dumps(data, ensure_ascii=False), "others are not his to take"
    assert PersonalDataAccess.objects.filter(
        what=PersonalDataAccess.DataAccessKind.DATA_EXPORT, member=jan(cast)
    ).exists()


def test_public_pages_give_no_member_data_away(cast):
    visitor = cast.browser("visitor")
    event = cast.event.slug
    for address in (page("club"), page("tournament", event), page("entries", event), page("trf_export", event)):
        text = visitor.get(address, follow=True).text
        assert not [secret for secret in SECRETS.values() if secret in text], address
        assert "2012-03-28" not in text
        assert "2012/03/28" not in text


def test_a_minor_without_a_guardian_is_a_warning_not_a_refusal(cast):
    values = {"family_name": "Nowa", "given_name": "Ola", "status": "member", "born": "2016-02-01"}
    answer = cast.browser("secretary").post(page("member_new"), values, follow=True)
    assert "is under 18. Add a guardian with a phone number or email" in answer.text
    assert Member.objects.filter(family_name="Nowa", birth_year=2016).exists()
