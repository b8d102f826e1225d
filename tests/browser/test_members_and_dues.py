"""The member list in a real browser: what secretary, treasurer and member can do, and what each is refused."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.hashers import make_password
from django.core import mail
from django.utils import timezone
from playwright.sync_api import Page, expect

from clubs.finance.bank.statements import ParsedStatementLine, save_new_lines
from clubs.models import Club, LedgerEntry, Member, Membership, Role, User
from lab.made_up_list import HEADER
from tests.browser.accessibility import assert_accessible
from tests.browser.signing_in import is_signed_in
from tests.clubs.rating.lists.test_reading import text_line

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "a night at the club"
TABLE = "family name;given name;born;e-mail\nWieżowa;Łucja;1980;lucja@poczta.example\nГончев;Петър;2012;\n"


@pytest.fixture
def club() -> Club:
    club = Club.objects.create(name="Pod Wieżą", slug="pod-wieza", currency="PLN")
    for role in (Role.SECRETARY, Role.TREASURER, Role.MEMBER):
        user = User.objects.create(username=role.value, password=make_password(PASSWORD))
        Membership.objects.create(user=user, club=club, role=role)
    return club


def come_in(page: Page, url: str, who: str) -> str:
    """Sign in, and return the club's URL."""
    is_signed_in(page, url, who)
    return f"{url}/pod-wieza"


def open_page(page: Page, address: str, heading: str | re.Pattern[str]) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
    assert_accessible(page)


def test_the_secretary_fills_the_member_list(club, live_server, page: Page, tmp_path: Path):
    home = come_in(page, live_server.url, "secretary")
    open_page(page, f"{home}/members/", "Members")
    page.get_by_role("link", name="Add a member").first.click()
    page.get_by_label("Family name").fill("van den Pionek")
    page.get_by_label("Given name").fill("Jan")
    page.get_by_label("Born").fill("28.3.2011")
    page.get_by_label("Emergency note").fill("Uczulenie")
    page.get_by_label("Username").fill("member")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("is under 18. Add a guardian with a phone number or email")).to_be_visible()

    table = tmp_path / "members.csv"
    table.write_bytes(TABLE.encode("utf-16"))
    open_page(page, f"{home}/members/import/", "Import members")
    page.get_by_label("File").set_input_files(table)
    page.get_by_role("button", name="Show preview").click()
    expect(page.get_by_role("row", name="Гончев, Петър")).to_be_visible()
    assert Member.objects.count() == 1
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("2 members added")).to_be_visible()

    page.get_by_label("Find by name").fill("gonchev")
    expect(page.get_by_text("1 member", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Гончев, Петър")).to_be_visible()
    page.get_by_label("Find by name").fill("")
    page.get_by_role("link", name="van den Pionek, Jan").click()
    expect(page.get_by_text("Uczulenie")).to_have_count(0)
    page.get_by_role("link", name="Emergency note").click()
    expect(page.get_by_text("Uczulenie")).to_be_visible()
    open_page(page, f"{home}/members/seen/", "Access log")
    expect(page.get_by_role("row", name=re.compile("secretary.*Emergency note.*Pionek"))).to_be_visible()

    open_page(page, f"{home}/dues/", "Dues")
    expect(page.get_by_role("link", name="Import bank statement")).to_have_count(0)
    assert page.goto(f"{home}/bank/import/").status == 403


def test_the_treasurer_takes_the_dues(club, live_server, page: Page):
    jan = Member.objects.create(
        club=club, family_name="Pionek", given_name="Jan", birth_year=1980, email="jan@x.example"
    )
    home = come_in(page, live_server.url, "treasurer")
    today = timezone.localdate()
    open_page(page, f"{home}/dues/seasons/new/", "New season")
    page.get_by_label("Name").first.fill("2026/27")
    page.get_by_label("Start date").fill(today.isoformat())
    page.get_by_label("End date").fill((today + timedelta(days=300)).isoformat())
    page.get_by_label("Due date").fill((today - timedelta(days=1)).isoformat())
    page.get_by_role("group", name="New fee class").first.get_by_label("Name").fill("Dorośli")
    page.get_by_role("group", name="New fee class").first.get_by_label("Amount").fill("120,50")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Charge 1 member").click()
    expect(page.get_by_text("1 member was charged.")).to_be_visible()

    open_page(page, f"{home}/dues/overdue/", "Overdue")
    page.get_by_role("button", name="Send selected reminders").click()
    expect(page.get_by_text("1 reminder saved as a file on the server.")).to_be_visible()
    assert "120.50" in mail.outbox[0].body

    open_page(page, f"{home}/dues/accounts/{jan.pk}/", "Pionek, Jan")
    expect(page.get_by_label("Amount").first).to_have_value("120.50")
    page.get_by_role("button", name="Record payment").click()
    expect(page.get_by_text(f"Recorded with receipt {today.year}/1.")).to_be_visible()
    expect(page.get_by_text("nothing owed")).to_be_visible()
    page.get_by_role("link", name=f"{today.year}/1").click()
    expect(page.get_by_role("heading", name=f"Receipt {today.year}/1")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Reverse…").last.click()
    page.get_by_label("Reason").fill("Wpłata innej osoby")
    page.get_by_role("button", name="Reverse entry").click()
    expect(page.get_by_text("Wpłata innej osoby")).to_be_visible()
    assert list(LedgerEntry.objects.order_by("pk").values_list("amount", flat=True)) == [12050, 12050, -12050]

    of_jan = ParsedStatementLine(booked_on=today, amount=12_050, text="za rok", party="Jan Pionek")
    save_new_lines(club, [of_jan, ParsedStatementLine(booked_on=today, amount=500, text="kawa", party="Nikt")], by=None)
    open_page(page, f"{home}/bank/", "Bank statements")
    expect(page.get_by_role("heading", name="2 transactions to review")).to_be_visible()
    for_a_year, coffee = (page.locator("[data-line]", has_text=text) for text in ("za rok", "kawa"))
    for_a_year.focus()
    page.keyboard.press("e")
    expect(for_a_year.locator("details select")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(page.get_by_role("heading", name="1 transaction to review")).to_be_visible()
    expect(coffee).to_be_focused()
    page.keyboard.press("i")
    expect(coffee.locator("input[name=reason]")).to_be_focused()
    assert LedgerEntry.objects.order_by("pk").last().amount == 12_050

    assert page.goto(f"{home}/members/{jan.pk}/emergency/").status == 403
    assert page.goto(f"{home}/members/{jan.pk}/edit/").status == 403
    assert page.goto(f"{home}/members/export.csv").status == 403


def test_a_member_sees_their_own_page_on_a_phone_without_scripts(club, live_server, phone: Page):
    user = User.objects.get(username="member")
    jan = Member.objects.create(club=club, family_name="Pionek", given_name="Jan", phone="+48 111", user=user)
    other = Member.objects.create(club=club, family_name="Inna", given_name="Ala", phone="+48 222")
    home = come_in(phone, live_server.url, "member")
    phone.goto(f"{home}/")
    phone.get_by_text("Menu", exact=True).click()
    phone.get_by_role("link", name="My page").click()
    expect(phone.get_by_text("+48 111")).to_be_visible()
    phone.get_by_role("button", name="Stop reminders").click()
    expect(phone.get_by_text("You won't get reminders by email.")).to_be_visible()
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Download my data").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "+48 111" in text
    assert "+48 222" not in text
    for refused in ("members/", f"members/{other.pk}/", f"members/{jan.pk}/", "dues/", f"dues/accounts/{jan.pk}/"):
        assert phone.goto(f"{home}/{refused}").status == 403, refused


def test_the_secretary_brings_in_a_rating_list(club, live_server, page: Page, tmp_path: Path, settings):
    settings.VAR_DIR = tmp_path
    Member.objects.create(club=club, family_name="Gonchev", given_name="Petar", fide_id=1100, rating=1700)
    (tmp_path / "players_list_foa.txt").write_text(
        f"{HEADER}\r\n{text_line(name='Gonchev, Petar')}\r\n{text_line(number='x' * 15)}\r\nbroken\r\n"
    )
    home = come_in(page, live_server.url, "secretary")
    open_page(page, f"{home}/ratings/lists/", "Rating lists")
    page.get_by_role("link", name="Import rating list").click()
    page.get_by_label("File").set_input_files(tmp_path / "players_list_foa.txt")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Nothing has been imported yet.")).to_be_visible()
    page.get_by_label("Month of the list").fill("2026-11")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("2 players are on the list.")).to_be_visible()
    expect(page.get_by_role("row", name="broken")).to_be_visible()

    open_page(page, f"{home}/ratings/lists/?q=нчев", "Rating lists")
    expect(page.get_by_role("row", name="Gonchev, Petar")).to_be_visible()
    open_page(page, f"{home}/ratings/lists/?q=nobody", "Rating lists")
    expect(page.get_by_text("No player found")).to_be_visible()
    page.get_by_role("link", name="Compare with our members").click()
    expect(page.get_by_role("row", name=re.compile("Gonchev.*1700.*1850"))).to_be_visible()
    page.get_by_role("button", name="Apply ticked changes").click()
    expect(page.get_by_text("4 changes made.")).to_be_visible()
    assert Member.objects.get().rating == 1850
