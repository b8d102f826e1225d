"""Strangers apply for membership: nobody without a confirmed address, no child without a guardian, nobody twice."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.finance.direct_debit.debit_collections import find_collectable_amounts
from clubs.finance.direct_debit.mandates import record_mandate
from clubs.finance.dues.balances import balance_of_member
from clubs.membership.applications.decisions import accept_application, refuse_application
from clubs.membership.applications.processing import DELETE_TASK
from clubs.models import DuesSeason, FeeClass, Member, MembershipApplication
from clubs.privacy import erase_member_data, export_member_data
from common.emails.confirmation import MAX_CONFIRMATIONS_A_DAY
from common.jobs.queue import create_job, enqueue_job
from common.problems import OfficerProblem
from tests.clubs.membership.applications.conftest import JAN, child, links, process
from tests.factories import make_club, make_member

YEAR = timezone.localdate().year
MOTHER = {"guardian_name": "Ewa Mama", "email": "ewa@poczta.example"}
TWO_CHILDREN = {
    "people-0-given_name": "Ola",
    "people-0-family_name": "Mama",
    "people-0-birth_date": f"{YEAR - 8}-01-02",
    **child(1, "Iga Mama", f"{YEAR - 10}-01-02"),
    **MOTHER,
}


def form_of(club) -> str:
    return f"/{club.slug}/join/"


def states() -> list[str]:
    return list(MembershipApplication.objects.order_by("pk").values_list("state", flat=True))


@pytest.fixture
def season(open_club) -> DuesSeason:
    """A season with 90 € for adults, 40 € for the first child and 10 € for others of a family."""
    made = DuesSeason.objects.create(
        club=open_club, name="Sezon", starts_on=f"{YEAR}-01-01", ends_on=f"{YEAR}-12-31", due_on=f"{YEAR}-01-31"
    )
    for place, more in enumerate(
        (
            {"name": "Family", "amount": 1000, "family": FeeClass.FamilyPosition.FURTHER},
            {"name": "Juniors", "amount": 4000, "to_age": 17},
            {"name": "Adults", "amount": 9000},
        )
    ):
        FeeClass.objects.create(season=made, place=place, **more)
    made.refresh_from_db()
    return made


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


def test_a_closed_form_is_not_there(client, open_club):
    assert "/join/" in client.get(f"/{open_club.slug}/").text
    open_club.takes_applications = False
    open_club.save()
    assert "/join/" not in client.get(f"/{open_club.slug}/").text
    assert client.get(form_of(open_club)).status_code == client.post(form_of(open_club), JAN).status_code == 404


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


# -- Abuse -----------------------------------------------------------------------------------------------------------


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


def test_a_flood_has_to_wait_also_from_many_networks_of_one_site(client, open_club, no_time_passes, monkeypatch):
    monkeypatch.setattr("clubs.membership.applications.views.applicants.FREE_SUBMISSIONS", 2)

    def send(number: int) -> int:
        sent = JAN | {"email": f"nr{number}@poczta.example"}
        return client.post(form_of(open_club), sent, REMOTE_ADDR=f"2001:db8:1:{number}::1").status_code

    assert [send(number) for number in range(6)] == [302] * 4 + [429] * 2
    assert [send(3) for _again in range(2)] == [429] * 2


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


def test_the_same_application_twice_reaches_the_club_once(client, open_club, apply):
    apply()
    client.post(form_of(open_club), JAN | {"email": "jan2@poczta.example"})
    process()
    assert client.post(links("jan2@poczta.example")[0]).status_code == 422
    assert states() == ["open", "unconfirmed"]


# -- Decisions -------------------------------------------------------------------------------------------------------


def test_a_family_joins_with_numbers_dues_and_a_welcome_letter(client, open_club, season, apply, secretary):
    open_club.membership_welcome = "Gramy we wtorki."
    open_club.save()
    apply(**TWO_CHILDREN, phone="123", address="Rynek 1", publishes_names="on")
    client.force_login(secretary)
    review = reverse("applications_review", args=[open_club.slug])
    page = client.get(review).text
    assert "Ewa Mama" in page
    assert page.count("under 18") == 2
    assert "1 membership application is waiting" in client.get(reverse("member_list", args=[open_club.slug])).text
    client.post(f"{review}{MembershipApplication.objects.get().pk}/", {"do": "accept"})
    iga, ola = open_club.members.order_by("birth_date")
    today = timezone.localdate()
    for each in (iga, ola):
        assert (each.status, each.joined_on) == (Member.Status.MEMBER, today)
        assert (each.guardian_name, each.guardian_email, each.email) == ("Ewa Mama", "ewa@poczta.example", "")
        assert (each.publication_consent, each.photo_consent, each.photo_consent_on) == ("yes", "no", today)
    # The oldest child has the account, the other one the family's fee.
    assert (iga.family_payer, ola.family_payer) == (None, iga)
    assert balance_of_member(iga, today=today).amount_owed == 5000
    process()
    letter = str(mail.outbox[-1].body)
    for said in ("Gramy we wtorki.", f"membership number {iga.pk}", f"membership number {ola.pk}", "€40.00", "€10.00"):
        assert said in letter, said
    assert iga.accounts.get().payment_reference in letter
    own = Client().get(links("ewa@poczta.example")[-1]).text
    assert "data:image/png" in own
    assert iga.accounts.get().payment_reference in own


def test_two_clicks_accept_once_and_another_clubs_secretary_cannot(client, open_club, season, apply, secretary):
    application = apply()
    accept_application(application, by=secretary)
    accept_application(application, by=secretary)
    assert open_club.members.count() == 1
    with pytest.raises(OfficerProblem):
        refuse_application(application, reason="", by=secretary)
    assert balance_of_member(open_club.members.get(), today=timezone.localdate()).amount_owed == 9000


def test_a_guest_and_a_former_member_keep_their_record_and_a_member_is_refused(open_club, apply, secretary):
    jan = make_member(open_club, "Nikt, Jan", status=Member.Status.FORMER, left_on="2020-01-01", birth_year=1980)
    make_member(open_club, "Nikt, Jan", birth_year=1981)
    accept_application(apply(), by=secretary, same_people=[jan.pk])
    jan.refresh_from_db()
    assert (jan.status, jan.email, jan.membership_periods.count()) == (Member.Status.MEMBER, "jan@poczta.example", 1)
    again = apply(email="again@poczta.example")
    with pytest.raises(OfficerProblem, match="already a member"):
        accept_application(again, by=secretary)
    jan.refresh_from_db()
    assert jan.email == "jan@poczta.example"
    guest = make_member(open_club, "Gość, Adam", status=Member.Status.GUEST)
    accept_application(
        apply(**{"people-0-given_name": "Adam", "people-0-family_name": "Gość", "email": "adam@poczta.example"}),
        by=secretary,
        same_people=[guest.pk],
    )
    guest.refresh_from_db()
    assert (guest.status, guest.email) == (Member.Status.MEMBER, "adam@poczta.example")


def test_the_secretary_says_whether_somebody_of_the_same_name_is_the_person(client, open_club, apply, secretary):
    """Anybody can apply under a name."""
    guest = make_member(open_club, "Nikt, Jan", status=Member.Status.GUEST, phone="123", address="Rynek 1")
    sent = apply()
    client.force_login(secretary)
    review = reverse("applications_review", args=[open_club.slug])
    box = re.search(r'<input type="checkbox" name="same"[^>]*>', client.get(review).text)[0]
    assert "checked" not in box
    client.post(f"{review}{sent.pk}/", {"do": "accept"})
    guest.refresh_from_db()
    assert (guest.status, guest.email, guest.phone) == (Member.Status.GUEST, "", "123")
    # A member without a birth date doesn't keep their namesake out.
    assert open_club.members.get(status=Member.Status.MEMBER).email == "jan@poczta.example"


def test_who_is_the_same_person_keeps_what_the_form_left_empty_and_gets_a_new_link(client, open_club, apply, secretary):
    facts = {"phone": "123", "address": "Rynek 1", "email": "stary@poczta.example", "birth_year": 1980}
    facts |= {"guardian_name": "Ewa Nikt", "guardian_email": "ewa@poczta.example"}
    jan = make_member(open_club, "Nikt, Jan", status=Member.Status.FORMER, **facts)
    make_member(open_club, "Nikt, Jan")
    sent = apply(address="Polna 2")
    client.force_login(secretary)
    review = reverse("applications_review", args=[open_club.slug])
    box = re.search(r'<input type="checkbox" name="same"[^>]*>', client.get(review).text)[0]
    assert f'value="{jan.pk}"' in box
    assert "checked" in box
    client.post(f"{review}{sent.pk}/", {"do": "accept", "same": [str(jan.pk), "x", "999"]})
    jan.refresh_from_db()
    assert (jan.status, jan.phone, jan.address) == (Member.Status.MEMBER, "123", "Polna 2")
    assert (jan.email, jan.link_version) == ("jan@poczta.example", 1)
    assert (jan.guardian_name, jan.guardian_email) == ("", "")
    logged = jan.data_accesses.filter(what="change").latest("pk").details["fields"]
    assert {"status", "joined_on", "address", "email", "birth_date"} <= set(logged)
    assert "phone" not in logged


def test_the_same_birth_date_needs_no_answer(open_club, apply, secretary):
    born = date(1980, 5, 1)
    jan = make_member(open_club, "Nikt, Jan", status=Member.Status.GUEST, email="jan@poczta.example", birth_date=born)
    accept_application(apply(), by=secretary)
    jan.refresh_from_db()
    assert (jan.status, jan.link_version) == (Member.Status.MEMBER, 0)
    with pytest.raises(OfficerProblem, match="already a member"):
        accept_application(apply(email="again@poczta.example"), by=secretary)


def test_who_is_refused_reads_the_reason_and_who_withdraws_is_not_accepted(client, open_club, apply, secretary):
    refuse_application(apply(), reason="Nie ma miejsc.", by=secretary)
    process()
    assert "Reason: Nie ma miejsc." in str(mail.outbox[-1].body)
    application = apply(email="ola@poczta.example", **{"people-0-given_name": "Ola"})
    process()
    client.post(links("ola@poczta.example")[-1], {"do": "withdraw"})
    with pytest.raises(OfficerProblem):
        accept_application(application, by=secretary)
    assert states() == ["refused", "withdrawn"]
    assert not open_club.members.exists()


def test_a_mandate_is_signed_by_the_holders_name_or_on_paper(client, open_club, season, apply, secretary):
    signed = {"dues_payment": "signed", "holder": "Ewa Nikt", "iban": "DE89 3704 0044 0532 0130 00"}
    client.post(form_of(open_club), JAN | signed | {"signature": "Ewa Nikt"})
    assert MembershipApplication.objects.get().iban == ""
    open_club.creditor_id = "DE98ZZZ09999999999"
    open_club.save()
    for wrong in ({"signature": "Jan Nikt"}, {"signature": ""}, {"iban": "DE00"}, {"holder": ""}):
        answer = client.post(form_of(open_club), JAN | signed | {"signature": "Ewa Nikt"} | wrong)
        assert answer.status_code == 422, wrong
    accept_application(apply(**signed, signature="ewa nikt"), by=secretary)
    (mandate,) = open_club.members.get().mandates.all()
    assert (mandate.holder, mandate.iban, mandate.signed_on) == (
        "Ewa Nikt",
        "DE89370400440532013000",
        timezone.localdate(),
    )
    process()
    assert mandate.reference in str(mail.outbox[-1].body)
    apply(email="ola@poczta.example", dues_payment="paper", **{"people-0-given_name": "Ola"})
    process()
    assert "Within 8 weeks" in client.get(links("ola@poczta.example")[-1]).text


def test_an_earlier_mandate_collects_nothing_from_who_joins_again(client, open_club, season, apply, secretary):
    jan = make_member(open_club, "Nikt, Jan", status=Member.Status.FORMER, birth_date=date(1980, 5, 1))
    long_ago = date(2020, 1, 1)
    record_mandate(jan, reference="OLD-1", holder="Ktoś Inny", iban="DE89370400440532013000", signed_on=long_ago)
    accept_application(apply(), by=secretary)
    assert jan.mandates.get().ended_on == timezone.localdate()
    assert balance_of_member(jan, today=timezone.localdate()).amount_owed == 9000
    assert find_collectable_amounts(open_club, on=timezone.localdate() + timedelta(days=30)) == []
    process()
    assert "OLD-1" not in str(mail.outbox[-1].body)
    assert open_club.bank_account[:4] in str(mail.outbox[-1].body)


def test_the_secretary_opens_the_form(client, club, secretary):
    client.force_login(secretary)
    address = reverse("application_settings", args=[club.slug])
    assert client.get(address).status_code == 200
    assert client.post(address, {"membership_rules_url": "javascript:alert(1)"}).status_code == 422
    client.post(address, {"takes_applications": "on", "membership_welcome": "Witamy"})
    club.refresh_from_db()
    assert (club.takes_applications, club.membership_welcome) == (True, "Witamy")


# -- Privacy ---------------------------------------------------------------------------------------------------------


def test_what_was_sent_is_exported_and_erased_with_the_person(open_club, apply, secretary):
    accept_application(apply(**TWO_CHILDREN), by=secretary)
    iga, ola = open_club.members.order_by("birth_date")
    (sent,) = export_member_data(ola)["applications"]
    assert (sent["given_name"], sent["email"]) == ("Ola", "ewa@poczta.example")
    assert "iban" not in sent
    erase_member_data(ola)
    assert [person.given_name for person in MembershipApplication.objects.get().people.all()] == ["Iga"]
    erase_member_data(iga)
    assert not MembershipApplication.objects.exists()


def test_old_applications_are_deleted_and_members_stay(client, open_club, apply, secretary):
    accept_application(apply(), by=secretary)
    client.post(form_of(open_club), JAN | {"email": "nigdy@poczta.example"})
    process()
    MembershipApplication.objects.update(sent_at=timezone.now() - timedelta(days=4))
    enqueue_job(create_job(DELETE_TASK, by=None))
    assert states() == ["accepted"]
    MembershipApplication.objects.update(decided_at=timezone.now() - timedelta(days=91))
    enqueue_job(create_job(DELETE_TASK, by=None))
    assert states() == []
    assert open_club.members.count() == 1
