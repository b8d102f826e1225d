"""Guests, and the treasurer's pages: payments, seasons, ledger export, receipts."""

from __future__ import annotations

import re
import uuid
from datetime import date, timedelta
from io import BytesIO

import pytest
from django.utils import timezone
from pypdf import PdfReader

from clubs.finance.dues.forms import DuesSettingsForm
from clubs.finance.dues.ledger import record_payment
from clubs.finance.dues.season_charges import charge_season, overlapping_charged_seasons
from clubs.models import Club, DuesSeason, LedgerEntry, Member, PersonalDataAccess
from tests.clubs.member_scenario import make_book, make_season, owing, page
from tests.factories import make_member
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_book)


def jan(cast: Cast) -> Member:
    return cast.members[5]


def test_guest_nights_are_counted_once_an_evening(cast):
    guest = make_member(cast.club, "Gość, Ola", status="guest")
    arbiter = cast.browser("arbiter")
    today = timezone.localdate()
    for back in (0, 0, 7, 14, -1):
        arbiter.post(page("guest_night_record", guest.pk), {"on": (today - timedelta(days=back)).isoformat()})
    assert guest.guest_nights.count() == 3
    assert "evenings used up" in arbiter.get(page("guest_list")).text
    arbiter.post(page("guest_night_record", guest.pk), {"on": today.isoformat(), "remove": "1"})
    assert guest.guest_nights.count() == 2


def test_a_payment_sent_twice_from_the_page_is_booked_once(cast):
    treasurer = cast.browser("treasurer")
    owing(jan(cast), 1000)
    form = treasurer.get(page("member_dues_account", jan(cast).pk)).context["payment"]
    sent = {
        "amount": "10,00",
        "method": "cash",
        "paid_on": timezone.localdate().isoformat(),
        "form_key": str(form["form_key"].value()),
    }
    for _time in range(2):
        answer = treasurer.post(page("payment_add", jan(cast).pk), sent, follow=True)
        assert "receipt" in answer.text
    assert LedgerEntry.objects.filter(kind="payment").count() == 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"amount": "ten"}, "80.50"),
        ({"amount": "0"}, "t be 0."),
        ({"amount": ""}, "required"),
        ({"method": "gold"}, "gold"),
        ({"paid_on": "2126-01-01"}, "future"),
        ({"paid_on": "31.2.2026"}, "30.9.2026"),
        ({"form_key": "x"}, "UUID"),
    ],
)
def test_a_wrong_payment_is_not_booked_and_comes_back_filled_in(cast, wrong, said):
    sent = {"amount": "10", "method": "cash", "paid_on": "2026-01-02", "reference": "koperta"}
    sent |= {"form_key": "6f1a1b52-3d0e-4f4f-8f4e-000000000001"} | wrong
    answer = cast.browser("treasurer").post(page("payment_add", jan(cast).pk), sent)
    assert answer.status_code == 422
    assert said in answer.text
    assert 'value="koperta"' in answer.text
    assert not LedgerEntry.objects.exists()


def test_a_season_is_made_and_charged_through_the_pages(cast):
    treasurer = cast.browser("treasurer")
    sent = {
        "name": "2026/27",
        "starts_on": "2026-09-01",
        "ends_on": "2027-08-31",
        "due_on": "2026-10-31",
        "fees-TOTAL_FORMS": "3",
        "fees-INITIAL_FORMS": "0",
        "fees-0-name": "Wszyscy",
        "fees-0-amount": "120,50",
        "fees-0-place": "1",
        "fees-1-place": "1",
        "fees-2-place": "1",
    }
    assert treasurer.post(page("dues_season_new"), sent | {"ends_on": "2025-01-01"}).status_code == 422
    assert treasurer.post(page("dues_season_new"), sent | {"fees-0-amount": "x"}).status_code == 422
    treasurer.post(page("dues_season_new"), sent)
    season = cast.club.seasons.get()
    following = treasurer.get(page("dues_season_new")).text
    assert 'value="Wszyscy"' in following, "a new season starts with the fees of the last one"
    assert 'value="120.50"' in following
    assert "723.00" in treasurer.get(page("dues_season_detail", season.pk)).text
    seen = dict(
        re.findall(r'name="(count|sum)" value="(\d+)"', treasurer.get(page("dues_season_detail", season.pk)).text)
    )
    assert seen == {"count": str(len(cast.members)), "sum": str(len(cast.members) * 12050)}
    season.fee_classes.update(amount=15000)
    for old in ({}, seen, {"count": 5000 * "9", "sum": "x"}):
        answer = treasurer.post(page("dues_season_charge", season.pk), old, follow=True)
        assert "Nobody was charged" in answer.text, "the sum on the page must be the sum that is charged"
    assert not LedgerEntry.objects.exists()
    season.fee_classes.update(amount=12050)
    for _time in range(2):
        treasurer.post(page("dues_season_charge", season.pk), seen)
    assert LedgerEntry.objects.count() == len(cast.members)


def test_the_ledger_is_given_out_line_by_line(cast):
    make_season(cast.club)
    year = owing(jan(cast), 1050).booked_on.year
    text = cast.browser("treasurer").get(page("ledger_export", "csv"), {"year": year}).content
    assert "Nikt, Jan" in text.decode("utf-8-sig")
    assert ";10.50;" in text.decode("utf-8-sig")
    assert cast.browser("treasurer").get(page("ledger_export", "xlsx")).content[:2] == b"PK"
    assert {told["ledger"] for told in PersonalDataAccess.objects.values_list("details", flat=True)} == {year, "all"}


def test_a_receipt_taken_back_says_so(cast):
    entry = record_payment(jan(cast), 1000, method="cash", paid_on=timezone.localdate(), by=cast.secretary)
    treasurer = cast.browser("treasurer")
    assert treasurer.post(page("ledger_entry_reverse", entry.pk), {"reason": ""}).status_code == 422
    treasurer.post(page("ledger_entry_reverse", entry.pk), {"reason": "inna osoba"})
    assert re.findall(r">(revers[a-z]+)</span>", treasurer.get(page("dues_overview")).text) == ["reversal", "reversed"]
    assert f"{entry.receipt_year}/2" in treasurer.get(page("receipt_detail", entry.receipt_year, 1)).text
    assert "inna osoba" in cast.browser("member").get(page("receipt_detail", entry.receipt_year, 2)).text
    assert treasurer.get(page("receipt_detail", entry.receipt_year, 99)).status_code == 404


@pytest.mark.parametrize("name", ["dues_overview", "overdue_dues_list", "dues_season_detail", "member_list"])
def test_as_many_queries_for_six_as_for_sixty(cast, name, django_assert_max_num_queries):
    season = make_season(cast.club, Wszyscy=(1000, "", None, None))
    for n in range(60):
        owing(make_member(cast.club, f"Kopia {n}", email="a@b.example"), 100)
    treasurer = cast.browser("treasurer")
    with django_assert_max_num_queries(16):
        treasurer.get(page(name, *([season.pk] if name == "dues_season_detail" else [])))


def test_a_receipt_on_paper_says_what_the_page_says(cast):
    cast.club.language, cast.club.currency = "en", "PLN"
    cast.club.save()
    entry = record_payment(jan(cast), 12_050, method="cash", paid_on=date(2026, 1, 2), by=cast.secretary)
    answer = cast.browser("member").get(page("print_receipt", entry.receipt_year, entry.receipt_number))
    assert answer.headers["Content-Type"] == "application/pdf"
    (sheet,) = PdfReader(BytesIO(answer.content)).pages
    # Paper of the club's own format, so that no printer asks for another.
    assert [round(float(side) / 72 * 25.4) for side in sheet.mediabox[2:]] == [210, 297]
    text = " ".join(sheet.extract_text().split())
    for expected in (
        f"Receipt {entry.printed_receipt_number}",
        "Jan Nikt",
        "PLN 120.50",
        "2 January 2026, cash",
        "Pod Gońcem",
    ):
        assert expected in text


def test_the_currency_stands_once_there_is_money(cast):
    treasurer = cast.browser("treasurer")
    sent = {"currency": "PLN", "bank_account": "", "email": "", "guest_nights_allowed": "2"}
    assert treasurer.post(page("dues_settings"), sent | {"currency": "zł"}).status_code == 422
    treasurer.post(page("dues_settings"), sent)
    owing(jan(cast), 100)
    assert "entries in PLN" in treasurer.post(page("dues_settings"), sent | {"currency": "CZK"}).text
    cast.club.refresh_from_db()
    assert (cast.club.currency, cast.club.guest_nights_allowed) == ("PLN", 2)


@pytest.mark.parametrize(("text", "status"), [("£50", 422), ("50 zł", 302)])
def test_a_payment_is_in_the_clubs_currency(text, status, cast):
    Club.objects.filter(pk=cast.club.pk).update(currency="PLN")
    owing(jan(cast), 5000)
    sent = {"amount": text, "method": "cash", "paid_on": timezone.localdate(), "form_key": uuid.uuid4()}
    answer = cast.browser("treasurer").post(page("payment_add", jan(cast).pk), sent)
    assert answer.status_code == status
    assert [entry.amount for entry in LedgerEntry.objects.filter(kind="payment")] == ([5000] if status == 302 else [])


def test_the_page_of_currency_and_account_asks_for_all_that_is_kept_by_it(cast):
    text = cast.browser("treasurer").get(page("dues_settings")).text
    assert [name for name in DuesSettingsForm.Meta.fields if f'name="{name}"' not in text] == []


def test_a_second_season_of_the_same_days_says_what_was_charged_already(cast):
    first = make_season(cast.club, Wszyscy=(1000, "", None, None))
    DuesSeason.objects.filter(pk=first.pk).update(name="Pierwszy")
    second = make_season(cast.club, Wszyscy=(500, "", None, None))
    assert overlapping_charged_seasons(second) == [], "nobody was charged yet"
    charge_season(first, by=None)
    third = make_season_named(cast, "Trzeci")
    charge_season(third, by=None)
    assert set(overlapping_charged_seasons(second)) == {first, third}
    text = cast.browser("treasurer").get(page("dues_season_detail", second.pk)).text
    assert ("“Pierwszy” has already been charged" in text, "“Trzeci” has already been charged" in text) == (True, True)


def make_season_named(cast: Cast, name: str) -> DuesSeason:
    season = DuesSeason.objects.create(
        club=cast.club,
        name=name,
        starts_on=date(2026, 9, 1),
        ends_on=date(2027, 8, 31),
        due_on=date(2026, 10, 1),
    )
    season.fee_classes.create(name="Wszyscy", amount=700)
    return season


def test_a_season_to_be_paid_after_its_end_is_asked_about(cast):
    treasurer = cast.browser("treasurer")
    sent = {"name": "Rok 2026", "starts_on": "2026-01-01", "ends_on": "2026-12-31", "due_on": "2027-05-01"}
    sent |= {"instalments": "1", "fees-TOTAL_FORMS": "0", "fees-INITIAL_FORMS": "0"}
    asked = treasurer.post(page("dues_season_new"), sent)
    assert (asked.status_code, 'name="is_sure"' in asked.text) == (422, True)
    late = {"due_on": "2026-11-01", "instalments": "4"}
    assert treasurer.post(page("dues_season_new"), sent | late).status_code == 422, (
        "the last part falls due after its end"
    )
    assert not DuesSeason.objects.exists()
    assert treasurer.post(page("dues_season_new"), sent | {"is_sure": "on"}).status_code == 302


def test_what_was_paid_too_much_is_given_back_and_dues_are_waived_through_the_page(cast):
    treasurer, person = cast.browser("treasurer"), jan(cast)
    owing(person, 9000)
    form = treasurer.get(page("member_dues_account", person.pk)).context["waiver"]
    sent = {"amount": "40", "reason": "", "form_key": str(form["form_key"].value())}
    assert treasurer.post(page("waiver_add", person.pk), sent).status_code == 422
    assert treasurer.post(page("waiver_add", person.pk), sent | {"amount": "91", "reason": "x"}).status_code == 422
    for _time in range(2):
        assert treasurer.post(page("waiver_add", person.pk), sent | {"reason": "trudny rok"}).status_code == 302
    record_payment(person, 6000, method="cash", paid_on=timezone.localdate(), by=None)
    shown = treasurer.get(page("member_dues_account", person.pk))
    assert "trudny rok" in shown.text
    form = shown.context["back"]
    sent = {"amount": "10,01", "method": "cash", "paid_on": timezone.localdate().isoformat()}
    sent["form_key"] = str(form["form_key"].value())
    assert treasurer.post(page("refund_add", person.pk), sent).status_code == 422
    for _time in range(2):
        assert treasurer.post(page("refund_add", person.pk), sent | {"amount": "10"}).status_code == 302
    kinds = LedgerEntry.objects.order_by("pk").values_list("kind", "amount")
    assert list(kinds) == [("due", 9000), ("waiver", 4000), ("payment", 6000), ("refund", 1000)]


def test_more_rows_for_fee_classes_without_saving_in_between(cast):
    """Seven classes at once: no input is lost, nothing is saved, no error is shown."""
    treasurer = cast.browser("treasurer")
    sent = {"name": "2027", "starts_on": "2027-01-01", "instalments": "1", "fees-TOTAL_FORMS": "3"}
    sent |= {"fees-INITIAL_FORMS": "0", "fees-0-name": "Dorośli", "fees-0-amount": "1O0", "fees-0-place": "1"}
    shown = treasurer.post(page("dues_season_new"), sent | {"more": "1"})
    assert (shown.status_code, DuesSeason.objects.count()) == (200, 0)
    text = shown.text
    assert 'value="1O0"' in text
    assert 'value="Dorośli"' in text
    assert ("fees-5-name" in text, "fees-6-name" in text, 'role="alert"' in text) == (True, False, False)
    sent |= {"ends_on": "2027-12-31", "due_on": "2027-02-01", "fees-TOTAL_FORMS": "9"}
    for place in range(7):
        sent |= {
            f"fees-{place}-name": f"Klasa {place}",
            f"fees-{place}-amount": f"{place}0",
            f"fees-{place}-place": place,
        }
    assert treasurer.post(page("dues_season_new"), sent).status_code == 302
    season = DuesSeason.objects.get()
    assert season.fee_classes.count() == 7
    fee = {f"fees-{key}": value for key, value in {"TOTAL_FORMS": 1, "INITIAL_FORMS": 0, "0-name": "Nowa"}.items()}
    for amount, status in (("5", 302), ("5", 302), ("6", 422)):
        sent_again = sent | fee | {"fees-0-amount": amount, "fees-0-place": 9}
        assert treasurer.post(page("dues_season_edit", season.pk), sent_again).status_code == status
    new = season.fee_classes.filter(name="Nowa")
    assert [each.amount for each in new] == [500], "sent again it is no second"
    new.delete()
    first = season.fee_classes.first()
    edited = {
        "fees-TOTAL_FORMS": "10",
        "fees-INITIAL_FORMS": "7",
        "fees-0-id": first.pk,
        "fees-0-name": "Inna",
        "more": "1",
    }
    again = treasurer.post(page("dues_season_edit", season.pk), edited).text
    assert ('value="Inna"' in again, "fees-12-name" in again) == (True, True)
    first.refresh_from_db()
    assert first.name == "Klasa 0"


@pytest.mark.parametrize(
    ("where", "button", "sentence"),
    [
        ("bank_lines_review", "bank_statement_import", "The treasurer can import statements."),
        ("accounting_overview", "accounting_account_new", "The treasurer can enter opening balances."),
        ("dues_overview", "dues_season_new", "The treasurer can set up a season."),
    ],
)
def test_an_empty_page_has_a_button_for_the_treasurer_and_says_who_can_to_others(cast, where, button, sentence):
    empty = {
        who: cast.browser(who).get(page(where)).text.split('class="empty"')[1] for who in ("treasurer", "secretary")
    }
    assert [page(button) in empty["treasurer"], sentence in empty["treasurer"]] == [True, False]
    assert [page(button) in empty["secretary"], sentence in empty["secretary"]] == [False, True]


def test_dues_all_of_which_are_overdue_take_one_line(cast):
    treasurer = cast.browser("treasurer")
    owing(jan(cast), 1000)
    assert treasurer.get(page("dues_overview")).text.count("10.00") == 1
    account = page("member_dues_account", jan(cast).pk)
    assert '€10.00</span> <span class="badge care">overdue' in treasurer.get(account).text
    owing(jan(cast), 500, days=-30)
    figures = re.findall(r'class="figure">€([\d.]+)<', treasurer.get(account).text)
    assert figures == ["15.00", "10.00"], "what is owed, and what of it is overdue"
    text = treasurer.get(page("dues_overview")).text
    assert ["Total outstanding, all overdue" in text, "15.00" in text, text.count("10.00")] == [False, True, 1]


def test_reminders_are_sent_from_the_top_of_the_overdue_page(cast):
    owing(jan(cast), 1000)
    texts = {who: cast.browser(who).get(page("overdue_dues_list")).text for who in ("treasurer", "secretary")}
    head = texts["treasurer"].split("<table")[0]
    assert head.index("Send selected reminders") < head.index("Reminder texts")
    assert texts["treasurer"].count('id="reminders"') == head.count('form="reminders"') == 1
    assert "Send selected reminders" not in texts["secretary"]
    assert "The treasurer can send reminders." in texts["secretary"]


def test_the_overdue_page_has_a_column_of_reminders_once_one_was_sent(cast):
    treasurer = cast.browser("treasurer")
    owing(jan(cast), 1000)
    assert "Latest" not in treasurer.get(page("overdue_dues_list")).text
    treasurer.post(page("overdue_reminders_send"), {"member": [jan(cast).pk]})
    assert "Latest" in treasurer.get(page("overdue_dues_list")).text


def test_a_reversal_says_so_and_what_it_reverses_is_reversed(cast):
    treasurer = cast.browser("treasurer")
    charge = owing(jan(cast), 1000)
    treasurer.post(page("ledger_entry_reverse", charge.pk), {"reason": "Charged twice"})
    lines = treasurer.get(page("member_dues_account", jan(cast).pk)).text.split("<tbody>")[1].split("</tr>")
    badges = [re.findall(r'class="badge">(revers[a-z]+)<', line) for line in lines]
    assert badges[:2] == [["reversed"], ["reversal"]]


def test_a_year_without_entries_has_no_empty_tables(cast):
    said = cast.browser("treasurer").get(page("accounting_year_report", 2020)).text
    assert ["No entries in 2020 yet." in said, "<table" in said] == [True, False]
