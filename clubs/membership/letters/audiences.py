"""The groups that letters can go to. Other packages register their own, such as the players in an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.finance.dues.balances import MemberBalance, member_balances
from clubs.models import Club, GroupLetter, LetterCopy, Member
from clubs.request_types import parse_key
from common.text.amounts import Cents, format_money

PLACEHOLDERS: dict[str, Promise] = {"name": _("first name"), "club": _("club name")}
MONEY_PLACEHOLDERS: dict[str, Promise] = {"amount": _("amount"), "reference": _("payment reference")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Somebody who gets a letter, or several people who share an address. `email` is empty if no address is known."""

    name: str
    called: str
    email: str
    is_own_address: bool = True
    """False if the address is a guardian's."""
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
    stopped_letter: GroupLetter | None = None
    """The letter that these readers didn't get, because it was stopped."""

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
    """Return the group with this key, or None. `letter:3` is who didn't get letter 3 because it was stopped."""
    kind, _colon, number = key.partition(":")
    if kind == "letter":
        letter = club.letters.filter(pk=parse_key(number)).first()
        return _stopped_audience(letter) if letter is not None and letter.is_recent else None
    return next((each for each in club_audiences(club) if each.key == key), None)


def _stopped_audience(letter: GroupLetter) -> Audience:
    return Audience(
        key=f"letter:{letter.pk}",
        title=str(_("%(group)s, who didn't get the stopped letter")) % {"group": letter.audience},
        readers=lambda: [
            Reader(
                name=copy.name,
                called=copy.values.get("name", copy.name),
                email=copy.email,
                language=copy.language,
                member=copy.member,
                amount=copy.values.get("amount", ""),
                reference=copy.values.get("reference", ""),
            )
            for copy in letter.copies.filter(error=LetterCopy.STOPPED).select_related("member")
        ],
        has_money=letter.copies.exclude(values__amount="").exists(),
        stopped_letter=letter,
    )


def member_readers(members: Iterable[Member]) -> list[Reader]:
    """Return members as readers. A minor's letter goes to the guardian if their address is known."""
    today = timezone.localdate()
    return [
        Reader(
            name=member.name,
            called=member.given_name or member.family_name,
            email=(email := member.contact_email_on(today) or member.guardian_email_on(today)).lower(),
            is_own_address=email == member.email.lower(),
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
            key="owing",
            title=str(_("Members who owe dues")),
            readers=lambda: _owing(club, lambda balance: max(0, balance.amount_owed)),
            has_money=True,
        ),
        Audience(
            key="overdue",
            title=str(_("Members with overdue dues")),
            readers=lambda: _owing(club, lambda balance: balance.overdue),
            has_money=True,
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


def _owing(club: Club, amount_of: Callable[[MemberBalance], Cents]) -> list[Reader]:
    balances = member_balances(club, today=timezone.localdate())
    amounts = {pk: amount for pk, balance in balances.items() if (amount := amount_of(balance))}
    members = club.members.filter(pk__in=amounts, erased_at=None).prefetch_related("accounts")
    return [
        replace(
            each,
            amount=format_money(amounts[each.member.pk], club.currency),
            reference=each.member.accounts.all()[0].payment_reference,
        )
        for each in member_readers(members)
        if each.member is not None
    ]
