"""Roles in a club. A club always keeps at least one secretary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Club, Member, Membership, Role, User
from common.locking import lock_row
from common.problems import OfficerProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleHolder:
    """A user with roles in the club and, if linked, their member record."""

    user: User
    memberships: Sequence[Membership]
    member: Member | None
    has_two_factor: bool


def list_role_holders(club: Club) -> list[RoleHolder]:
    """Return everyone with a role, officers first. Three queries."""
    order = [role.value for role in Role]
    held: dict[User, list[Membership]] = {}
    for membership in Membership.objects.filter(club=club).select_related("user").order_by("user__username"):
        held.setdefault(membership.user, []).append(membership)
    own = {member.user_id: member for member in Member.objects.filter(club=club, user__in=held)}
    second = set(Authenticator.objects.filter(user__in=held).values_list("user_id", flat=True))
    people = [
        RoleHolder(
            user=user,
            memberships=sorted(roles, key=lambda each: order.index(each.role)),
            member=own.get(user.pk),
            has_two_factor=user.pk in second,
        )
        for user, roles in held.items()
    ]
    return sorted(people, key=lambda each: (order.index(each.memberships[0].role), str(each.user).casefold()))


def give_role(club: Club, user: User, role: Role) -> None:
    """Give the user a role. Does nothing if they already have it."""
    Membership.objects.get_or_create(club=club, user=user, role=role)


@transaction.atomic
def remove_role(club: Club, user: User, role: Role) -> None:
    """Remove a role from the user. Raises OfficerProblem for the last secretary.

    The club is locked, so two secretaries cannot remove each other at the same time.
    """
    lock_row(Club, club.pk)
    held = Membership.objects.filter(club=club, user=user, role=role)
    if role == Role.SECRETARY and held.exists():
        others = Membership.objects.filter(club=club, role=role, user__is_active=True).exclude(user=user)
        if not others.exists():
            raise OfficerProblem(
                _("%(name)s is the club's only secretary. Make someone else secretary first.") % {"name": user}
            )
    held.delete()
