"""The users of the web tests: secretary, arbiter, member, a neighbour from another club, an anonymous visitor.

`make_cast` makes them with their club, a public event of three rounds and six players; `browser` gives each a browser.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.test import Client

from clubs.models import Club, Member, Role, User
from tests.factories import make_club, make_event, make_member, make_user
from tournaments.entries.enrolment import enter_members
from tournaments.models import Entry, Round, Tournament

NAMES = (
    "Domysłowska, Ewelina",
    "Измислен, Петър",
    "Vymyšlený, Bohumil",
    "Niebyłowicz-Fikcyjska, Bronisława Kunegunda",
    "Żółć, Grażyna",
    "Nikt, Jan",
)
HTMX = {"HX-Request": "true", "HX-Target": "found"}
HTMX_BACK = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
"""What HTMX sends when somebody goes back to a page whose address it had changed."""


class _SignInFirst:
    """Equal to the status of an answer that redirects to sign-in: for a page, and for a form."""

    def __eq__(self, status: object) -> bool:
        return status in (302, 401)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "sign in first"


SIGN_IN_FIRST = _SignInFirst()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """All people and objects of a test's evening."""

    club: Club
    event: Tournament
    members: list[Member]
    secretary: User

    def browser(self, who: str) -> Client:
        """A browser with somebody signed in, or an anonymous visitor's."""
        client = Client()
        if who != "visitor":
            client.force_login(User.objects.get(username=who))
        return client

    def round(self, number: int) -> Round:
        return self.event.rounds.get(number=number)

    def entry(self, place: int) -> Entry:
        """The player at this place of NAMES."""
        return self.event.entries.get(name=NAMES[place])


def make_cast() -> Cast:
    """The cast, with the event not started."""
    club = make_club("pod-goncem", "Pod Gońcem")
    secretary = make_user("secretary", club, Role.SECRETARY)
    make_user("arbiter", club, Role.ARBITER)
    make_user("member", club, Role.MEMBER)
    make_user("neighbour", make_club("elsewhere", "Elsewhere"), Role.SECRETARY)
    event = make_event(club, rounds=3)
    members = [make_member(club, name, rating=2000 - 50 * place) for place, name in enumerate(NAMES)]
    enter_members(event, members, by=secretary)
    return Cast(club=club, event=event, members=members, secretary=secretary)
