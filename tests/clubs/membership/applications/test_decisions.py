"""The secretary decides about applications: nobody becomes a member twice, and everybody is told."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.finance.direct_debit.debit_collections import find_collectable_amounts
from clubs.finance.direct_debit.mandates import record_mandate
from clubs.finance.dues.balances import balance_of_member
from clubs.finance.dues.season_charges import charge_season
from clubs.membership.accounts.invitations import create_invitation
from clubs.membership.applications.decisions import (
    accept_application,
    answer_known_member,
    find_known_members,
    refuse_application,
    suggested_record,
)
from clubs.membership.applications.processing import DELETE_TASK
from clubs.models import Member, MembershipApplication, Role
from clubs.privacy import erase_member_data, export_member_data
from common.jobs.queue import create_job, enqueue_job
from common.problems import OfficerProblem
from tests.clubs.membership.applications.conftest import (
    JAN,
    TWO_CHILDREN,
    answers,
    form_of,
    links,
    process,
    states,
)
from tests.factories import make_member, make_user

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
    for said in (
        "Dear Ewa Mama,",
        "Total to pay: €50.00",
        open_club.name,
        "Gramy we wtorki.",
        f"membership number {iga.pk}",
        f"membership number {ola.pk}",
        "€40.00",
        "€10.00",
    ):
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
    link = create_invitation(open_club, Role.MEMBER, by=secretary, valid_for=timedelta(days=1), member=jan)
    sent = apply()
    accept_application(sent, by=secretary, same_people={sent.people.get().pk: jan.pk})
    jan.refresh_from_db()
    assert (jan.status, jan.email, jan.membership_periods.count()) == (Member.Status.MEMBER, "jan@poczta.example", 1)
    link.refresh_from_db()
    assert not link.is_open
    again = apply(email="again@poczta.example")
    with pytest.raises(OfficerProblem, match="already a member"):
        accept_application(again, by=secretary, same_people={again.people.get().pk: jan.pk})
    jan.refresh_from_db()
    assert jan.email == "jan@poczta.example"
    guest = make_member(open_club, "Gość, Adam", status=Member.Status.GUEST)
    sent = apply(**{"people-0-given_name": "Adam", "people-0-family_name": "Gość", "email": "adam@poczta.example"})
    accept_application(sent, by=secretary, same_people={sent.people.get().pk: guest.pk})
    guest.refresh_from_db()
    assert (guest.status, guest.email) == (Member.Status.MEMBER, "adam@poczta.example")


def test_the_secretary_says_whether_somebody_of_the_same_name_is_the_person(client, open_club, apply, secretary):
    """Anybody can apply under a name."""
    guest = make_member(open_club, "Nikt, Jan", status=Member.Status.GUEST, phone="123", address="Rynek 1")
    sent = apply()
    client.force_login(secretary)
    review = reverse("applications_review", args=[open_club.slug])
    page = client.get(review).text
    assert answers(page) == {str(guest.pk): True, "0": False}
    assert "no birth date" in page
    client.post(f"{review}{sent.pk}/", {"do": "accept"})
    assert states() == ["open"]
    client.post(f"{review}{sent.pk}/", {"do": "accept", f"same-{sent.people.get().pk}": "0"})
    guest.refresh_from_db()
    assert (guest.status, guest.email, guest.phone) == (Member.Status.GUEST, "", "123")
    # A member without a birth date doesn't keep their namesake out.
    assert open_club.members.get(status=Member.Status.MEMBER).email == "jan@poczta.example"


def test_a_guest_who_applies_becomes_the_member_by_default(client, open_club, apply, secretary):
    guest = make_member(open_club, "Nikt, Jan", status=Member.Status.GUEST)
    sent = apply()
    client.force_login(secretary)
    review = reverse("applications_review", args=[open_club.slug])
    (chosen,) = [value for value, is_checked in answers(client.get(review).text).items() if is_checked]
    client.post(f"{review}{sent.pk}/", {"do": "accept", f"same-{sent.people.get().pk}": chosen})
    guest.refresh_from_db()
    assert (guest.status, guest.email, open_club.members.count()) == (Member.Status.MEMBER, "jan@poczta.example", 1)


@pytest.mark.parametrize(
    ("there", "suggested"),
    [
        ([{"status": "guest", "birth_year": 1981}], None),
        ([{"status": "guest", "birth_year": 1980}], 0),
        ([{"status": "guest"}, {"status": "former"}], None),
        ([{"status": "member"}], None),
        ([{"status": "member", "birth_year": 1980}], 0),
    ],
)
def test_only_a_single_namesake_is_suggested_and_never_one_of_another_birth(open_club, apply, there, suggested):
    members = [make_member(open_club, "Nikt, Jan", **each) for each in there]
    person = apply().people.get()
    known = find_known_members(person)
    assert suggested_record(person, known) == (None if suggested is None else members[suggested])
    assert all(member.birth_year != 1981 for member in known)


def test_who_is_the_same_person_keeps_what_the_form_left_empty_and_gets_a_new_link(client, open_club, apply, secretary):
    facts = {"phone": "123", "address": "Rynek 1", "birth_year": 1980, "guardian_name": "Ewa Nikt"}
    jan = make_member(open_club, "Nikt, Jan", status=Member.Status.FORMER, **facts)
    make_member(open_club, "Nikt, Jan")
    sent = apply(address="Polna 2")
    client.force_login(secretary)
    review = reverse("applications_review", args=[open_club.slug])
    # Two have the name, so the secretary is asked.
    assert list(answers(client.get(review).text).values()) == [False] * 3
    name = f"same-{sent.people.get().pk}"
    for wrong in ({}, {name: "999"}, {name: "9" * 30 + "x"}, {name: ""}):
        client.post(f"{review}{sent.pk}/", {"do": "accept"} | wrong)
        assert states() == ["open"], wrong
    client.post(f"{review}{sent.pk}/", {"do": "accept", name: str(jan.pk)})
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
    with pytest.raises(OfficerProblem, match="Say whether it is the same person"):
        accept_application(apply(email="again@poczta.example"), by=secretary)


@pytest.mark.parametrize("known", [{"email": "stary@poczta.example"}, {"guardian_email": "ewa@poczta.example"}, {}])
def test_who_applies_under_the_name_of_another_gets_no_account_and_changes_no_address(
    client, open_club, apply, secretary, known
):
    facts = {"birth_date": date(1980, 5, 1), "phone": "123", "guardian_name": "Ewa Nikt"} | known
    user = None if known else make_user("jan", open_club, Role.MEMBER)
    jan = make_member(open_club, "Nikt, Jan", status=Member.Status.FORMER, user=user, **facts)
    sent = apply(phone="999")
    client.force_login(secretary)
    review = reverse("applications_review", args=[open_club.slug])
    page = client.get(review).text
    assert answers(page) == {str(jan.pk): False, "0": False}
    assert "another email address" in page
    assert ("has an account" in page) is (not known)
    client.post(f"{review}{sent.pk}/", {"do": "accept"})
    assert states() == ["open"]
    client.post(f"{review}{sent.pk}/", {"do": "accept", f"same-{sent.people.get().pk}": str(jan.pk)})
    assert states() == ["accepted"]
    jan.refresh_from_db()
    assert jan.status == Member.Status.MEMBER
    assert {name: getattr(jan, name) for name in facts} == facts
    assert (jan.email, jan.link_version) == (known.get("email", ""), 0)
    process()
    own = links("jan@poczta.example")[-1]
    assert "Create an account" not in client.get(own).text
    assert client.post(own, {"do": "account"}).status_code == 422
    assert not open_club.invitations.exists()


def test_new_members_see_only_their_own_dues(client, open_club, season, apply, secretary):
    jan = make_member(open_club, "Nikt, Jan", birth_date=date(1980, 5, 1))
    ola = make_member(open_club, "Nikt, Ola", birth_date=date(1981, 5, 1), family_payer=jan)
    charge_season(season, by=secretary, members={ola.pk})
    Member.objects.filter(pk=jan.pk).update(status=Member.Status.FORMER)
    accept_application(apply(), by=secretary)
    assert balance_of_member(jan, today=timezone.localdate()).amount_owed == 10000
    process()
    letter = str(mail.outbox[-1].body)
    assert "Jan Nikt, Sezon" in letter
    assert "Total to pay: €90.00" in letter
    assert "Ola" not in letter


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


def test_the_letter_fills_in_the_placeholders_and_leads_to_an_account(client, open_club, season, apply, secretary):
    open_club.membership_welcome = "Cześć {name}, tu {club}."
    open_club.save()
    application = apply()
    accept_application(application, by=secretary)
    process()
    letter = str(mail.outbox[-1].body)
    for said in ("Dear Jan,", f"Cześć Jan, tu {open_club.name}.", "Jan Nikt, Sezon: Adults", "Account holder"):
        assert said in letter, said
    own = links("jan@poczta.example")[-1]
    assert "Create an account for Jan" in client.get(own).text
    invitation = client.post(own, {"do": "account"}).headers["Location"]
    assert client.post(own, {"do": "account"}).headers["Location"] == invitation
    account = {"username": "jan.nikt", "password1": "tajne-haslo-7", "password2": "tajne-haslo-7"}
    client.post(invitation, account | {"email": "jan@poczta.example", "password": "tajne-haslo-7"})
    jan = open_club.members.get()
    assert jan.user is not None
    assert client.post(own, {"do": "account"}).status_code == 422


def test_no_account_for_who_changed_their_address_or_is_not_accepted(client, open_club, apply, secretary):
    application = apply()
    process()
    own = links("jan@poczta.example")[-1]
    assert client.post(own, {"do": "account"}).status_code == 422
    accept_application(application, by=secretary)
    open_club.members.update(email="inny@poczta.example")
    assert "Create an account" not in client.get(own).text
    assert client.post(own, {"do": "account"}).status_code == 422
    assert not open_club.invitations.exists()


def test_a_member_who_applies_is_told_so(client, open_club, apply, secretary):
    jan = make_member(open_club, "Nikt, Jan", birth_date=date(1980, 5, 1), email="jan@klub.example")
    sent = apply(email="jan@klub.example")
    client.force_login(secretary)
    review = reverse("applications_review", args=[open_club.slug])
    assert "Already a member" in client.get(review).text
    client.post(f"{review}{sent.pk}/", {"do": "known"})
    assert states() == ["known"]
    process()
    letter = mail.outbox[-1]
    assert "You are already a member" in str(letter.body)
    assert str(jan.pk) not in str(letter.body).replace(links("jan@klub.example")[-1], "")
    jan.refresh_from_db()
    assert jan.email == "jan@klub.example"
    with pytest.raises(OfficerProblem):
        answer_known_member(sent, by=secretary)


def test_a_stranger_is_not_told_that_somebody_is_a_member(client, open_club, apply, secretary):
    make_member(open_club, "Nikt, Jan", birth_date=date(1980, 5, 1), email="jan@klub.example")
    sent = apply(email="obcy@poczta.example")
    client.force_login(secretary)
    answer = client.post(reverse("application_decide", args=[open_club.slug, sent.pk]), {"do": "known"}, follow=True)
    assert "an email to contact the club" in answer.text
    process()
    for said in (str(mail.outbox[-1].body), Client().get(links("obcy@poczta.example")[-1]).text):
        assert f"Contact {open_club.name} about your application." in said
        assert "already a member" not in said


def test_refusing_without_a_reason_asks_first(client, open_club, apply, secretary):
    sent = apply()
    client.force_login(secretary)
    page = f"{reverse('applications_review', args=[open_club.slug])}{sent.pk}/refuse/"
    assert "couldn" in client.get(page).text
    asked = client.post(page, {"reason": " "})
    assert (asked.status_code, states()) == (422, ["open"])
    assert "Decline without a reason?" in asked.text
    assert client.post(page, {"reason": "x" * 501}).status_code == 422
    assert client.post(page, {"do": "without"}).status_code == 302
    assert states() == ["refused"]
    # A second tab changes nothing, and says what was decided.
    assert client.post(page, {"reason": "Nie."}).status_code == 302
    assert MembershipApplication.objects.get().reason == ""


def test_who_was_refused_before_is_marked(client, open_club, apply, secretary):
    refuse_application(apply(), reason="Nie ma miejsc.", by=secretary)
    process()
    assert "Apply again" in client.get(links("jan@poczta.example")[-1]).text
    apply(email="again@poczta.example")
    client.force_login(secretary)
    page = client.get(reverse("applications_review", args=[open_club.slug])).text
    assert "declined before, on" in page
    assert "mailto:again@poczta.example?subject=Your%20application%20to%20" in page


def test_a_stale_tab_says_what_was_decided_and_sends_nothing(client, open_club, apply, secretary):
    sent = apply()
    accept_application(sent, by=secretary)
    process()
    client.force_login(secretary)
    before = len(mail.outbox)
    answer = client.post(reverse("application_decide", args=[open_club.slug, sent.pk]), {"do": "accept"}, follow=True)
    assert "This application has already been accepted." in answer.text
    assert "on its way" not in answer.text
    process()
    assert len(mail.outbox) == before


def test_officers_are_told_of_a_confirmed_application_once(client, open_club, apply, secretary):
    apply(publishes_names="on")
    process()
    (told,) = [each for each in mail.outbox if each.to == ["sekretarz@klub.example"]]
    assert "Jan Nikt" in str(told.body)
    assert reverse("applications_review", args=[open_club.slug]) in str(told.body)
    client.force_login(secretary)
    assert "1 membership application is waiting" in client.get(f"/{open_club.slug}/").text
    page = client.get(reverse("applications_review", args=[open_club.slug])).text
    assert "name shown in public" in page
    assert "no photos" in page


def test_the_secretaries_themselves_are_told_if_their_addresses_are_known(client, open_club, apply, secretary):
    secretary.email = "sekretarka@poczta.example"
    secretary.save()
    treasurer = make_user("skarbnik", open_club, Role.TREASURER)
    treasurer.email = "skarbnik@poczta.example"
    treasurer.save()
    apply()
    process()
    assert {each.to[0] for each in mail.outbox} == {"jan@poczta.example", "sekretarka@poczta.example"}


def test_only_the_secretary_sees_who_has_not_confirmed(client, open_club, secretary):
    client.post(form_of(open_club), JAN)
    client.force_login(secretary)
    page = client.get(reverse("applications_review", args=[open_club.slug])).text
    assert "1 with unconfirmed email" in page
    assert "Nikt, Jan" in page
    assert "jan@poczta.example" in page
    assert "Accept" not in page


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
    wrong = client.post(address, {"takes_applications": "on", "membership_welcome": "Witaj {imię}"})
    assert wrong.status_code == 422
    assert "{imię}" in str(wrong.context["form"].errors)
    client.post(address, {"takes_applications": "on", "membership_welcome": "Witaj {name}"})
    club.refresh_from_db()
    assert (club.takes_applications, club.membership_welcome) == (True, "Witaj {name}")


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
