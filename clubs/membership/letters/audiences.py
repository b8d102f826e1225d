"""The groups that letters can go to. Other packages register their own, such as the players in an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.finance.dues.balances import member_balances
from clubs.models import Club, Member
from common.text.amounts import format_money

PLACEHOLDERS: dict[str, Promise] = {"name": _("first name"), "club": _("club name")}
MONEY_PLACEHOLDERS: dict[str, Promise] = {"amount": _("overdue amount"), "reference": _("payment reference")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Somebody who gets a letter. `email` is empty if no address is known."""

    name: str
    called: str
    email: str
    language: str = ""
    member: Member | None = None
    amount: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """A group of readers. `key` identifies it in a form, such as `group:3`."""

    key: str
    title: str
    readers: Callable[[], list[Reader]]
    has_money: bool = False

    @property
    def placeholders(self) -> dict[str, Promise]:
        """The placeholders that a letter to this group can have, with their descriptions."""
        return PLACEHOLDERS | MONEY_PLACEHOLDERS if self.has_money else PLACEHOLDERS


_sources: list[Callable[[Club], list[Audience]]] = []


def register_audiences(source: Callable[[Club], list[Audience]]) -> None:
    """Register a function that returns more groups of a club."""
    if source not in _sources:
        _sources.append(source)


def club_audiences(club: Club) -> list[Audience]:
    """Return all groups of the club that a letter can go to."""
    return [audience for source in (_member_audiences, *_sources) for audience in source(club)]


def find_audience(club: Club, key: str) -> Audience | None:
    """Return the group with this key, or None."""
    return next((each for each in club_audiences(club) if each.key == key), None)


def member_readers(members: Iterable[Member]) -> list[Reader]:
    """Return members as readers. A minor's letter goes to the guardian if their address is known."""
    today = timezone.localdate()
    return [
        Reader(
            name=member.name,
            called=member.given_name or member.family_name,
            email=(member.contact_email_on(today) or member.guardian_email_on(today)).lower(),
            language=member.language,
            member=member,
        )
        for member in members
    ]


def _member_audiences(club: Club) -> list[Audience]:
    people = club.members.filter(erased_at=None).exclude_former()
    full = people.filter(status__in=(Member.Status.MEMBER, Member.Status.HONORARY))
    return [
        Audience(key="members", title=str(_("All members")), readers=lambda: member_readers(full)),
        Audience(
            key="overdue", title=str(_("Members with overdue dues")), readers=lambda: _overdue(club), has_money=True
        ),
        *(
            Audience(
                key=f"group:{group.pk}",
                title=group.name,
                readers=lambda group=group: member_readers(people.filter(groups=group)),  # type: ignore[misc]
            )
            for group in club.groups.all()
        ),
    ]


def _overdue(club: Club) -> list[Reader]:
    balances = {pk: each for pk, each in member_balances(club, today=timezone.localdate()).items() if each.overdue}
    members = club.members.filter(pk__in=balances, erased_at=None).prefetch_related("accounts")
    return [
        replace(
            each,
            amount=format_money(balances[each.member.pk].overdue, club.currency),
            reference=each.member.accounts.all()[0].payment_reference,
        )
        for each in member_readers(members)
        if each.member is not None
    ]
