"""An event checked against its rules: illegal, different or as the system pairs, and why."""

from __future__ import annotations

import pytest
from django.urls import reverse

from clubs.models import Role
from pairing.rounds.comparison.rules_check import check_rounds, finished_rounds
from tests.factories import make_club, make_event, make_user, played
from tournaments.import_export.file_import import apply_import
from tournaments.models import PairingSystem, Tournament

pytestmark = pytest.mark.django_db

IMPOSSIBLE = """012 Turniej z pliku
XXR 5
XXC white1
001    1      Wieza, Ewa                        2100                             3.0    1     2 w 1     3 b 1     2 w 1
001    2      Goniec, Jan                       2000                             1.0    4     1 b 0     5 w 1     1 b 0
001    3      Hetman, Ola                       1900                             2.0    2     4 w 1     1 w 0     5 w 1
001    4      Skoczek, Ala                      1800                             2.0    3     3 b 0  0000 - U  0000 - U
001    5      Pionek, Jan                       1700                             1.0    5  0000 - U     2 b 0     3 b 0
"""
"""In round 3 the players 1 and 2 meet again, 3 has White for the third time, and 4 the second bye."""


def checked(event: Tournament) -> dict[int, str]:
    return {each.number: each.verdict for each in check_rounds(event, finished_rounds(event))}


def test_others_see_nothing_of_it(client):
    event = make_event(make_club(), players=4)
    address = reverse("event_rules_check", args=[event.club.slug, event.slug])
    assert client.get(address).status_code == 302
    client.force_login(make_user("szef", event.club, Role.SECRETARY))
    assert client.post(address).status_code == 405
    assert "No rounds finished yet" in client.get(address).content.decode()


@pytest.mark.parametrize("system", ["fide-1989", "jahr", "dutch-2026"])
def test_rounds_that_our_engine_paired_agree(system):
    event = make_event(make_club(), players=9, system=system)
    for number in (1, 2, 3):
        played(event, number, seed=number)
    assert checked(event) == dict.fromkeys((1, 2, 3), "agrees")


def test_an_imported_event_with_an_impossible_history(client, monkeypatch):
    club = make_club()
    data = IMPOSSIBLE.encode()
    event = apply_import(club, data, "plik.trf", system=PairingSystem.FIDE_1989, by=None)
    found = {each.number: each for each in check_rounds(event, finished_rounds(event))}
    assert found[3].verdict == "illegal"
    assert [(each.kind, each.cited.article, each.round) for each in found[3].breaches] == [
        ("met", "fide-1989 art. 2", 1),
        ("wrong_colour", "fide-1989 art. 12.1 a", None),
        ("bye_barred", "fide-1989 art. 8.2", 2),
    ]
    assert found[2].verdict in ("agrees", "differs")
    client.force_login(make_user("szef", club, Role.SECRETARY))
    address = reverse("event_rules_check", args=[club.slug, event.slug])
    page = client.get(address).content.decode()
    assert "Wieza, Ewa and Goniec, Jan met in round 1." in page
    assert "/help/systems/fide-1989/#article-8-2" in page
    # A large event is checked one round at a time.
    monkeypatch.setattr("pairing.rounds.comparison.rules_check.MAX_PAIRINGS_AT_ONCE", 1)
    assert [each.number for each in client.get(address).context["checked"]] == [3]
    assert [each.number for each in client.get(f"{address}?round=1").context["checked"]] == [1]
