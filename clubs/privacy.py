"""Rules for viewing personal data, and the log of who viewed it.

docs/secretary/personal-data.md explains them for readers.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from django.db.models import CharField, Model, Q, QuerySet, TextField

from clubs.models import (
    BankStatementLine,
    Club,
    LetterOptOut,
    Member,
    MembershipApplication,
    PersonalDataAccess,
    Role,
    User,
)


class DataCategory(StrEnum):
    """Groups of member data that are shown or hidden together."""

    SPORT = "sport"
    """Name, title, rating, federation, IDs, birth year, status, groups."""
    CONTACT = "contact"
    """Email, telephone, address, guardian, birth date, consents."""
    EMERGENCY = "emergency"
    """The emergency note and the guardian's telephone."""
    MONEY = "money"
    """Dues, payments, reminders."""


_SEEN_BY = {
    Role.SECRETARY: frozenset(DataCategory),
    Role.TREASURER: frozenset({DataCategory.SPORT, DataCategory.CONTACT, DataCategory.MONEY}),
    Role.ARBITER: frozenset({DataCategory.SPORT, DataCategory.EMERGENCY}),
    Role.MEMBER: frozenset[DataCategory](),
}


def visible_data_categories(roles: Iterable[Role]) -> frozenset[DataCategory]:
    """Return the categories of every member's data that these roles may see. Members see only their own data."""
    return frozenset().union(*(_SEEN_BY[role] for role in roles))


def log_data_access(club: Club, what: str, *, by: User | None, member: Member | None = None, **details: Any) -> None:
    """Log that a user viewed, exported or changed personal data. `details` must be plain JSON values."""
    PersonalDataAccess.objects.create(club=club, member=member, user=by, what=what, details=details)


_KEPT_TEXT_FIELDS = frozenset({"family_name", "given_name", "sort_name", "search_name", "status"})
"""The name is replaced, and the status says nothing about the person."""

ERASED_TEXT_FIELDS = tuple(
    field.name
    for field in Member._meta.concrete_fields
    if isinstance(field, CharField | TextField) and field.name not in _KEPT_TEXT_FIELDS
)
"""Text fields that are cleared when a person is erased."""

ERASED_MEMBER_NAME = "Former member"
"""The name of an erased person, the same in every language because results show it."""


def public_name(member: Member) -> str:
    """Return the name for public events: initials if the member has refused publication."""
    if member.publication_consent != Member.Consent.REFUSED:
        return member.name
    return ", ".join(f"{part[0]}." for part in (member.family_name, member.given_name) if part)


def is_name_in_initials(name: str) -> bool:
    """Return True if a name consists of initials, in the form that `public_name` returns."""
    return all(len(part) == 2 and part[1] == "." for part in name.split(", "))


def export_member_data(member: Member) -> dict[str, Any]:
    """Return all data about a person in the member records, ratings and ledger, as plain JSON values."""
    accounts = list(member.accounts.prefetch_related("ledger"))
    return {
        "member": _columns(member, leave_out={"club", "user", "sort_name", "search_name", "family_payer"}),
        "dues_are_paid_by_another": member.family_payer_id is not None,
        "log_in": member.user.get_username() if member.user else "",
        "groups": [group.name for group in member.groups.all()],
        "payment_references": [account.payment_reference for account in accounts],
        "ledger": [
            _columns(entry, leave_out={"club", "account", "entered_by", "form_key"})
            for account in accounts
            for entry in account.ledger.all()
        ],
        "reminders": [_columns(reminder, leave_out={"member", "by"}) for reminder in member.reminders.all()],
        "mandates": [_columns(mandate, leave_out={"member"}) for mandate in member.mandates.all()],
        "collected": [_columns(line, leave_out={"member"}) for line in member.direct_debit_lines.all()],
        "applications": [
            _columns(person, leave_out={"member", "application"})
            | _columns(person.application, leave_out=_OF_AN_APPLICATION_LEFT_OUT)
            for person in member.applications.select_related("application")
        ],
        "letters": [
            {
                "at": copy.letter.made_at.isoformat(),
                "email": copy.email,
                "text": copy.letter.texts,
                "values": copy.values,
            }
            for copy in member.letters.select_related("letter")
        ],
        "addresses_without_letters": [each.email for each in _letter_opt_outs(member)],
        "guest_nights": [night.on.isoformat() for night in member.guest_nights.all()],
        "earlier_memberships": [_columns(spell, leave_out={"member"}) for spell in member.membership_periods.all()],
        "ratings": [_columns(rating, leave_out={"member", "games", "state"}) for rating in member.club_ratings.all()],
        "listings": [_columns(listing, leave_out={"member"}) for listing in member.listings.all()],
        "seen_by": [
            {"at": seen.at.isoformat(), "by": str(seen.user or ""), "what": seen.what}
            for seen in member.data_accesses.select_related("user")
        ],
    }


_OF_AN_APPLICATION_LEFT_OUT = {
    *("id", "club", "decided_by", "holder", "iban", "signature", "site", "token_hash", "token_ends_at"),
    *("email_due", "email_due_at", "email_attempts"),
}
"""The account may be another person's; it is exported with the mandate."""


def erase_member_data(member: Member) -> None:
    """Erase a member's personal data. Ledger entries are kept without the name.

    It cannot be undone. Call it within a transaction.
    """
    _erase_letter_opt_outs(member)
    for column in ERASED_TEXT_FIELDS:
        setattr(member, column, "")
    for column in (
        "fide_id",
        "birth_date",
        "birth_year",
        "photo_consent_on",
        "publication_consent_on",
        "user",
        "family_payer",
    ):
        setattr(member, column, None)
    member.family_name, member.given_name = ERASED_MEMBER_NAME, ""
    member.rating, member.rating_is_estimate = 0, False
    member.no_reminders = True
    member.save()
    own = Q(entry__account__member=member)
    lines = BankStatementLine.objects.filter(club=member.club_id)
    # Each part of a split line repeats the payer and the text.
    wholes = set(lines.filter(own).exclude(part_of=None).values_list("part_of", flat=True))
    lines.filter(own | Q(pk__in=wholes) | Q(part_of__in=wholes)).update(party="", party_account="", text="")
    member.family.update(family_payer=None)
    member.mandates.all().delete()
    member.direct_debit_lines.update(holder="", iban="")
    member.groups.clear()
    member.reminders.all().delete()
    member.letters.all().delete()
    # Another member of the family keeps theirs.
    sent = list(member.applications.values_list("application", flat=True))
    member.applications.all().delete()
    MembershipApplication.objects.filter(pk__in=sent, people=None).delete()
    member.membership_periods.all().delete()
    member.invitations.all().delete()
    member.data_accesses.all().update(details={})


def _letter_opt_outs(member: Member) -> QuerySet[LetterOptOut]:
    addresses = {member.email.lower(), member.guardian_email.lower(), *member.letters.values_list("email", flat=True)}
    return member.club.letter_opt_outs.filter(email__in=addresses)


def _erase_letter_opt_outs(member: Member) -> None:
    """Delete the letter opt-outs of the member's addresses, except addresses that another member also has."""
    others = member.club.members.exclude(pk=member.pk)
    for opt_out in _letter_opt_outs(member):
        if not others.filter(Q(email__iexact=opt_out.email) | Q(guardian_email__iexact=opt_out.email)).exists():
            opt_out.delete()


def _columns(row: Model, *, leave_out: set[str]) -> dict[str, Any]:
    fields = [field for field in row._meta.concrete_fields if field.name not in leave_out]
    return {field.name: _plain_value(getattr(row, field.attname)) for field in fields}


def _plain_value(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | bool) else value.isoformat()
