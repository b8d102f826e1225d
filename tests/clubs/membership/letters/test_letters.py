"""Letters to groups: to each address once, in its language, with progress, refusals and people who want none."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from smtplib import SMTPRecipientsRefused

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.membership.letters.audiences import club_audiences, find_audience
from clubs.membership.letters.sending import letter_counts, unsubscribe, unsubscribe_token
from clubs.models import DuesSeason, GroupLetter, LetterCopy, LetterOptOut, Member, MemberGroup
from clubs.privacy import erase_member_data, export_member_data
from common.emails.smtp_delivery import MailServerConnection
from tests.clubs.member_scenario import owing
from tests.clubs.membership.applications.conftest import process
from tests.factories import make_club, make_event, make_member
from tournaments.models import OnlineEntry
from tournaments.privacy.personal_data import delete_old_viewing_log

YEAR = timezone.localdate().year


@pytest.fixture(autouse=True)
def mail_server(settings) -> None:
    settings.EMAIL_HOST = "mail.example"


@pytest.fixture
def people(club) -> dict[str, Member]:
    """Two members with one address, a child, a Czech, one without an address, a former member and a guest."""
    facts = {
        "Nikt, Anna": {"email": "nikt@poczta.example"},
        "Nikt, Jan": {"email": "NIKT@poczta.example"},
        "Nikt, Ola": {"email": "ola@poczta.example", "guardian_email": "mama@poczta.example", "birth_year": YEAR - 9},
        "Nikdo, Petr": {"email": "petr@poczta.example", "language": "cs"},
        "Bez, Adresu": {},
        "Byłby, Kto": {"email": "byl@poczta.example", "status": Member.Status.FORMER},
        "Gość, Adam": {"email": "adam@poczta.example", "status": Member.Status.GUEST},
    }
    return {name: make_member(club, name, **more) for name, more in facts.items()}


@pytest.fixture
def officer(client, club, secretary) -> Client:
    client.force_login(secretary)
    return client


def write(officer: Client, club, to: str = "members", **more: str):
    data = {
        "form_key": str(uuid.uuid4()),
        "subject_en": "Hello {name}",
        "text_en": "Dear {name}, come to {club}.",
        "do": "send",
    }
    return officer.post(reverse("letter_new", args=[club.slug]) + f"?to={to}", data | more)


def recipients() -> list[str]:
    return sorted(each.to[0] for each in mail.outbox)


MEMBERS = ["mama@poczta.example", "nikt@poczta.example", "petr@poczta.example"]


def test_each_address_gets_it_once_also_after_a_double_click(officer, club, people):
    key = str(uuid.uuid4())
    write(officer, club, form_key=key)
    write(officer, club, form_key=key)
    assert recipients() == MEMBERS
    letter = GroupLetter.objects.get()
    assert (letter.audience, letter.by.username, letter.left_out) == ("All members", "secretary", 1)
    page = officer.get(reverse("letter_detail", args=[club.slug, letter.pk])).text
    assert [address in page for address in MEMBERS] == [True] * 3
    assert "3 sent" in page
    assert "Hello {name}" in officer.get(reverse("letter_list", args=[club.slug])).text


def test_who_goes_back_and_corrects_the_text_sends_another_letter(officer, club, people):
    key = str(uuid.uuid4())
    write(officer, club, form_key=key)
    mail.outbox.clear()
    page = write(officer, club, form_key=key, text_en="Dear {name}, on Friday.")
    assert (page.status_code, mail.outbox) == (422, [])
    assert "already sent" in page.text
    new_key = re.search(r'name="form_key" value="([^"]+)"', page.text)[1]
    assert 'value="send"' in page.text
    for _click in range(2):
        assert write(officer, club, form_key=new_key, text_en="Dear {name}, on Friday.").status_code == 302
    assert recipients() == MEMBERS
    assert {str(each.body).split("\n")[0][-10:] for each in mail.outbox} == {"on Friday."}


def test_placeholders_are_filled_in_and_each_reads_their_language(officer, club, people):
    write(officer, club, subject_cs="Ahoj {name}", text_cs="Přijď, {name}.")
    said = {each.to[0]: (each.subject, str(each.body)) for each in mail.outbox}
    assert said["nikt@poczta.example"][0] == "Hello Anna and Jan"
    assert said["nikt@poczta.example"][1].startswith(f"Dear Anna and Jan, come to {club.name}.")
    assert said["petr@poczta.example"][0] == "Ahoj Petr"
    assert "Přijď, Petr." in said["petr@poczta.example"][1]


def test_nothing_is_sent_by_a_preview_or_with_a_mistake(officer, club, people):
    page = write(officer, club, do="preview", reader="petr@poczta.example", text_en="{name} <b>")
    assert "Petr &lt;b&gt;" in page.text
    for wrong in (
        {"text_en": "{nmae}"},
        {"text_en": "{amount}"},
        {"subject_en": ""},
        {"subject_cs": "Ahoj"},
        {"form_key": "x"},
        {"subject_en": "x" * 121},
    ):
        assert write(officer, club, **wrong).status_code == 422, wrong
    assert write(officer, club, "event:999").status_code == 302
    assert mail.outbox == []
    assert not GroupLetter.objects.exists()


def test_a_subject_of_several_lines_adds_no_header(officer, club, people):
    write(officer, club, subject_en="Hello\r\nBcc: all@poczta.example")
    assert {each.subject for each in mail.outbox} == {"Hello Bcc: all@poczta.example"}
    assert {len(each.recipients()) for each in mail.outbox} == {1}


def test_one_click_unsubscribes_without_a_session_and_the_address_gets_no_more(officer, club, people):
    write(officer, club)
    headers = next(each for each in mail.outbox if each.to == ["nikt@poczta.example"]).extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = re.fullmatch(r"<https?://[^/]+(/\S+)>", headers["List-Unsubscribe"])[1]
    reader = Client(enforce_csrf_checks=True)
    assert reader.get(stop).status_code == 200
    assert not LetterOptOut.objects.exists()
    assert reader.post(stop, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert reader.post(stop).status_code == 200
    assert LetterOptOut.objects.get().email == "nikt@poczta.example"
    assert reader.post(stop[:-4] + "AAA/").status_code == 404
    assert reader.post(stop.replace(club.slug, make_club("inny", "Inny").slug)).status_code == 404
    mail.outbox.clear()
    write(officer, club, subject_en="Again")
    assert recipients() == ["mama@poczta.example", "petr@poczta.example"]
    assert "1 address has opted out of letters" in officer.get(reverse("letter_list", args=[club.slug])).text


def test_who_was_unsubscribed_by_another_reader_gets_letters_again(officer, club, people):
    write(officer, club)
    copy = LetterCopy.objects.get(email="nikt@poczta.example")
    stop = reverse("letters_unsubscribe", args=[club.slug, unsubscribe_token(copy)])
    reader = Client(enforce_csrf_checks=True)
    page = reader.post(stop, {"List-Unsubscribe": "One-Click"})
    assert "no-store" in page.headers["Cache-Control"]
    assert 'value="resume"' in page.text
    assert reader.post(stop, {"do": "resume"}).status_code == 200
    mail.outbox.clear()
    write(officer, club, subject_en="Again")
    assert recipients() == MEMBERS


def test_who_wants_no_letters_is_exported_and_erased_with_the_last_person_of_the_address(officer, club, people):
    write(officer, club)
    unsubscribe(LetterCopy.objects.get(email="nikt@poczta.example"))
    unsubscribe(LetterCopy.objects.get(email="petr@poczta.example"))
    anna, jan = people["Nikt, Anna"], people["Nikt, Jan"]
    assert export_member_data(jan)["addresses_without_letters"] == ["nikt@poczta.example"]
    erase_member_data(anna)
    assert LetterOptOut.objects.filter(email="nikt@poczta.example").exists()
    erase_member_data(jan)
    assert LetterOptOut.objects.get().email == "petr@poczta.example"


def test_seeing_the_addresses_and_debts_of_a_letter_is_logged(officer, club, people):
    owing(people["Nikt, Anna"], 8_000)
    officer.get(reverse("letter_new", args=[club.slug]) + "?to=members")
    assert list(club.data_accesses.values_list("what", flat=True)) == ["contact"]
    officer.get(reverse("letter_new", args=[club.slug]) + "?to=overdue")
    assert sorted(club.data_accesses.values_list("what", flat=True)) == ["contact", "contact", "money"]
    write(officer, club)
    club.data_accesses.all().delete()
    officer.get(reverse("letter_detail", args=[club.slug, GroupLetter.objects.get().pk]))
    assert list(club.data_accesses.values_list("what", flat=True)) == ["contact"]


def test_an_adults_letters_do_not_go_to_who_was_their_guardian(club):
    facts = {"guardian_email": "mama@poczta.example"}
    make_member(club, "Nikt, Adam", birth_year=YEAR - 30, **facts)
    make_member(club, "Nikt, Ola", **facts)
    found = {each.name: each.email for each in find_audience(club, "members").readers()}
    assert found == {"Nikt, Adam": "", "Nikt, Ola": "mama@poczta.example"}


def test_a_refused_address_is_recorded_and_a_server_that_is_down_delivers_later(officer, club, people, monkeypatch):
    real = MailServerConnection.send_email

    def send_email(self, letter, hand_over) -> None:
        if letter.to == ["petr@poczta.example"]:
            raise SMTPRecipientsRefused({"petr": (550, b"no such user")})
        real(self, letter, hand_over)

    def refuse(_server: object) -> None:
        raise ConnectionRefusedError("no")

    with monkeypatch.context() as down:
        down.setattr(MailServerConnection, "open_connection", refuse)
        write(officer, club)
    assert mail.outbox == []
    detail = reverse("letter_detail", args=[club.slug, GroupLetter.objects.get().pk])
    assert "3 waiting" in officer.get(detail).text
    # Who unsubscribes meanwhile doesn't get it either.
    stop = LetterCopy.objects.get(email="mama@poczta.example")
    unsubscribe(stop)
    monkeypatch.setattr(MailServerConnection, "send_email", send_email)
    LetterCopy.objects.update(email_due_at=timezone.now())
    process()
    process()
    assert recipients() == ["nikt@poczta.example"]
    assert LetterCopy.objects.get(email="petr@poczta.example").error == "550 no such user"
    assert "550 no such user" in officer.get(detail).text


def test_the_secretary_stops_what_still_waits(officer, club, people, monkeypatch):
    def refuse(_server: object) -> None:
        raise ConnectionRefusedError("no")

    with monkeypatch.context() as down:
        down.setattr(MailServerConnection, "open_connection", refuse)
        write(officer, club)
    detail = reverse("letter_detail", args=[club.slug, GroupLetter.objects.get().pk])
    assert "hx-trigger" in officer.get(detail).text
    assert "3 emails stopped" in officer.post(detail, follow=True).text
    LetterCopy.objects.update(email_due_at=timezone.now())
    process()
    assert mail.outbox == []
    page = officer.get(detail).text
    assert "hx-trigger" not in page
    assert "0 sent · 3 stopped · 1 left out" in " ".join(page.split())


def test_a_stopped_letter_is_sent_after_all_or_corrected_for_those_who_did_not_get_it(
    officer, club, people, monkeypatch
):
    with monkeypatch.context() as down:
        down.setattr(MailServerConnection, "open_connection", _refuse)
        write(officer, club)
    letter = GroupLetter.objects.get()
    letter.copies.filter(email="petr@poczta.example").update(email_due="")
    detail = reverse("letter_detail", args=[club.slug, letter.pk])
    officer.post(detail)
    corrected = officer.get(reverse("letter_new", args=[club.slug]) + f"?to=letter:{letter.pk}").text
    assert "Dear {name}, come to {club}." in corrected
    assert "petr@poczta.example" not in corrected
    write(officer, club, f"letter:{letter.pk}", subject_en="Corrected")
    assert recipients() == ["mama@poczta.example", "nikt@poczta.example"]
    assert {each.subject for each in mail.outbox} == {"Corrected"}
    assert write(officer, make_club("inny", "Inny"), f"letter:{letter.pk}").status_code in (302, 403, 404)
    mail.outbox.clear()
    page = officer.get(detail).text
    assert "2 got the corrected letter" in page
    assert 'value="resume"' not in page
    officer.post(detail, {"do": "resume"})
    process()
    assert mail.outbox == []


def test_stopped_emails_are_sent_after_all_except_to_who_opted_out_since(officer, club, people, monkeypatch):
    with monkeypatch.context() as down:
        down.setattr(MailServerConnection, "open_connection", _refuse)
        write(officer, club)
    letter = GroupLetter.objects.get()
    detail = reverse("letter_detail", args=[club.slug, letter.pk])
    officer.post(detail)
    unsubscribe(LetterCopy.objects.get(email="mama@poczta.example"))
    for _click in range(2):
        officer.post(detail, {"do": "resume"})
        process()
    assert recipients() == ["nikt@poczta.example", "petr@poczta.example"]
    assert letter_counts([letter])[0][1].stopped == 1
    LetterCopy.objects.update(error="stopped")
    GroupLetter.objects.update(made_at=timezone.now() - timedelta(days=3))
    mail.outbox.clear()
    assert 'value="resume"' not in officer.get(detail).text
    officer.post(detail, {"do": "resume"})
    assert write(officer, club, f"letter:{letter.pk}").status_code == 302
    process()
    assert mail.outbox == []


def _refuse(_server: object) -> None:
    raise ConnectionRefusedError("no")


def test_the_same_letter_again_is_asked_about_once(officer, club, people):
    write(officer, club)
    mail.outbox.clear()
    page = write(officer, club)
    assert (page.status_code, mail.outbox) == (422, [])
    assert 'name="repeat"' in page.text
    write(officer, club, repeat="1")
    assert recipients() == MEMBERS


def test_a_family_gets_one_letter_that_names_all_and_the_adult_first(officer, club):
    adult = make_member(club, "Zima, Zoe", email="zima@poczta.example")
    for name in ("Zima, Adam", "Zima, Ben"):
        child = make_member(club, name, guardian_email="zima@poczta.example", birth_year=YEAR - 9)
        owing(child, 3_000)
    write(officer, club)
    assert [each.subject for each in mail.outbox] == ["Hello Zoe, Adam and Ben"]
    mail.outbox.clear()
    write(officer, club, "owing", text_en="{amount}; {reference}")
    (letter,) = mail.outbox
    assert letter.subject == "Hello Adam and Ben"
    first, second = (each.accounts.get().payment_reference for each in Member.objects.exclude(pk=adult.pk))
    assert str(letter.body).startswith(f"€30.00 + €30.00; {first} / {second}")
    assert letter.from_email == f"{club.name} <clubnight@localhost>"


def test_the_members_page_shows_who_wants_no_letters_and_whose_address_is_wrong(officer, club, people):
    write(officer, club)
    unsubscribe(LetterCopy.objects.get(email="petr@poczta.example"))
    LetterCopy.objects.filter(email="nikt@poczta.example").update(error="550 no such user")

    def page(name: str) -> str:
        return officer.get(reverse("member_detail", args=[club.slug, people[name].pk])).text

    assert "has opted out of letters" in page("Nikdo, Petr")
    assert "550 no such user" in page("Nikt, Anna")
    assert "not delivered" not in page("Nikt, Ola")
    listed = officer.get(reverse("letter_list", args=[club.slug])).text
    assert "Nikdo, Petr" in listed
    preview = write(officer, club, do="preview").text
    assert "1 person has opted out of letters" in preview
    assert "1 person has no email address" in preview


def test_the_list_needs_no_more_queries_for_more_letters(officer, club, people, django_assert_num_queries):
    address = reverse("letter_list", args=[club.slug])
    write(officer, club)
    officer.get(address)
    with CaptureQueriesContext(connection) as one:
        officer.get(address)
    for_one = len(one)
    for number in range(3):
        write(officer, club, subject_en=f"Letter {number}")
    officer.get(address)
    with django_assert_num_queries(for_one):
        assert officer.get(address).text.count("3 sent") == 4


def test_the_groups_of_a_club(club, people):
    juniors = MemberGroup.objects.create(club=club, name="Juniors")
    people["Nikt, Ola"].groups.add(juniors)
    owing(people["Nikt, Anna"], 8_000)
    last = DuesSeason.objects.create(
        club=club, name="Last", starts_on=f"{YEAR - 1}-01-01", ends_on=f"{YEAR - 1}-12-31", due_on=f"{YEAR - 1}-01-31"
    )
    event = make_event(club)
    type(event).objects.filter(pk=event.pk).update(starts_on=last.starts_on, ends_on=last.starts_on)
    event.entries.create(name="Byłby, Kto", member=people["Byłby, Kto"])
    guest = event.entries.create(name="Obcy, Ktoś")
    OnlineEntry.objects.create(tournament=event, entry=guest, name="Obcy, Ktoś", email="obcy@poczta.example")
    OnlineEntry.objects.create(tournament=event, name="Czeka, Ktoś", email="czeka@poczta.example", state="waiting")

    def addresses(key: str) -> list[str]:
        return sorted(filter(None, (reader.email for reader in find_audience(club, key).readers())))

    assert addresses(f"group:{juniors.pk}") == ["mama@poczta.example"]
    (debtor,) = find_audience(club, "overdue").readers()
    assert (debtor.name, debtor.amount) == ("Nikt, Anna", "€80.00")
    assert debtor.reference == people["Nikt, Anna"].accounts.get().payment_reference
    assert addresses(f"event:{event.pk}") == ["byl@poczta.example", "obcy@poczta.example"]
    # The guest's address was given for that event only.
    assert addresses("last-season") == ["byl@poczta.example"]
    other = make_club("inny", "Inny")
    assert {each.key for each in club_audiences(other)} == {"members", "owing", "overdue"}
    assert find_audience(other, f"event:{event.pk}") is None


def test_letters_are_exported_and_erased_with_the_person_and_deleted_after_two_years(officer, club, people):
    write(officer, club)
    petr = people["Nikdo, Petr"]
    (copy,) = export_member_data(petr)["letters"]
    assert (copy["email"], copy["text"][0]["subject"]) == ("petr@poczta.example", "Hello {name}")
    erase_member_data(petr)
    assert not LetterCopy.objects.filter(email="petr@poczta.example").exists()
    today = timezone.localdate()
    delete_old_viewing_log(club, today=today + timedelta(days=729))
    assert GroupLetter.objects.exists()
    delete_old_viewing_log(club, today=today + timedelta(days=731))
    assert not LetterCopy.objects.exists()
