from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from clubs.models import Club, DuesSeason, FeeClass, MembershipApplication
from common.emails.outbox import SEND_TASK
from common.jobs.queue import create_job, enqueue_job

JAN = {
    "people-TOTAL_FORMS": "1",
    "people-INITIAL_FORMS": "0",
    "people-0-given_name": "Jan",
    "people-0-family_name": "Nikt",
    "people-0-birth_date": "1980-05-01",
    "email": "jan@poczta.example",
}


@pytest.fixture(autouse=True)
def mail_server(settings) -> None:
    """The test backend keeps emails; the pages behave as if there were a mail server."""
    settings.EMAIL_HOST = "mail.example"


@pytest.fixture
def open_club(club) -> Club:
    club.takes_applications, club.bank_account, club.email = True, "DE89370400440532013000", "sekretarz@klub.example"
    club.save()
    return club


def process() -> None:
    """As every minute."""
    enqueue_job(create_job(SEND_TASK, by=None))


def links(to: str) -> list[str]:
    """The paths of the application's own links in the emails to an address, the first first."""
    bodies = [str(each.body) for each in mail.outbox if each.to == [to]]
    return [re.findall(r"https?://[^/\s]+(/\S+/join/\S+)", body)[0] for body in bodies]


def child(number: int, name: str, born: str) -> dict[str, str]:
    """Another person in the form."""
    given, family = name.split()
    before = f"people-{number}-"
    return {
        f"{before}given_name": given,
        f"{before}family_name": family,
        f"{before}birth_date": born,
        "people-TOTAL_FORMS": str(number + 1),
    }


@pytest.fixture
def apply(client: Client, open_club: Club) -> Callable[..., MembershipApplication]:
    """Send the form as a stranger, and confirm by the link in the email."""

    def sent(**fields: str) -> MembershipApplication:
        data = JAN | fields
        answer = client.post(f"/{open_club.slug}/join/", data)
        assert answer.status_code == 302, (answer.context["form"].errors, answer.context["people"].errors)
        process()
        assert client.post(links(data["email"])[-1]).status_code == 302
        return MembershipApplication.objects.latest("pk")

    return sent


YEAR = timezone.localdate().year
MOTHER = {"guardian_name": "Ewa Mama", "email": "ewa@poczta.example"}
TWO_CHILDREN = {
    "people-0-given_name": "Ola",
    "people-0-family_name": "Mama",
    "people-0-birth_date": f"{YEAR - 8}-01-02",
    **child(1, "Iga Mama", f"{YEAR - 10}-01-02"),
    **MOTHER,
}


def form_of(club: Club) -> str:
    return f"/{club.slug}/join/"


def answers(page: str) -> dict[str, bool]:
    """Who an applicant may be: the keys of members, 0 for somebody else, and whether it is chosen."""
    boxes = re.findall(r'<input type="radio" name="same-\d+" value="(\d+)"([^>]*)>', page)
    return {value: "checked" in rest for value, rest in boxes}


def states() -> list[str]:
    return list(MembershipApplication.objects.order_by("pk").values_list("state", flat=True))


@pytest.fixture
def season(open_club: Club) -> DuesSeason:
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
