from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core import mail
from django.test import Client

from clubs.models import RatingListPlayer
from clubs.rating.lists.import_jobs import get_fide_register
from clubs.rating.lists.list_import import name_search_text
from common.jobs.queue import create_job, enqueue_job
from tests.factories import make_event
from tournaments.models import EntryFee, OnlineEntry, OnlineEntrySettings, Tournament
from tournaments.online_entries.processing import PROCESS_TASK

SENT = {"name": "Nowak, Anna", "email": "anna@poczta.example", "birth_year": "1990", "shows_name": "on"}


@pytest.fixture(autouse=True)
def mail_server(settings) -> None:
    """The test backend keeps emails; the pages behave as if there were a mail server."""
    settings.EMAIL_HOST = "mail.example"


@pytest.fixture
def event(club) -> Tournament:
    club.bank_account, club.email = "DE89370400440532013000", "sekretarz@klub.example"
    club.save()
    return make_event(club)


@pytest.fixture
def form(event) -> OnlineEntrySettings:
    """The entry form of the event, open."""
    return OnlineEntrySettings.objects.create(tournament=event, is_open=True)


@pytest.fixture
def listed(db) -> RatingListPlayer:
    """A player of FIDE's list."""
    fide = get_fide_register()
    facts = {"standard": 1850, "birth_year": 1988, "federation": "POL"}
    name = "Wiśniewska, Ewa"
    return RatingListPlayer.objects.create(
        register=fide, number="1100012", name=name, searched=name_search_text(name), **facts
    )


def address(event: Tournament, end: str = "") -> str:
    return f"/{event.club.slug}/{event.slug}/enter/{end}"


def process() -> None:
    """As every minute."""
    enqueue_job(create_job(PROCESS_TASK, by=None))


def links(to: str) -> list[str]:
    """The paths of the entry's own links in the emails to an address, the first first."""
    bodies = [str(each.body) for each in mail.outbox if each.to == [to]]
    return [re.findall(r"https?://[^/\s]+(/\S+/enter/\S+)", body)[0] for body in bodies]


@pytest.fixture
def enter(client: Client, event: Tournament, form: OnlineEntrySettings) -> Callable[..., OnlineEntry]:
    """Send the form as a stranger, and confirm by the link in the email."""

    def sent(name: str = "Nowak, Anna", **fields: str) -> OnlineEntry:
        data = SENT | {"name": name, "email": f"{name.partition(',')[0].lower()}@poczta.example"} | fields
        answer = client.post(address(event), data)
        assert answer.status_code == 302, answer.context["form"].errors
        process()
        client.post(links(data.get("guardian_email") or data["email"])[-1])
        return OnlineEntry.objects.latest("pk")

    return sent


@pytest.fixture
def fees(form) -> None:
    """10 € for members, 5 € for those up to 18, otherwise 20 €, and 15 € early."""
    for place, more in enumerate(
        (
            {"name": "Members", "amount": 1000, "for_members": True},
            {"name": "Juniors", "amount": 500, "to_age": 18},
            {"name": "Others", "amount": 2000, "early_amount": 1500},
        )
    ):
        EntryFee.objects.create(settings=form, place=place, **more)
