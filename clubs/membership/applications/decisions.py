"""The secretary's decision on an application. Accepting it creates members with a number, dues and a mandate."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.finance.direct_debit.mandates import end_mandate, record_mandate, suggested_mandate_reference
from clubs.finance.dues.season_charges import charge_season
from clubs.membership.applications.submission import contact_name, is_minor
from clubs.membership.members.guest_nights import make_guest_a_member
from clubs.membership.members.membership_periods import save_with_membership_periods
from clubs.models import Applicant, Club, DuesSeason, Member, MembershipApplication, PersonalDataAccess, User
from clubs.privacy import log_data_access
from common.locking import lock_row
from common.problems import OfficerProblem
from common.signals import ChangeKind, publish
from common.text.name_search import name_search_words, split_search_words

_State = MembershipApplication.State
_FULL = (Member.Status.MEMBER, Member.Status.HONORARY)
_CONSENT = {True: Member.Consent.GIVEN, False: Member.Consent.REFUSED}


def find_known_member(person: Applicant) -> Member | None:
    """Return the best match in the member list: the same name, and if possible the same birth date.

    Members known to have a different birth date don't match.
    """
    words, club = name_search_words(person.name), person.application.club
    alike = [
        member
        for member in club.members.filter(erased_at=None).filter_by_name(split_search_words(person.name))
        if name_search_words(member.name) == words
        and member.birth_date in (None, person.birth_date)
        and member.birth_year in (None, person.birth_date.year)
    ]
    return min(
        alike,
        key=lambda member: (
            not is_certainly_known(person, member),
            member.birth_year is None,
            member.status not in _FULL,
            member.pk,
        ),
        default=None,
    )


def is_certainly_known(person: Applicant, member: Member) -> bool:
    """Return True if a member with the same name was born on the same day. Otherwise the secretary is asked."""
    return member.birth_date == person.birth_date


def current_season(club: Club, *, today: date) -> DuesSeason | None:
    """Return today's season, which new members pay for."""
    return club.seasons.filter(starts_on__lte=today, ends_on__gte=today).first()


@transaction.atomic
def accept_application(
    application: MembershipApplication, *, by: User, same_people: Collection[int] = ()
) -> MembershipApplication:
    """Make the applicants members, charge their dues for this season, and record a signed mandate.

    Guests and former members keep their record, but not an earlier mandate. `same_people` are the keys of members with
    only the same name who, according to the secretary, are these people. Does nothing if the application is already
    accepted. Raises OfficerProblem if it isn't open, or somebody is already a member.
    """
    application = _lock(application)
    if application.state == _State.ACCEPTED:
        return application
    _require_open(application)
    club, today = application.club, timezone.localdate()
    people = sorted(application.people.all(), key=partial(_rank_as_payer, today))
    members = [_join(application, each, same_people, today=today, by=by) for each in people]
    payer = members[0]
    for member in members[1:]:
        if not member.family.exists():
            member.family_payer = payer
            member.save(update_fields=["family_payer"])
    publish(ChangeKind.RATED_MEMBERS, club.pk)
    season = current_season(club, today=today)
    if season is not None:
        charge_season(season, by=by, members={member.pk for member in members})
    if application.dues_payment == MembershipApplication.DuesPayment.SIGNED:
        record_mandate(
            payer,
            reference=suggested_mandate_reference(payer),
            holder=application.holder,
            iban=application.iban,
            signed_on=timezone.localdate(application.confirmed_at),
        )
    return _decide(application, _State.ACCEPTED, by=by)


@transaction.atomic
def refuse_application(application: MembershipApplication, *, reason: str, by: User) -> MembershipApplication:
    """Decline an application, with a reason for the sender. Raises OfficerProblem if it isn't open."""
    application = _lock(application)
    _require_open(application)
    application.reason = reason
    return _decide(application, _State.REFUSED, by=by)


@transaction.atomic
def withdraw_application(application: MembershipApplication) -> MembershipApplication:
    """Withdraw an application that hasn't been decided. Raises OfficerProblem if it has."""
    application = _lock(application)
    if application.state == _State.WITHDRAWN:
        return application
    _require_open(application)
    return _decide(application, _State.WITHDRAWN, by=None)


def _rank_as_payer(today: date, person: Applicant) -> tuple[bool, date, int]:
    """The first adult pays, or else the oldest child."""
    if is_minor(person.birth_date, on=today):
        return True, person.birth_date, person.pk
    return False, date.min, person.pk


def _lock(application: MembershipApplication) -> MembershipApplication:
    lock_row(Club, application.club_id)
    return MembershipApplication.objects.select_related("club").get(pk=application.pk)


def _require_open(application: MembershipApplication) -> None:
    if application.state != _State.OPEN:
        said = _("This application is no longer open: %(state)s.")
        raise OfficerProblem(said % {"state": application.get_state_display()})


def _decide(application: MembershipApplication, state: str, *, by: User | None) -> MembershipApplication:
    application.state, application.decided_at, application.decided_by = state, timezone.now(), by
    application.set_email_due(MembershipApplication.EmailKind.STATE)
    application.save()
    return application


def _join(
    application: MembershipApplication, person: Applicant, same_people: Collection[int], *, today: date, by: User
) -> Member:
    """Make a person a member, in their earlier record if they have one."""
    member = find_known_member(person)
    if member is None or not (is_certainly_known(person, member) or member.pk in same_people):
        member = Member(
            club=application.club, family_name=person.family_name, given_name=person.given_name, joined_on=today
        )
    elif member.status in _FULL:
        raise OfficerProblem(_("%(name)s is already a member.") % {"name": member.name})
    elif member.status != Member.Status.FORMER:
        make_guest_a_member(member, today, by=by)
        member.refresh_from_db()
    if application.email not in (member.email.lower(), member.guardian_email.lower()):
        member.link_version += 1
    facts = _facts(application, person, today=today)
    changed = [name for name, value in facts.items() if getattr(member, name) != value]
    for name, value in facts.items():
        setattr(member, name, value)
    member.status, member.joined_on, member.left_on = Member.Status.MEMBER, today, None
    save_with_membership_periods(member)
    end_mandate(member, today)  # it may belong to another person, or no longer be intended
    person.member = member
    person.save(update_fields=["member"])
    log_data_access(
        application.club,
        PersonalDataAccess.DataAccessKind.CHANGE,
        by=by,
        member=member,
        fields=["status", "joined_on", *changed],
    )
    return member


def _facts(application: MembershipApplication, person: Applicant, *, today: date) -> dict[str, Any]:
    """Return the new values of a member's fields. Fields left empty on the form are kept. Adults have no guardian."""
    facts: dict[str, Any] = {
        "birth_date": person.birth_date,
        "address": application.address,
        "language": application.language,
        "publication_consent": _CONSENT[application.publishes_names],
        "photo_consent": _CONSENT[application.shows_photos],
        "publication_consent_on": today,
        "photo_consent_on": today,
        "family_payer": None,
    }
    guardian: dict[str, Any] = {"guardian_name": "", "guardian_email": "", "guardian_phone": ""}
    if is_minor(person.birth_date, on=today):
        guardian = {
            "guardian_name": contact_name(application),
            "guardian_email": application.email,
            "guardian_phone": application.phone,
        }
    else:
        facts |= {"email": application.email, "phone": application.phone}
    return {name: value for name, value in facts.items() if value != ""} | guardian
