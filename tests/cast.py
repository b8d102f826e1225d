"""The people of the web tests: the secretary, an arbiter, a member, somebody of another club, an outsider.

`cast` makes them with their club, a public event of three rounds and six players, and gives a browser for each.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.test import Client

from clubs.models import Club, Member, Membership, Role, User
from tournaments.entering import enter_members
from tournaments.models import Entry, Round, System, Tournament
from tournaments.setting_up import create_tournament

NAMES = (
    "Domysłowska, Ewelina",
    "Измислен, Петър",
    "Vymyšlený, Bohumil",
    "Niebyłowicz-Fikcyjska, Bronisława Kunegunda",
    "Żółć, Grażyna",
    "Nikt, Jan",
)
HTMX = {"HX-Request": "true"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Everyone and everything of a test's evening."""

    club: Club
    event: Tournament
    members: list[Member]
    secretary: User

    def browser(self, who: str) -> Client:
        """A browser in which somebody is signed in: secretary, arbiter, member, stranger; or outsider: nobody."""
        client = Client()
        if who != "outsider":
            client.force_login(User.objects.get(username=who))
        return client

    def round(self, number: int) -> Round:
        return self.event.rounds.get(number=number)

    def entry(self, place: int) -> Entry:
        """The player at this place of NAMES."""
        return self.event.entries.get(name=NAMES[place])


def make_cast() -> Cast:
    """The cast, the event not begun."""
    club = Club.objects.create(name="Pod Gońcem", slug="pod-goncem", city="Nibylandów", federation="POL")
    elsewhere = Club.objects.create(name="Elsewhere", slug="elsewhere")
    roles = {
        "secretary": (club, Role.SECRETARY),
        "arbiter": (club, Role.ARBITER),
        "member": (club, Role.MEMBER),
        "stranger": (elsewhere, Role.SECRETARY),
    }
    for name, (where, role) in roles.items():
        Membership.objects.create(user=User.objects.create_user(name, password="correct horse"), club=where, role=role)
    secretary = User.objects.get(username="secretary")
    event = create_tournament(club, by=secretary, name="Środa", rounds_announced=3, system=System.JAHR)
    members = [
        Member.objects.create(club=club, family_name=family, given_name=given, rating=2000 - 50 * place)
        for place, (family, given) in enumerate(name.split(", ") for name in NAMES)
    ]
    enter_members(event, members, by=secretary)
    return Cast(club=club, event=event, members=members, secretary=secretary)
