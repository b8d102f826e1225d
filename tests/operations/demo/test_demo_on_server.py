"""The demo club on a server: without public accounts, and removed without a trace."""

from __future__ import annotations

from datetime import date

import pytest
from django.apps import apps
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from clubs.finance.dues.ledger import charge_member
from clubs.models import Club, LedgerEntry, Member, User
from clubs.rating.lists.import_jobs import get_fide_register
from operations.demo.demo_club import make_demo_club_without_logins
from operations.demo.demo_texts import demo_texts
from operations.demo.removal import remove_demo_club
from tests.factories import make_club, make_event, make_member, played

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def rows() -> dict[str, int]:
    return {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model.__module__.split(".")[0] in ("clubs", "common", "tournaments", "pairing")
    }


def test_it_comes_without_log_ins_and_goes_without_a_trace():
    root = User.objects.create_superuser("root")
    own = make_club("pod-wieza", "Pod Wieżą")
    make_member(own, "Nikt, Jan")
    event = make_event(own, players=4)
    played(event, 1)
    get_fide_register()  # stays: it belongs to all clubs
    before = rows()
    club = make_demo_club_without_logins(by=root)
    assert make_demo_club_without_logins(by=root) == club
    assert club.slug != own.slug
    assert User.objects.count() == 1
    assert LedgerEntry.objects.exists()
    assert remove_demo_club()
    assert rows() == before
    assert not remove_demo_club()
    # Ledger entries are still append-only afterwards.
    charge_member(Member.objects.get(), 5000, text="składka", due_on=date(2026, 9, 1), by=None)
    with pytest.raises(DatabaseError), transaction.atomic():
        LedgerEntry.objects.update(text="changed")


def test_it_is_had_and_removed_in_the_browser():
    browser = Client(headers={"Accept-Language": "pl"})
    browser.force_login(User.objects.create_superuser("root"))
    browser.post(reverse("demo_load"))
    club = Club.objects.get()
    assert club.is_demo
    assert (club.currency, "Klub" in club.name) == ("PLN", True)
    assert "Try the demo" in browser.get("/", headers={"Accept-Language": "en-GB,en"}).text
    browser.post(reverse("demo_remove"))
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("language", "currency", "word"), [("en", "GBP", "Chess Club"), ("pl", "PLN", "Klub"), ("de", "GBP", "Club")]
)
def test_it_speaks_the_language_of_its_reader(language, currency, word):
    texts = demo_texts(language)
    assert (texts.currency, word in texts.name) == (currency, True)
