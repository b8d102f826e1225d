"""Changes to the member's own data."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Member, PersonalDataAccess, Role
from tests.factories import make_club, make_member, make_user


@pytest.fixture
def person(db) -> Member:
    club = make_club()
    return make_member(
        club, "Figura, Nr1", rating=1700, user=make_user("gracz", club, Role.MEMBER), email="a@example.org"
    )


def address(person: Member) -> str:
    return reverse("own_data_edit", args=[person.club.slug])


def test_what_is_the_secretarys_stays_hers(person, client):
    other = make_member(person.club, "Figura, Nr2")
    client.force_login(person.user)
    sent = {"email": "b@example.org", "family_name": "Król", "rating": 2500, "status": "honorary", "member": other.pk}
    assert client.post(address(person), sent).status_code == 302
    person.refresh_from_db()
    assert (person.email, person.name, person.rating, person.status) == ("b@example.org", "Figura, Nr1", 1700, "member")
    assert not Member.objects.get(pk=other.pk).email


def test_a_wrong_address_is_refused_and_nothing_is_lost(person, client):
    client.force_login(person.user)
    answer = client.post(address(person), {"email": "no address", "phone": "+48 600 000 000"})
    assert answer.status_code == 422
    assert "+48 600 000 000" in answer.content.decode()
    person.refresh_from_db()
    assert person.email == "a@example.org"


def test_a_new_answer_is_of_today_and_an_old_one_keeps_its_day(person, client):
    before = timezone.localdate().replace(year=2020)
    Member.objects.filter(pk=person.pk).update(photo_consent="yes", photo_consent_on=before)
    client.force_login(person.user)
    refusal = {"email": "a@example.org", "photo_consent": "yes", "publication_consent": "no"}
    assert "The secretary can replace it" in client.post(address(person), refusal, follow=True).text
    person.refresh_from_db()
    assert (person.photo_consent, person.photo_consent_on) == ("yes", before)
    assert (person.publication_consent, person.publication_consent_on) == ("no", timezone.localdate())
    client.post(address(person), {"email": "a@example.org", "photo_consent": "", "publication_consent": "no"})
    person.refresh_from_db()
    assert (person.photo_consent, person.photo_consent_on) == ("", None)
    seen = (
        PersonalDataAccess.objects.filter(member=person, what=PersonalDataAccess.DataAccessKind.CHANGE)
        .order_by("pk")
        .first()
    )
    assert seen.user == person.user
