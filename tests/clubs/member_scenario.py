"""Shared by the tests of the member list: its cast with a treasurer, people of every kind, and money."""

from __future__ import annotations

from datetime import date, timedelta

from django.urls import reverse
from django.utils import timezone

from clubs.finance.dues.ledger import charge_member
from clubs.models import Club, DuesSeason, FeeClass, LedgerEntry, Member, Role, User
from tests.factories import make_user
from tests.scenario import Cast, make_cast

SECRETS = {
    "email": "jan.nikt@poczta.example",
    "phone": "+48 111 222 333",
    "address": "ul. Zmyślona 7",
    "guardian_name": "Opiekunka, Zofia",
    "guardian_phone": "+48 999 888 777",
    "emergency_note": "Uczulenie na orzechy",
}
"""What of `Nikt, Jan` only some may see."""


def page(name: str, *more: object) -> str:
    return reverse(name, args=["pod-goncem", *more])


def make_book() -> Cast:
    """The cast with a treasurer. `Nikt, Jan` signs in as `member` and has private data."""
    cast = make_cast()
    make_user("treasurer", cast.club, Role.TREASURER)
    jan = cast.members[5]
    jan.user = User.objects.get(username="member")
    jan.birth_date = date(2012, 3, 28)
    for column, value in SECRETS.items():
        setattr(jan, column, value)
    jan.save()
    return cast


def make_season(club: Club, **fees: tuple[int, str, int | None, int | None]) -> DuesSeason:
    """A season whose dues are overdue since yesterday; fee classes by name, in order: amount, status, ages."""
    today = timezone.localdate()
    season = DuesSeason.objects.create(
        club=club,
        name="2026/27",
        starts_on=date(2026, 9, 1),
        ends_on=date(2027, 8, 31),
        due_on=today - timedelta(days=1),
    )
    for place, (name, (amount, status, from_age, to_age)) in enumerate(fees.items()):
        FeeClass.objects.create(
            season=season, place=place, name=name, amount=amount, status=status, from_age=from_age, to_age=to_age
        )
    return season


def owing(member: Member, amount: int, *, days: int = 1) -> LedgerEntry:
    """A charge that was due so many days ago."""
    due_on = timezone.localdate() - timedelta(days=days)
    return charge_member(member, amount, text="składka", due_on=due_on, by=None)
