"""Invitations: who can create them, what opens them, and what they give."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.membership.accounts.invitations import (
    accept_invitation,
    create_invitation,
    invitation_path,
    invitation_token,
)
from clubs.models import Invitation, Member, Membership, Role, User
from common.problems import OfficerProblem
from tests.factories import make_user
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast
from tournaments.check_in.personal_links import event_link_token

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)
NEW = {
    "first_name": "Iga",
    "last_name": "Zmyślona",
    "username": "iga",
    "email": "iga@poczta.example",
    "password1": "a night at the club",
    "password2": "a night at the club",
}

made_once, cast = make_module_fixtures(make_cast)


def made(cast: Cast, role: Role = Role.ARBITER, **more: object) -> Invitation:
    return create_invitation(cast.club, role, by=cast.secretary, valid_for=WEEK, **more)


def people(cast: Cast) -> str:
    return reverse("club_roles", args=[cast.club.slug])


# -- Closed ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("close", ["withdrawn_at", "expires_at", "times_used"])
def test_a_closed_invitation_gives_nothing(cast, close):
    invitation = made(cast)
    Invitation.objects.update(**{close: 1 if close == "times_used" else timezone.now()})
    answer = Client().post(invitation_path(invitation), NEW)
    assert answer.status_code == 410
    assert not User.objects.filter(username="iga").exists()
    with pytest.raises(OfficerProblem):
        accept_invitation(invitation, make_user("other"))


def test_a_link_that_is_none(cast):
    invitation = made(cast)
    token = invitation_token(invitation)
    for wrong in (
        token[:-1],
        token + "A",
        f"{invitation.pk + 1}.{token.partition('.')[2]}",
        "1",
        "x.y",
        f"{'9' * 30}.x",
    ):
        assert Client().get(reverse("invitation_accept", args=[wrong])).status_code == 404


def test_what_the_database_holds_opens_nothing(cast, settings):
    invitation = made(cast)
    token = invitation_token(invitation)
    settings.SECRET_KEY = "another"
    assert Client().get(reverse("invitation_accept", args=[token])).status_code == 404


@pytest.mark.parametrize("change", [{"password2": "other options"}, {"password1": "12345678", "password2": "12345678"}])
def test_a_bad_password_makes_no_log_in(cast, change):
    answer = Client().post(invitation_path(made(cast)), NEW | change)
    assert answer.status_code == 422
    assert not User.objects.filter(username="iga").exists()
    assert not Invitation.objects.get().times_used


@pytest.mark.parametrize("field", ["username", "email"])
def test_somebody_elses_name_or_address_is_not_taken(cast, field):
    User.objects.create_user("IGA", email="Iga@poczta.example")
    change = {"username": "other"} if field == "email" else {"email": "other@poczta.example"}
    answer = Client().post(invitation_path(made(cast)), NEW | change)
    assert answer.status_code == 422
    assert User.objects.filter(username__iexact="iga").count() == 1


def test_a_member_who_has_a_log_in_is_not_given_another(cast):
    member = cast.members[0]
    member.user = make_user("first")
    member.save()
    with pytest.raises(OfficerProblem, match="already has an account"):
        accept_invitation(made(cast, Role.MEMBER, member=member), make_user("second"))
    assert Member.objects.get(pk=member.pk).user.username == "first"


def test_one_log_in_is_not_two_people_of_a_club(cast):
    user = make_user("first")
    accept_invitation(made(cast, Role.MEMBER, member=cast.members[0]), user)
    with pytest.raises(OfficerProblem, match="another member of this club"):
        accept_invitation(made(cast, Role.MEMBER, member=cast.members[1]), user)
    assert Member.objects.get(pk=cast.members[1].pk).user is None


@pytest.mark.parametrize("more", [{"role": Role.SECRETARY}, {"role": Role.MEMBER, "with_member": True}])
def test_a_link_for_many_makes_members_only(cast, more):
    role, member = more["role"], cast.members[0] if more.get("with_member") else None
    with pytest.raises(IntegrityError), transaction.atomic():
        made(cast, role, member=member, is_for_many=True)
    sent = {"role": role, "member": member.pk if member else "", "is_for_many": "on", "days": 7}
    answer = cast.browser("secretary").post(people(cast), sent)
    assert answer.status_code == 422
    assert "only works for the role “member”" in answer.text


def test_an_invitation_of_another_club_is_not_found(cast):
    invitation = made(cast)
    neighbour = cast.browser("neighbour")
    for name in ("invitation_detail", "invitation_qr_code", "invitation_withdraw"):
        address = reverse(name, args=["elsewhere", invitation.pk])
        answer = neighbour.post(address) if name.endswith("withdraw") else neighbour.get(address)
        assert answer.status_code == 404
    assert Invitation.objects.get().withdrawn_at is None


def test_a_member_of_another_club_cannot_be_invited_here(cast):
    theirs = Member.objects.create(
        club=User.objects.get(username="neighbour").memberships.get().club, family_name="Obca"
    )
    sent = {"role": "member", "member": theirs.pk, "days": 7}
    assert cast.browser("secretary").post(people(cast), sent).status_code == 422


# -- Open ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", list(Role))
def test_a_new_log_in_with_the_role_it_was_invited_for(cast, role):
    browser = Client()
    answer = browser.post(invitation_path(made(cast, role)), NEW)
    assert answer.headers["Location"] == f"/{cast.club.slug}/"
    user = User.objects.get(username="iga")
    assert browser.session["_auth_user_id"] == str(user.pk)
    assert [held.role for held in user.memberships.all()] == [role]
    assert not user.is_superuser
    assert not user.is_staff


def test_it_opens_once(cast):
    address = invitation_path(made(cast))
    Client().post(address, NEW)
    assert Client().post(address, NEW | {"username": "other", "email": ""}).status_code == 410
    assert not User.objects.filter(username="other").exists()


def test_one_for_many_opens_again_and_again(cast):
    address = invitation_path(made(cast, Role.MEMBER, is_for_many=True))
    for number in range(3):
        Client().post(address, NEW | {"username": f"iga{number}", "email": f"iga{number}@poczta.example"})
    assert Membership.objects.filter(user__username__startswith="iga", role=Role.MEMBER).count() == 3


def test_with_the_log_in_one_has(cast):
    browser = Client()
    browser.force_login(make_user("already"))
    address = invitation_path(made(cast))
    assert "Accept" in browser.get(address).text
    assert not Membership.objects.filter(user__username="already").exists(), "opening a link accepts nothing"
    browser.post(address)
    assert Membership.objects.get(user__username="already").role == Role.ARBITER


def test_a_member_of_the_club_gets_their_own_page(cast):
    member = cast.members[5]
    browser = Client()
    answer = browser.get(invitation_path(invitation := made(cast, Role.MEMBER, member=member)))
    assert 'value="Nikt"' in answer.text
    browser.post(invitation_path(invitation), NEW)
    assert Member.objects.get(pk=member.pk).user.username == "iga"
    assert browser.get(reverse("own_member_page", args=[cast.club.slug])).status_code == 200


def test_the_secretary_makes_shows_and_withdraws_one(cast, mailoutbox):
    browser = cast.browser("secretary")
    sent = {"role": "arbiter", "email": "iga@poczta.example", "days": 7}
    answer = browser.post(people(cast), sent, follow=True)
    link = re.search(r"http://testserver(/join/[^<\s]+)", answer.text).group(1)
    assert link in mailoutbox[0].body
    assert mailoutbox[0].to == ["iga@poczta.example"]
    assert "svg" in browser.get(answer.request["PATH_INFO"] + "code.svg").headers["Content-Type"]
    assert Client().get(link).status_code == 200
    browser.post(reverse("invitation_withdraw", args=[cast.club.slug, Invitation.objects.get().pk]))
    assert Client().get(link).status_code == 410


def test_a_letter_that_cannot_go_leaves_the_link(cast, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 9, 1
    sent = {"role": "arbiter", "email": "iga@poczta.example", "days": 7}
    answer = cast.browser("secretary").post(people(cast), sent, follow=True)
    assert "send the email" in answer.text
    assert "/join/" in answer.text


# -- From a personal link --------------------------------------------------------------------------------------------


def claim(cast: Cast, place: int):
    return Client().post(reverse("personal_account_request", args=[event_link_token(cast.entry(place))]))


def test_a_member_claims_an_account_by_email_if_the_club_has_the_address(cast, mailoutbox):
    Member.objects.filter(pk=cast.members[5].pk).update(email="nikt@poczta.example")
    answer = claim(cast, 5)
    assert "/join/" not in answer.headers["Location"], "whoever holds the link alone does not get in"
    assert mailoutbox[0].to == ["nikt@poczta.example"]
    assert "/join/" in mailoutbox[0].body


def test_without_an_address_on_the_spot(cast):
    answer = claim(cast, 5)
    Client().post(answer.headers["Location"], NEW)
    assert Member.objects.get(pk=cast.members[5].pk).user.username == "iga"


def test_nobody_claims_what_is_taken_or_nobodys(cast):
    Member.objects.filter(pk=cast.members[5].pk).update(user=make_user("first"))
    assert claim(cast, 5).status_code == 404
    cast.event.entries.filter(pk=cast.entry(0).pk).update(member=None)
    assert claim(cast, 0).status_code == 404


def test_letters_cannot_be_asked_for_without_end(cast, mailoutbox):
    Member.objects.filter(pk=cast.members[5].pk).update(email="nikt@poczta.example")
    told = [claim(cast, 5).wsgi_request for _ in range(8)]
    assert len(mailoutbox) <= 4
    said = [str(message) for request in told for message in get_messages(request)]
    assert len(said) == 8, "each is told whether a letter is on its way, or that he has to wait"
    assert sum("Too many failed attempts" in each for each in said) == 8 - len(mailoutbox)


def test_a_line_break_in_the_name_of_the_club_is_none_in_the_subject(cast, mailoutbox):
    cast.club.name = "Klub\r\nBcc: all@poczta.example"
    cast.club.save()
    browser = Client()
    browser.force_login(cast.secretary)
    sent = {"role": "arbiter", "days": "7", "email": "iga@poczta.example"}
    assert browser.post(people(cast), sent).status_code == 302
    assert mailoutbox[0].subject == "Invitation to Klub Bcc: all@poczta.example"
    assert "Bcc" not in mailoutbox[0].message()
