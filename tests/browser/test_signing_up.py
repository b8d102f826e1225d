"""Three people on a phone without scripts: the taps and fields that each of them needs are counted."""

from __future__ import annotations

import re
import time
from datetime import timedelta

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from clubs.finance.accounting.entries import open_money_account
from clubs.models import Club, DuesSeason, FeeClass, Member, RatingListPlayer, Role
from clubs.rating.lists.import_jobs import get_fide_register
from clubs.rating.lists.list_import import name_search_text
from tests.factories import make_club, make_event, make_user, round_of
from tournaments.check_in.byes import round_attendance
from tournaments.check_in.personal_links import event_link_url
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.models import EntryFee, OnlineEntrySettings
from tournaments.online_entries.fees import find_paid_payments

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Counted:
    """A phone whose taps and filled fields are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.fields = page, 0, 0

    def tap(self, what: Locator) -> None:
        what.click()
        self.taps += 1

    def button(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name, exact=True))

    def fill(self, label: str, text: str, *, nth: int = 0) -> None:
        self.page.get_by_label(re.compile(rf"^\s*{label}\b")).nth(nth).fill(text)
        self.fields += 1

    def tick(self, label: str) -> None:
        self.page.get_by_label(label).check()
        self.fields += 1

    def open_email(self, to: str, nth: int) -> str:
        """Open the link of a person's nth email, and return the email's text."""
        deadline = time.monotonic() + 60
        while len(found := [str(each.body) for each in mail.outbox if each.to == [to]]) <= nth:
            assert time.monotonic() < deadline, "the email doesn't come"
            time.sleep(0.05)
        self.page.goto(re.findall(r"https?://\S+", found[nth])[0])
        self.taps += 1
        return found[nth]


@pytest.fixture
def club(live_server, settings) -> Club:
    settings.EMAIL_HOST = "mail.example"
    club = make_club()
    club.bank_account, club.takes_applications = "DE89370400440532013000", True
    club.save()
    return club


@pytest.fixture
def person(phone) -> Counted:
    return Counted(phone)


def signed_in(club: Club, role: Role) -> Client:
    browser = Client()
    browser.force_login(make_user(role.value, club, role))
    return browser


def test_a_stranger_enters_an_open_with_a_rating_limit_and_pays_by_the_code(person, club, live_server):
    event = make_event(club)
    form = OnlineEntrySettings.objects.create(tournament=event, is_open=True, rating_to=1900)
    EntryFee.objects.create(settings=form, name="Open", amount=2000)
    for number, rating in (("1100012", 1850), ("1100013", 2350)):
        name = f"Wiśniewska, {'Ewa' if rating < 2000 else 'Maja'}"
        RatingListPlayer.objects.create(
            register=get_fide_register(),
            number=number,
            name=name,
            searched=name_search_text(name),
            standard=rating,
            birth_year=1988,
            federation="POL",
        )
    person.page.goto(f"{live_server.url}/{club.slug}/{event.slug}/")
    person.tap(person.page.get_by_role("link", name="Enter this event"))
    person.fill("Name", "Wisniewska, Ewa")
    person.fill("Email", "ewa@poczta.example")
    person.fill("Birth year", "1988")
    person.tick("Show my name on public lists")
    person.button("Enter this event")
    person.tap(person.page.get_by_role("radio", name=re.compile("Ewa")))
    person.button("Enter this event")
    expect(person.page.get_by_text("Check your email")).to_be_visible()
    person.open_email("ewa@poczta.example", 0)
    person.button("Confirm the entry")
    code = person.page.get_by_role("img", name="QR code for your bank's app")
    expect(code).to_be_visible()
    assert code.bounding_box()["width"] > 120
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert (person.fields, person.taps) == (4, 6)
    # The treasurer imports the statement with the reference that the code has.
    treasurer = signed_in(club, Role.TREASURER)
    today, online = timezone.localdate(), event.online_entries.get()
    open_money_account(club, kind="bank", name="Bank", iban="", balance=0, on=today, by=None)
    table = f"Wann;Wieviel;Wer;Wozu\n{today:%d.%m.%Y};20,00;E. Wisniewska;Start {online.payment.payment_reference}\n"
    address = reverse("bank_statement_import", args=[club.slug])
    asked = treasurer.post(address, {"file": SimpleUploadedFile("statement.csv", table.encode())})
    treasurer.post(address, {"token": asked.context["token"], "day": "0", "amount": "1", "party": "2", "text": "3"})
    treasurer.post(reverse("bank_lines_book_certain", args=[club.slug]))
    assert find_paid_payments([online]) == {online.payment_id}
    assert (online.entry.name, online.entry.rating) == ("Wiśniewska, Ewa", 1850)
    # The other one is too strong.
    person.page.goto(f"{live_server.url}/{club.slug}/{event.slug}/enter/")
    person.fill("Name", "Wiśniewska, Maja")
    person.fill("Email", "maja@poczta.example")
    person.fill("Birth year", "1988")
    person.button("Enter this event")
    person.tap(person.page.get_by_role("radio", name=re.compile("Maja")))
    person.button("Enter this event")
    expect(person.page.get_by_role("alert")).to_contain_text("rated 1900 or lower")


def test_a_member_cannot_come_on_monday_and_comes_on_tuesday_at_five(person, club, live_server):
    event = make_event(club, players_check_in=True)
    enter_pasted_list(event, "Nowak, Anna; 1700\nNikt, Jan; 1600", by=None)
    anna = event.entries.get(name="Nowak, Anna")

    def evening_in(left: timedelta) -> None:
        """The evening comes nearer."""
        event.rounds.filter(number=1).update(starts_at=timezone.now() + left)

    def will_play() -> list[str]:
        return sorted(each.entry.name for each in round_attendance(round_of(event, 1)) if each.is_to_be_paired)

    evening_in(timedelta(days=1, hours=1, minutes=30))
    person.page.goto(live_server.url + event_link_url(anna))
    person.button("I can't")
    expect(person.page.get_by_text("You get ½ point (your first bye of 2).")).to_be_visible()
    assert (person.fields, person.taps, will_play()) == (0, 1, ["Nikt, Jan"])
    evening_in(timedelta(hours=1, minutes=30))
    person.page.reload()
    person.button("I'm coming")
    expect(person.page.get_by_text("You said you're coming.")).to_be_visible()
    assert (person.fields, person.taps, will_play()) == (0, 2, ["Nikt, Jan", "Nowak, Anna"])
    evening_in(timedelta(minutes=30))
    person.page.reload()
    expect(person.page.get_by_role("button", name="I can't", exact=True)).to_have_count(0)


def test_a_parent_signs_up_two_children_for_the_club(person, club, live_server):
    year = timezone.localdate().year
    season = DuesSeason.objects.create(
        club=club, name="Season", starts_on=f"{year}-01-01", ends_on=f"{year}-12-31", due_on=f"{year}-01-31"
    )
    FeeClass.objects.create(season=season, name="Juniors", amount=4000, to_age=17)
    person.page.goto(f"{live_server.url}/{club.slug}/")
    person.tap(person.page.get_by_role("link", name="Join the club"))
    person.button("Add another person")
    for nth, (name, born) in enumerate((("Ola", f"{year - 8}-03-04"), ("Iga", f"{year - 10}-05-06"))):
        person.fill("Given name", name, nth=nth)
        person.fill("Family name", "Mała", nth=nth)
        person.fill("Birth date", born, nth=nth)
    person.fill("Email", "mama@poczta.example")
    person.button("Apply for membership")
    # Without a guardian it isn't taken, and nothing that was typed is lost.
    expect(person.page.get_by_role("alert")).to_contain_text("Children can only join with a parent or guardian")
    person.fill("Parent or guardian", "Ewa Mała")
    person.button("Apply for membership")
    expect(person.page.get_by_text("Check your email")).to_be_visible()
    person.open_email("mama@poczta.example", 0)
    person.button("Confirm the application")
    expect(person.page.get_by_role("status")).to_contain_text("has your application and will write to you")
    assert (person.fields, person.taps) == (8, 6)
    secretary = signed_in(club, Role.SECRETARY)
    secretary.post(reverse("application_decide", args=[club.slug, club.applications.get().pk]), {"do": "accept"})
    letter = person.open_email("mama@poczta.example", 2)
    assert sorted(club.members.values_list("given_name", "status")) == [
        ("Iga", Member.Status.MEMBER),
        ("Ola", Member.Status.MEMBER),
    ]
    for member in club.members.all():
        assert f"{member.given_name} {member.family_name}: membership number {member.pk}" in letter
    expect(person.page.get_by_role("img", name="QR code for your bank's app")).to_be_visible()
