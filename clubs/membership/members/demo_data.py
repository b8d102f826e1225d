"""Made-up data for the demo club: contacts, groups, a season of dues, payments and guests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from clubs.finance.dues.ledger import get_or_create_dues_account, record_payment, reverse_ledger_entry
from clubs.finance.dues.season_charges import charge_season
from clubs.membership.members.guest_nights import record_guest_night
from clubs.models import Club, DuesSeason, FeeClass, LedgerEntry, Member, MemberGroup, User
from common.text.name_search import normalise_name


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberTexts:
    """The texts of the demo club's member records, in one language."""

    honorary: str
    juniors_fee: str
    seniors_fee: str
    adults_fee: str
    mail_domain: str
    phone_prefix: str
    guardian: str
    emergency_note: str
    juniors: str
    first_team: str
    reversal: str
    guests: tuple[tuple[str, str, int], ...]


_ENGLISH = MemberTexts(
    honorary="Honorary members",
    juniors_fee="Juniors up to 17",
    seniors_fee="Seniors from 60",
    adults_fee="Adults",
    mail_domain="mail.example",
    phone_prefix="+44 000 000",
    guardian="Guardian",
    emergency_note="Nut allergy; the medicine is in the jacket.",
    juniors="Juniors",
    first_team="First team",
    reversal="Paid by someone else",
    guests=(("Visitor", "Vernon", 1), ("Guestley", "Gwen", 3)),
)
_POLISH = MemberTexts(
    honorary="Honorowi",
    juniors_fee="Młodzież do 17 lat",
    seniors_fee="Seniorzy od 60 lat",
    adults_fee="Dorośli",
    mail_domain="poczta.example",
    phone_prefix="+48 000 000",
    guardian="Opiekun",
    emergency_note="Uczulenie na orzechy; lek w kurtce.",
    juniors="Juniorzy",
    first_team="Pierwsza drużyna",
    reversal="Wpłata innej osoby",
    guests=(("Zagraniczny", "Ziemowit", 1), ("Гостев", "Калоян", 3)),
)


def fill_demo_club(club: Club, members: Sequence[Member], today: date, *, by: User) -> None:
    """Fill a new club's records, in its language. `members` are sorted by rating."""
    texts = _POLISH if club.language == "pl" else _ENGLISH
    _write_contacts(members, today, texts)
    _groups(club, members, texts)
    season = _season(club, today, texts)
    charge_season(season, by=by)
    _payments(members, season, today, texts, by=by)
    _guests(club, today, texts)


def _write_contacts(members: Sequence[Member], today: date, texts: MemberTexts) -> None:
    for place, member in enumerate(members):
        mailbox = normalise_name(f"{member.given_name}.{member.family_name}").replace(" ", "-")
        member.email = f"{mailbox}@{texts.mail_domain}" if place % 7 else ""
        member.phone = f"{texts.phone_prefix} {place:03}"
        member.joined_on = today - timedelta(days=400 + 90 * place)
        if member.birth_year and today.year - member.birth_year < 18:
            member.guardian_name = f"{member.family_name}, {texts.guardian}"
            member.guardian_phone = f"{texts.phone_prefix} 1{place:03}"
            member.guardian_email = f"{normalise_name(texts.guardian)}.{mailbox}@{texts.mail_domain}"
        if place % 3 == 0:
            member.photo_consent = member.publication_consent = Member.Consent.GIVEN
            member.photo_consent_on = member.publication_consent_on = member.joined_on
        if place == 10:
            member.emergency_note = texts.emergency_note
        if place == 24:
            member.status = Member.Status.HONORARY
        member.save()


def _groups(club: Club, members: Sequence[Member], texts: MemberTexts) -> None:
    juniors = MemberGroup.objects.create(club=club, name=texts.juniors)
    juniors.members.set(member for member in members if member.birth_year and member.birth_year >= 2004)
    MemberGroup.objects.create(club=club, name=texts.first_team).members.set(members[:8])


def _season(club: Club, today: date, texts: MemberTexts) -> DuesSeason:
    begins = date(today.year if today.month >= 9 else today.year - 1, 9, 1)
    season = DuesSeason.objects.create(
        club=club,
        name=f"{begins.year}/{(begins.year + 1) % 100:02}",
        starts_on=begins,
        ends_on=date(begins.year + 1, 8, 31),
        due_on=min(date(begins.year, 10, 31), today - timedelta(days=10)),
    )
    fees = (
        (texts.honorary, 0, Member.Status.HONORARY, None, None),
        (texts.juniors_fee, 60_00, "", None, 17),
        (texts.seniors_fee, 90_00, "", 60, None),
        (texts.adults_fee, 120_00, "", None, None),
    )
    for place, (name, amount, status, from_age, to_age) in enumerate(fees, start=1):
        FeeClass.objects.create(
            season=season, place=place, name=name, amount=amount, status=status, from_age=from_age, to_age=to_age
        )
    return season


def _payments(members: Sequence[Member], season: DuesSeason, today: date, texts: MemberTexts, *, by: User) -> None:
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
    reverse_ledger_entry(wrong, reason=texts.reversal, by=by)


def _guests(club: Club, today: date, texts: MemberTexts) -> None:
    for family, given, nights in texts.guests:
        guest = Member.objects.create(
            club=club, family_name=family, given_name=given, status=Member.Status.GUEST, federation=club.federation
        )
        for week in range(nights):
            record_guest_night(guest, today - timedelta(weeks=week))
