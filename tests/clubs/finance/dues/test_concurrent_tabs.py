"""Actions that book money book it once, however many tabs send the form at the same moment.

Each is sent once here, and on SQLite, where one writer waits for the other whatever he writes, every third;
`python -m tests.clubs.finance.dues.concurrent_tabs` sends all of them so often as one likes to a real server.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client

from clubs.models import Club
from operations.integrity.ledger_checks import check_ledgers
from tests.clubs.finance.dues.concurrent_bookings import BOOKINGS
from tests.clubs.finance.dues.concurrent_tabs import ANSWERS, address_of, at_one_instant, bodies, new_scene

EVERY = 3 if connection.vendor == "sqlite" else 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", [*BOOKINGS][::EVERY])
def test_six_tabs_book_once(name):
    club, treasurer = new_scene()
    booking = BOOKINGS[name](club, treasurer)
    sent = bodies(booking)
    browsers = [Client() for _body in sent]
    for browser in browsers:
        browser.force_login(treasurer)

    def send(number: int) -> int:
        body, kind = sent[number]
        try:
            return browsers[number].generic("POST", address_of(club, booking), body, kind).status_code
        finally:
            connection.close()

    answers = at_one_instant(send)
    assert set(answers) <= ANSWERS
    assert booking.made() == booking.wanted
    assert list(check_ledgers(Club.objects.filter(pk=club.pk))) == []
