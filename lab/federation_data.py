"""The data of a federation's server on a Tuesday evening, written to the database of this process's settings.

All names are made up. Every evening stands at one of three points: players check in, a round is to be paired, results
are entered. One more club has an event of a thousand players, for its cards.
"""

from __future__ import annotations

import json
import sys
from typing import Any

MEMBERS = PLAYERS = 60
CARDS = 1_000
POINTS = ("checking in", "pairing", "entering")


def main() -> None:
    import django

    django.setup()
    clubs, evenings, *_rest = map(int, sys.argv[1:])
    json.dump(made(clubs=clubs, evenings=evenings), sys.stdout)


def made(*, clubs: int, evenings: int) -> dict[str, Any]:
    """The evenings and the event of the thousand cards: URLs, session keys, players."""
    from clubs.models import Club, Member

    # One club more, for the thousand cards.
    rows = Club.objects.bulk_create(
        [Club(slug=f"club-{n:03}", name=f"Club {n:03}", city="Zamatowice") for n in range(clubs + 1)]
    )
    members = [
        Member(club=club, family_name=f"Pionek{n:03}", given_name="Jan", rating=2300 - 10 * n)
        for club in rows[:clubs]
        for n in range(MEMBERS)
    ]
    Member.objects.bulk_create(members, batch_size=2_000)
    by_club: dict[int, list[Member]] = {}
    for member in members:
        by_club.setdefault(member.club_id, []).append(member)
    held = [_evening(rows[n], by_club[rows[n].pk], POINTS[n % len(POINTS)]) for n in range(evenings)]
    return {"evenings": held, "cards": _thousand_cards(rows[clubs])}


def _evening(club: Any, members: list[Any], point: str) -> dict[str, Any]:
    from pairing.rounds.lifecycle.transitions import pair_round, publish_round
    from tournaments.check_in.personal_links import event_link_url
    from tournaments.entries.enrolment import enter_members
    from tournaments.events.event_setup import create_tournament

    secretary, session = _secretary(club)
    event = create_tournament(
        club, by=secretary, name="Tuesday", rounds_announced=7, system="dutch-2026", players_check_in=True
    )
    enter_members(event, members[:PLAYERS], by=secretary)
    if point == "entering":
        draft = pair_round(event.rounds.get(number=1).pk, by=secretary).round
        publish_round(draft, by=secretary, version=draft.version)
    players = [
        {"entry": entry.pk, "personal": event_link_url(entry)}
        for entry in event.entries.select_related("member").order_by("pk")
    ]
    return {"address": f"/{club.slug}/{event.slug}/", "session": session, "point": point, "players": players}


def _thousand_cards(club: Any) -> dict[str, Any]:
    from tournaments.entries.enrolment import enter_pasted_list
    from tournaments.events.event_setup import create_tournament

    secretary, session = _secretary(club)
    event = create_tournament(club, by=secretary, name="Open", rounds_announced=9)
    enter_pasted_list(event, "\n".join(f"Wieża, Nr{n:04}; {2400 - n}" for n in range(CARDS)), by=secretary)
    return {"address": f"/{club.slug}/{event.slug}/", "session": session}


def _secretary(club: Any) -> tuple[Any, str]:
    """The officer of the club's events, and the key of a session."""
    from django.conf import settings
    from django.test import Client

    from clubs.models import Membership, Role, User

    # Nobody signs in here, so no time is spent on hashing passwords.
    user = User.objects.create(username=f"secretary-{club.slug}", password="!")  # noqa: S106
    Membership.objects.create(user=user, club=club, role=Role.SECRETARY)
    browser = Client()
    browser.force_login(user)
    return user, browser.cookies[settings.SESSION_COOKIE_NAME].value


if __name__ == "__main__":
    main()
