"""Made-up data for the demo club: contacts, groups, a season of dues, payments and guests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from clubs.finance.dues.ledger import get_or_create_dues_account, record_payment, reverse_ledger_entry
from clubs.finance.dues.season_charges import charge_season
from clubs.membership.members.guest_nights import record_guest_night
from clubs.models import Club, DuesSeason, FeeClass, LedgerEntry, Member, MemberGroup, User
from common.text.name_search import normalise_name

_FEES = (
    ("Honorowi", 0, Member.Status.HONORARY, None, None),
    ("Młodzież do 17 lat", 60_00, "", None, 17),
    ("Seniorzy od 60 lat", 90_00, "", 60, None),
    ("Dorośli", 120_00, "", None, None),
)


def fill_demo_club(club: Club, members: Sequence[Member], today: date, *, by: User) -> None:
    """Fill a new club's records. `members` are sorted by rating."""
    _write_contacts(members, today)
    _groups(club, members)
    season = _season(club, today)
    charge_season(season, by=by)
    _payments(members, season, today, by=by)
    _guests(club, today)


def _write_contacts(members: Sequence[Member], today: date) -> None:
    for place, member in enumerate(members):
        mailbox = normalise_name(f"{member.given_name}.{member.family_name}").replace(" ", "-")
        member.email = f"{mailbox}@poczta.example" if place % 7 else ""
        member.phone = f"+48 000 000 {place:03}"
        member.joined_on = today - timedelta(days=400 + 90 * place)
        if member.birth_year and today.year - member.birth_year < 18:
            member.guardian_name = f"{member.family_name}, Opiekun"
            member.guardian_phone = f"+48 000 001 {place:03}"
            member.guardian_email = f"opiekun.{mailbox}@poczta.example"
        if place % 3 == 0:
            member.photo_consent = member.publication_consent = Member.Consent.GIVEN
            member.photo_consent_on = member.publication_consent_on = member.joined_on
        if place == 10:
            member.emergency_note = "Uczulenie na orzechy; lek w kurtce."
        if place == 24:
            member.status = Member.Status.HONORARY
        member.save()


def _groups(club: Club, members: Sequence[Member]) -> None:
    juniors = MemberGroup.objects.create(club=club, name="Juniorzy")
    juniors.members.set(member for member in members if member.birth_year and member.birth_year >= 2004)
    MemberGroup.objects.create(club=club, name="Pierwsza drużyna").members.set(members[:8])


def _season(club: Club, today: date) -> DuesSeason:
    begins = date(today.year if today.month >= 9 else today.year - 1, 9, 1)
    season = DuesSeason.objects.create(
        club=club,
        name=f"{begins.year}/{(begins.year + 1) % 100:02}",
        starts_on=begins,
        ends_on=date(begins.year + 1, 8, 31),
        due_on=min(date(begins.year, 10, 31), today - timedelta(days=10)),
    )
    for place, (name, amount, status, from_age, to_age) in enumerate(_FEES, start=1):
        FeeClass.objects.create(
            season=season, place=place, name=name, amount=amount, status=status, from_age=from_age, to_age=to_age
        )
    return season


def _payments(members: Sequence[Member], season: DuesSeason, today: date, *, by: User) -> None:
    """Record payments for two in three members, and one payment to the wrong account that is reversed."""
    for place, member in enumerate(members):
        due = LedgerEntry.objects.filter(account__member=member, season=season).first()
        if due is None or place % 3 == 2:
            continue
        amount = due.amount if place % 4 else due.amount // 2
        method = LedgerEntry.Method.CASH if place % 2 else LedgerEntry.Method.TRANSFER
        reference = (
            get_or_create_dues_account(member).payment_reference if method == LedgerEntry.Method.TRANSFER else ""
        )
        paid_on = today - timedelta(days=40 - place % 30)
        record_payment(member, amount, method=method, paid_on=paid_on, by=by, reference=reference, season=season)
    wrong = record_payment(members[2], 60_00, method=LedgerEntry.Method.CASH, paid_on=today - timedelta(days=9), by=by)
    reverse_ledger_entry(wrong, reason="Wpłata innej osoby", by=by)


def _guests(club: Club, today: date) -> None:
    for family, given, nights in (("Zagraniczny", "Ziemowit", 1), ("Гостев", "Калоян", 3)):
        guest = Member.objects.create(
            club=club, family_name=family, given_name=given, status=Member.Status.GUEST, federation=club.federation
        )
        for week in range(nights):
            record_guest_night(guest, today - timedelta(weeks=week))
