"""Personal links: who can use them, and what ends them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging

import pytest

from config.log_redaction import RedactTokensFilter
from tests.factories import make_event, player, round_of
from tournaments.check_in.personal_links import (
    check_in_code_token,
    entry_by_token,
    event_link_token,
    event_link_url,
    renew_personal_link,
)
from tournaments.models import Entry


@pytest.fixture
def event(club):
    return make_event(club, players=3)


@pytest.mark.parametrize(
    "token", ["", ".", "x", "1", "1.", "-1.abc", "٣.abc", "99999999999999999999.abc", "1.\x00", "1.AAAAAAAAAAAAAAAA"]
)
def test_a_wrong_token_is_nobodys(token, event):
    assert entry_by_token(token) is None


def test_the_signature_of_one_does_not_open_anothers_page(event):
    first, second = player(event, 1), player(event, 2)
    assert entry_by_token(f"{second.pk}.{event_link_token(first).partition('.')[2]}") is None


def test_a_renewed_link_ends_the_one_before(event, secretary):
    before = event_link_token(player(event, 1))
    renewed = renew_personal_link(player(event, 1), by=secretary)
    assert entry_by_token(before) is None
    assert entry_by_token(event_link_token(renewed)) == renewed
    assert event.log.first().action == "personal link renewed"
    assert before not in str(event.log.first().details)


def test_another_servers_key_gives_other_links(event, settings):
    before = event_link_token(player(event, 1))
    settings.SECRET_KEY = "another"
    assert entry_by_token(before) is None


def test_a_players_link_leads_to_their_page(event, django_assert_num_queries):
    entry = player(event, 2)
    token = event_link_token(entry)
    with django_assert_num_queries(1):
        found = entry_by_token(token)
        assert found == entry
        assert found.tournament.club == event.club
    with django_assert_num_queries(0):
        assert event_link_url(entry) == f"/p/{token}/"


def test_links_have_little_to_print_and_nothing_in_common(event):
    tokens = [event_link_token(entry) for entry in Entry.objects.all()]
    signatures = {token.partition(".")[2] for token in tokens}
    assert len(signatures) == 3
    assert all(len(signature) == 16 for signature in signatures)


def test_the_code_on_the_wall_is_of_one_round_and_one_event(event, club):
    other = make_event(club, players=2)
    tokens = {check_in_code_token(round_of(each, number)) for each in (event, other) for number in (1, 2)}
    assert len(tokens) == 4


@pytest.mark.parametrize("path", ["/p/12.abc-DEF_1/", "/p/12.abc-DEF_1/bye/", "/club/event/check-in/3.abc-DEF_1/"])
def test_no_token_gets_into_the_servers_log(path):
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, "Not Found: %s", (path,), None)
    assert RedactTokensFilter().filter(record)
    assert "abc-DEF_1" not in record.getMessage()
    assert "…/" in record.getMessage()


def test_links_printed_once_hold_for_good(event, settings):
    """By the definitions of RFC 2104 and of Django's salted key: another order would break every printed link."""
    entry = player(event, 1)
    key = hashlib.sha256(f"clubnight personal link{settings.SECRET_KEY}".encode()).digest()
    signed = hmac.new(key, f"{entry.pk}:{entry.link_version}".encode(), "sha256").digest()[:12]
    assert event_link_token(entry) == f"{entry.pk}.{base64.urlsafe_b64encode(signed).decode()}"
