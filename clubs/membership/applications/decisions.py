"""The secretary's decision on an application. Accepting it creates members with a number, dues and a mandate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.finance.direct_debit.mandates import end_mandate, record_mandate, suggested_mandate_reference
from clubs.finance.dues.season_charges import charge_season
from clubs.membership.accounts.invitations import create_invitation
from clubs.membership.applications.submission import contact_name, identity, is_minor
from clubs.membership.members.guest_nights import make_guest_a_member
from clubs.membership.members.membership_periods import save_with_membership_periods
from clubs.models import (
    Applicant,
    Club,
    DuesSeason,
    Invitation,
    Member,
    MembershipApplication,
    PersonalDataAccess,
    Role,
    User,
)
from clubs.privacy import log_data_access
from common.locking import lock_row
from common.problems import OfficerProblem
from common.signals import ChangeKind, publish
from common.text.name_search import name_search_words, split_search_words

_State = MembershipApplication.State
FULL = (Member.Status.MEMBER, Member.Status.HONORARY)
_CONSENT = {True: Member.Consent.GIVEN, False: Member.Consent.REFUSED}
_DECIDED = {
    _State.UNCONFIRMED: gettext_lazy("The email address of this application isn't confirmed yet."),
    _State.ACCEPTED: gettext_lazy("This application has already been accepted."),
    _State.REFUSED: gettext_lazy("This application has already been declined."),
    _State.KNOWN: gettext_lazy("This application has already been answered: already a member."),
    _State.WITHDRAWN: gettext_lazy("This application has been withdrawn."),
}
_CONTACT = ("email", "phone", "guardian_name", "guardian_email", "guardian_phone")
INVITATION_PERIOD = timedelta(days=1)
"""The link to create an account opens at once. Their page makes a new one."""


def find_known_members(person: Applicant) -> list[Member]:
    """Return who in the member list has the same name and no other birth, members first.

    If somebody was born on the same day, nobody else is returned.
    """
    words, club = name_search_words(person.name), person.application.club
    alike = [
        member
        for member in club.members.filter(erased_at=None)
        .select_related("user")
        .filter_by_name(split_search_words(person.name))
        if name_search_words(member.name) == words
        and member.birth_date in (None, person.birth_date)
        and member.birth_year in (None, person.birth_date.year)
    ]
    alike.sort(key=lambda member: (member.status not in FULL, member.birth_year is None, member.pk))
    return [member for member in alike if member.birth_date == person.birth_date][:1] or alike


def suggested_record(person: Applicant, known: Iterable[Member]) -> Member | None:
    """Return who is probably the applicant: the only one of this name.

    Nobody is suggested if a member's birth year is unknown, or the list has another address.
    """
    first, *others = [*known, None]
    if first is None or others != [None] or has_other_address(first, person.application.email):
        return None
    return first if first.status not in FULL or first.birth_year is not None else None


def is_certainly_known(person: Applicant, member: Member) -> bool:
    """Return True if a member with the same name was born on the same day, and no other address is known.

    Otherwise the secretary is asked: anybody can apply under a name and a birth date.
    """
    return member.birth_date == person.birth_date and not has_other_address(member, person.application.email)


def has_other_address(member: Member, address: str) -> bool:
    """Return True if a member has an address or account, and none with this address."""
    account = member.user.email if member.user else ""
    known = {each.lower() for each in (member.email, member.guardian_email, account) if each}
    return bool(known or member.user_id) and address not in known


def is_from_member(application: MembershipApplication) -> bool:
    """Return True if one of its people is a member, and the address is theirs or their guardian's."""
    return any(
        member.status in FULL and application.email in (member.email.lower(), member.guardian_email.lower())
        for person in application.people.all()
        for member in find_known_members(person)
    )


def current_season(club: Club, *, today: date) -> DuesSeason | None:
    """Return today's season, which new members pay for."""
    return club.seasons.filter(starts_on__lte=today, ends_on__gte=today).first()


@transaction.atomic
def accept_application(
    application: MembershipApplication, *, by: User, same_people: Mapping[int, int] | None = None
) -> MembershipApplication:
    """Make the applicants members, charge their dues for this season, and record a signed mandate.

    Guests and former members keep their record, but not an earlier mandate. If it isn't certain whose record it is,
    `same_people` says for the applicant's key which member it is, by key, and 0 for none of them. Does nothing if it is
    accepted already. Raises OfficerProblem if it isn't open, somebody is a member, or `same_people` says nothing.
    """
    application = _lock(application)
    if application.state == _State.ACCEPTED:
        return application
    _require_open(application)
    club, today = application.club, timezone.localdate()
    people = sorted(application.people.all(), key=partial(_rank_as_payer, today))
    members = [_join(application, each, same_people or {}, today=today, by=by) for each in people]
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
def answer_known_member(application: MembershipApplication, *, by: User) -> MembershipApplication:
    """Close an application of somebody who is a member. They are told so if the address is theirs.

    Raises OfficerProblem if it isn't open.
    """
    application = _lock(application)
    _require_open(application)
    return _decide(application, _State.KNOWN, by=by)


@transaction.atomic
def withdraw_application(application: MembershipApplication) -> MembershipApplication:
    """Withdraw an application that hasn't been decided. Raises OfficerProblem if it has."""
    application = _lock(application)
    if application.state == _State.WITHDRAWN:
        return application
    _require_open(application)
    return _decide(application, _State.WITHDRAWN, by=None)


def decided_sentence(application: MembershipApplication) -> str:
    """Return what was decided about an application that is no longer open."""
    return str(_DECIDED[_State(application.state)])


def earlier_refusals(club: Club, people: Iterable[Applicant]) -> dict[int, datetime]:
    """Return by the keys of applicants when the same person was last refused."""
    refused = Applicant.objects.filter(application__club=club, application__state=_State.REFUSED)
    when = {
        identity(each): each.application.decided_at
        for each in refused.select_related("application").order_by("application__decided_at")
    }
    return {each.pk: day for each in people if (day := when.get(identity(each)))}


def member_to_invite(application: MembershipApplication) -> Member | None:
    """Return the new member for whom the sender can create an account, or None.

    It is who pays, as long as their address is the one that was confirmed.
    """
    person = application.people.filter(member__family_payer=None).exclude(member=None).select_related("member").first()
    member = person.member if person else None
    if application.state != _State.ACCEPTED or member is None or member.user_id or member.status not in FULL:
        return None
    return member if application.email in (member.email.lower(), member.guardian_email.lower()) else None


@transaction.atomic
def invite_new_member(application: MembershipApplication) -> Invitation:
    """Return an open invitation for the new member. Raises OfficerProblem if they can't be invited."""
    lock_row(Club, application.club_id)
    member = member_to_invite(application)
    if member is None:
        raise OfficerProblem(_("Ask the club for an invitation to create an account."))
    own = member.invitations.filter(role=Role.MEMBER, email=application.email, is_for_many=False)
    return next((each for each in own if each.is_open), None) or create_invitation(
        application.club,
        Role.MEMBER,
        by=application.decided_by,
        valid_for=INVITATION_PERIOD,
        member=member,
        email=application.email,
    )


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
        raise OfficerProblem(decided_sentence(application))


def _decide(application: MembershipApplication, state: str, *, by: User | None) -> MembershipApplication:
    application.state, application.decided_at, application.decided_by = state, timezone.now(), by
    application.set_email_due(MembershipApplication.EmailKind.STATE)
    application.save()
    return application


def _join(
    application: MembershipApplication, person: Applicant, same_people: Mapping[int, int], *, today: date, by: User
) -> Member:
    """Make a person a member, in their earlier record if they have one."""
    member = _earlier_record(person, same_people)
    if member is None:
        member = Member(
            club=application.club, family_name=person.family_name, given_name=person.given_name, joined_on=today
        )
    elif member.status in FULL:
        said = _("%(name)s is already a member. Choose “Already a member” to tell them.")
        raise OfficerProblem(said % {"name": member.name})
    elif member.status != Member.Status.FORMER:
        make_guest_a_member(member, today, by=by)
        member.refresh_from_db()
    facts = _facts(application, person, today=today)
    if has_other_address(member, application.email):
        # The secretary changes these in the member list after asking. The applicant may be somebody else.
        facts = {name: value for name, value in facts.items() if name not in _CONTACT}
    elif application.email not in (member.email.lower(), member.guardian_email.lower()):
        member.link_version += 1
        if member.pk:
            member.invitations.filter(withdrawn_at=None).update(withdrawn_at=timezone.now())
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


def _earlier_record(person: Applicant, same_people: Mapping[int, int]) -> Member | None:
    known = find_known_members(person)
    if not known or is_certainly_known(person, known[0]):
        return next(iter(known), None)
    chosen = same_people.get(person.pk)
    if chosen != 0 and chosen not in {member.pk for member in known}:
        raise OfficerProblem(
            _("The member list has somebody called %(name)s. Say whether it is the same person.")
            % {"name": person.spoken_name}
        )
    return next((member for member in known if member.pk == chosen), None)


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
