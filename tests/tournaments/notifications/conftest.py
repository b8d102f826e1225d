from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.factories import make_event, make_member
from tests.push_service import PushService
from tournaments.entries.enrolment import enter_members


@pytest.fixture
def push_service(settings, tmp_path) -> Iterator[PushService]:
    """The only push service, and the keys of this test's server."""
    service = PushService()
    settings.PUSH_SERVICES = [service.origin]
    settings.PUSH_KEY_FILE = tmp_path / "push-key"
    yield service
    service.close()


@pytest.fixture(autouse=True)
def mail_server(settings) -> None:
    """The test backend keeps emails; the pages behave as if there were a mail server."""
    settings.EMAIL_HOST = "mail.example"
    settings.DEFAULT_FROM_EMAIL = "club@chess.example"


@pytest.fixture
def event(club):
    event = make_event(club, players_report_results=True)
    members = [
        make_member(club, f"Figura, Nr{number}", rating=2000 - number, email=f"nr{number}@poczta.example")
        for number in range(4)
    ]
    enter_members(event, members, by=None)
    return event
