"""Strangers apply for membership: nobody without a confirmed address, no child without a guardian."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.membership.applications.decisions import refuse_application
from clubs.membership.applications.submission import confirm_application
from clubs.models import ApplicationNotice, MembershipApplication
from common.emails.confirmation import MAX_CONFIRMATIONS_A_DAY
from tests.clubs.membership.applications.conftest import (
    JAN,
    YEAR,
    child,
    form_of,
    links,
    process,
    states,
)
from tests.factories import make_club, make_member

# -- The form --------------------------------------------------------------------------------------------------------


def test_an_application_counts_only_after_its_address_is_confirmed_and_the_link_works_once(client, open_club):
    client.post(form_of(open_club), JAN)
    process()
    (link,) = links("jan@poczta.example")
    token = link.split("/")[-2]
    assert MembershipApplication.objects.get().token_hash not in ("", token)
    assert client.get(link).status_code == 200
    assert states() == ["unconfirmed"]
    client.post(link)
    assert states() == ["open"]
    assert client.post(link).status_code == client.get(link).status_code == 410
    assert client.get(link[:-5] + "abcd/").status_code == 410
    assert not open_club.members.exists()


def test_links_of_another_club_and_forged_ones_open_nothing(client, open_club, apply):
    apply()
    process()
    own = links("jan@poczta.example")[-1]
    assert client.get(own).status_code == 200
    other = make_club("inny", "Inny")
    other.takes_applications = True
    other.save()
    assert client.get(own.replace(open_club.slug, other.slug)).status_code == 404
    assert client.get(own[:-6] + "AAAAA/").status_code == 404


def test_a_form_closed_meanwhile_says_so_and_keeps_what_was_typed(client, open_club):
    open_club.takes_applications = False
    open_club.save()
    answer = client.post(form_of(open_club), JAN)
    assert "taking applications now" in answer.text
    assert 'value="Nikt"' in answer.text
    assert not MembershipApplication.objects.exists()


def test_without_a_mail_server_only_officers_can_try_the_form(client, open_club, secretary, settings):
    settings.EMAIL_HOST = ""
    assert client.get(form_of(open_club)).status_code == client.post(form_of(open_club), JAN).status_code == 410
    assert "/join/" not in client.get(f"/{open_club.slug}/").text
    client.force_login(secretary)
    answer = client.post(form_of(open_club), JAN, follow=True)
    assert "Until the server administrator sets up email" in answer.text
    assert str(settings.EMAIL_FILE_PATH) not in answer.text


def test_a_closed_form_is_not_there(client, open_club):
    assert "/join/" in client.get(f"/{open_club.slug}/").text
    open_club.takes_applications = False
    open_club.save()
    assert "/join/" not in client.get(f"/{open_club.slug}/").text
    assert client.get(form_of(open_club)).status_code == client.post(form_of(open_club), JAN).status_code == 410


@pytest.mark.parametrize(
    "wrong",
    [
        {"people-0-family_name": "Read https://evil.example"},
        {"people-0-birth_date": "2150-01-01"},
        {"people-0-birth_date": "1800-01-01"},
        {"people-0-given_name": ""},
        {"people-0-given_name": "x" * 81},
        {"email": "a@\ue000.example"},
        {"email": ""},
        {"people-TOTAL_FORMS": "9999", "people-MAX_NUM_FORMS": "9999", "people-0-family_name": ""},
        {"people-TOTAL_FORMS": "x"},
        child(1, "Jan Nikt", "1980-05-01"),
    ],
)
def test_what_is_wrong_is_said_and_kept(client, open_club, wrong):
    answer = client.post(form_of(open_club), JAN | wrong)
    assert answer.status_code == 422
    assert not MembershipApplication.objects.exists()


def test_rules_must_be_accepted_if_the_club_has_some(client, open_club):
    open_club.membership_rules_url = "https://klub.example/statut"
    open_club.save()
    assert 'href="https://klub.example/statut"' in client.get(form_of(open_club)).text
    assert client.post(form_of(open_club), JAN).status_code == 422
    assert client.post(form_of(open_club), JAN | {"accepts_rules": "on"}).status_code == 302


def test_another_person_is_added_without_a_script_and_nothing_typed_is_lost(client, open_club):
    page = client.post(form_of(open_club), JAN | {"add": "1"})
    assert page.status_code == 200
    assert len(page.context["people"].forms) == 2
    assert 'value="Nikt"' in page.text
    assert 'value="jan@poczta.example"' in page.text
    assert not MembershipApplication.objects.exists()
    many = client.post(form_of(open_club), JAN | {"add": "1", "people-TOTAL_FORMS": "99999"})
    assert len(many.context["people"].forms) == 8


def test_another_person_has_the_family_name_and_can_be_removed(client, open_club):
    page = client.post(form_of(open_club), JAN | {"add": "1"})
    assert page.context["people"].forms[1].initial == {"family_name": "Nikt"}
    assert 'id="person-2"' in page.text
    assert f'{form_of(open_club)}#person-3"' in page.text
    # Who leaves the row as it is applies alone.
    assert (
        client.post(form_of(open_club), JAN | {"people-TOTAL_FORMS": "2", "people-1-family_name": "Nikt"}).status_code
        == 302
    )
    assert MembershipApplication.objects.get().people.count() == 1
    three = JAN | child(1, "Ola Mała", "2015-01-01") | child(2, "Iga Mała", "2016-01-01")
    names = [
        form.initial["given_name"]
        for form in client.post(form_of(open_club), three | {"remove": "2"}).context["people"]
    ]
    assert names == ["Jan", "Iga"]
    for wrong in ("9", "x", ""):
        assert len(client.post(form_of(open_club), JAN | {"remove": wrong}).context["people"].forms) == 1


def test_errors_of_every_person_are_listed_above_the_form(client, open_club):
    page = client.post(form_of(open_club), JAN | child(1, "Ola Mała", "2150-01-01")).text
    above = page[: page.index("id_website")]
    assert "Not sent yet" in above
    assert 'href="#id_people-1-birth_date_field"' in above
    empty = client.post(form_of(open_club), {"people-TOTAL_FORMS": "1", "people-INITIAL_FORMS": "0"}).text
    assert "Enter at least 1 person." in empty


@pytest.mark.parametrize("name", ["בן־דוד", "Ben‐David", "Gal·la", "ד׳ארק"])
def test_hyphens_and_signs_of_other_alphabets_are_names(client, open_club, name):
    assert client.post(form_of(open_club), JAN | {"people-0-family_name": name}).status_code == 302
    assert MembershipApplication.objects.get().people.get().family_name == name


def test_a_long_name_is_not_cut_off_in_the_browser(client, open_club):
    page = client.get(form_of(open_club)).text
    assert "maxlength" not in re.search(r'<input[^>]*name="people-0-family_name"[^>]*>', page)[0]


# -- Abuse -----------------------------------------------------------------------------------------------------------


def test_a_wrong_address_is_corrected_without_typing_the_rest_again(client, open_club):
    two = JAN | child(1, "Ola Mała", "2015-01-01") | {"phone": "500 100 100"}
    page = client.post(form_of(open_club), two, follow=True)
    (again,) = re.findall(r'href="([^"]+)">Wrong address', page.text)
    other = Client()
    assert "Mała" not in other.get(again).text, "only on the device that sent it"
    form = client.get(again).text
    for typed in ("Nikt", "Mała", "2015-01-01", "500 100 100", "jan@poczta.example"):
        assert f'value="{typed}"' in form
    assert "Mała" in client.get(again).text, "reloading loses nothing"
    assert "no-store" in client.get(again).headers["Cache-Control"]


def test_what_was_sent_long_ago_is_not_filled_in_again(client, open_club):
    client.post(form_of(open_club), JAN)
    MembershipApplication.objects.update(sent_at=timezone.now() - timedelta(hours=2))
    assert "Nikt" not in client.get(f"{form_of(open_club)}?again").text


def test_programs_are_told_that_it_worked_and_nothing_is_sent(client, open_club):
    assert client.post(form_of(open_club), JAN | {"website": "https://spam.example"}).status_code == 302
    assert not MembershipApplication.objects.exists()


def test_the_answer_says_nothing_about_members_and_an_address_gets_few_emails(client, open_club):
    make_member(open_club, "Nikt, Jan", email="jan@poczta.example", birth_year=1980)
    answers = {client.post(form_of(open_club), JAN).headers["Location"] for _try in range(MAX_CONFIRMATIONS_A_DAY + 2)}
    stranger = JAN | {"email": "jan+x@poczta.example", "people-0-given_name": "Inny"}
    answers.add(client.post(form_of(open_club), stranger).headers["Location"])
    process()
    assert len(answers) == 1
    assert len(mail.outbox) == MAX_CONFIRMATIONS_A_DAY


def test_few_applications_of_one_mailbox_wait_for_a_club(client, open_club, apply, secretary):
    for number in range(MAX_CONFIRMATIONS_A_DAY):
        sent = apply(**{"people-0-given_name": f"Jan{'abcde'[number]}"})
    assert client.post(form_of(open_club), JAN | {"email": "jan+x@poczta.example"}).status_code == 302
    assert states() == ["open"] * MAX_CONFIRMATIONS_A_DAY
    refuse_application(sent, reason="", by=secretary)
    apply()
    assert states().count("open") == MAX_CONFIRMATIONS_A_DAY


def test_officers_get_no_second_notice_while_the_first_is_unsent(client, open_club):
    addresses = ["jan@poczta.example", "ola@poczta.example", "iga@poczta.example"]
    for email in addresses:
        client.post(form_of(open_club), JAN | {"email": email})
    process()
    first, second, third = MembershipApplication.objects.order_by("pk")
    confirm_application(first)
    confirm_application(second)
    assert ApplicationNotice.objects.count() == 1
    process()
    confirm_application(third)
    assert ApplicationNotice.objects.count() == 2


def test_a_flood_has_to_wait_also_from_many_networks_of_one_site(client, open_club, no_time_passes, monkeypatch):
    monkeypatch.setattr("clubs.membership.applications.views.applicants.FREE_SUBMISSIONS", 2)

    def send(number: int) -> int:
        sent = JAN | {"email": f"nr{number}@poczta.example"}
        return client.post(form_of(open_club), sent, REMOTE_ADDR=f"2001:db8:1:{number}::1").status_code

    assert [send(number) for number in range(6)] == [302] * 4 + [429] * 2
    assert [send(3) for _again in range(2)] == [429] * 2
    said = client.post(form_of(open_club), JAN, REMOTE_ADDR="2001:db8:1:3::1").text
    assert "Many forms were sent from this network." in said
    assert "failed" not in said


def test_a_hall_on_one_network_can_send_30_applications(client, open_club):
    for number in range(30):
        assert client.post(form_of(open_club), JAN | {"email": f"nr{number}@poczta.example"}).status_code == 302


def test_children_need_a_guardian(client, open_club):
    young = JAN | {"people-0-birth_date": f"{YEAR - 12}-01-02"}
    assert client.post(form_of(open_club), young).status_code == 422
    assert client.post(form_of(open_club), young | {"guardian_name": "https://x.example"}).status_code == 422
    assert client.post(form_of(open_club), young | {"guardian_name": "Ewa Nikt"}).status_code == 302
    with_parent = young | child(1, "Ewa Nikt", "1980-02-03")
    assert client.post(form_of(open_club), with_parent).status_code == 302


def test_the_day_of_the_18th_birthday_decides(client, open_club):
    today = timezone.localdate()
    birthday = today.replace(year=today.year - 18, day=min(today.day, 28))
    turned = JAN | {"people-0-birth_date": birthday.isoformat()}
    not_yet = JAN | {"people-0-birth_date": (today.replace(year=today.year - 18, day=28) + timedelta(4)).isoformat()}
    assert client.post(form_of(open_club), turned).status_code == 302
    assert client.post(form_of(open_club), not_yet).status_code == 422


def test_a_stranger_does_not_keep_an_application_from_the_secretary(client, open_club, apply, secretary):
    apply(email="obcy@poczta.example")
    client.force_login(secretary)
    review = reverse("applications_review", args=[open_club.slug])
    assert "also applied from another address" not in client.get(review).text
    apply()
    assert states() == ["open", "open"]
    assert client.get(review).text.count("also applied from another address") == 2


def test_the_same_application_twice_reaches_the_club_once(client, open_club, apply):
    apply()
    client.post(form_of(open_club), JAN | {"email": "jan+2@poczta.example"})
    process()
    second = client.get(links("jan+2@poczta.example")[0])
    assert "The club already has this application." in second.text
    assert "Confirm the application" not in second.text
    assert client.post(links("jan+2@poczta.example")[0]).status_code == 422
    assert states() == ["open", "unconfirmed"]
