"""Forbidden pairs within whole groups: players of one club or of one family name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.entries.enrolment import require_open_rules
from tournaments.models import Entry, ForbiddenPair, Tournament
from tournaments.problems import ArbiterProblem


class GroupCriterion(StrEnum):
    """What the players in a group have in common."""

    CLUB = "club"
    FAMILY_NAME = "family"


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedPlayersGroup:
    """At least two players who have something in common, sorted by name.

    `name` is what they have in common. With `is_too_large`, they can't all find opponents outside the group.
    """

    name: str
    entries: tuple[Entry, ...]
    is_too_large: bool


def find_related_groups(tournament: Tournament, bond: GroupCriterion) -> list[RelatedPlayersGroup]:
    """Return the groups of an event, largest first, without withdrawn players. One query."""
    everyone = list(tournament.entries.filter(withdrawn_from_round=None).order_by("name", "pk"))
    found: dict[str, list[Entry]] = {}
    for entry in everyone:
        if key := _key(entry, bond):
            found.setdefault(key, []).append(entry)
    groups = [
        RelatedPlayersGroup(
            name=entries[0].club_name if bond is GroupCriterion.CLUB else _family_name(entries[0].name),
            entries=tuple(entries),
            is_too_large=2 * len(entries) > len(everyone) + 1,
        )
        for entries in found.values()
        if len(entries) > 1
    ]
    return sorted(groups, key=lambda group: (-len(group.entries), group.name))


@transaction.atomic
def forbid_pairs_within_groups(
    tournament: Tournament, bond: GroupCriterion, names: Collection[str], *, to_round: int | None, by: User | None
) -> int:
    """Forbid pairings within the named groups in rounds 1 to `to_round` and return the number of new rules.

    `to_round` None means in all rounds. Existing rules stay as they are. Raises ArbiterProblem if a group is too large,
    and then adds no rule.
    """
    current = lock_tournament(tournament.pk)
    require_open_rules(current)
    groups = [group for group in find_related_groups(current, bond) if group.name in names]
    if too_large := [group for group in groups if group.is_too_large]:
        raise ArbiterProblem(
            _("“%(name)s” has too many players to keep apart. Choose pairs instead.") % {"name": too_large[0].name},
            entries=too_large[0].entries,
        )
    standing = set(current.forbidden_pairs.values_list("first", "second"))
    rules = [rule for group in groups for rule in _rules(current, group, to_round) if _pair(rule) not in standing]
    ForbiddenPair.objects.bulk_create(rules, batch_size=400)
    if rules:
        record_action(
            current,
            EventAction.GROUPS_FORBIDDEN,
            by=by,
            bond=bond.value,
            count=len(rules),
            # The log would keep a family name after its last member is erased.
            names=[group.name for group in groups][:50] if bond is GroupCriterion.CLUB else [],
            to_round=to_round,
        )
    return len(rules)


@transaction.atomic
def remove_forbidden_pairs_by_remark(tournament: Tournament, remark: str, *, by: User | None) -> int:
    """Remove all rules with this remark, which `forbid_pairs_within_groups` writes. Return how many were removed."""
    current = lock_tournament(tournament.pk)
    deleted, _kinds = current.forbidden_pairs.filter(remark=remark).delete()
    if deleted and remark:
        record_action(current, EventAction.GROUP_ALLOWED, by=by, count=deleted)
    return deleted


def _rules(tournament: Tournament, group: RelatedPlayersGroup, to_round: int | None) -> Iterable[ForbiddenPair]:
    for first, second in combinations(sorted(group.entries, key=lambda entry: entry.pk), 2):
        yield ForbiddenPair(
            tournament=tournament, first=first, second=second, to_round=to_round, remark=group.name[:120]
        )


def _pair(rule: ForbiddenPair) -> tuple[int, int]:
    return rule.first_id, rule.second_id


def _key(entry: Entry, bond: GroupCriterion) -> str:
    if bond is GroupCriterion.CLUB:
        return " ".join(entry.club_name.casefold().split())
    return _without_gender(unicodedata.normalize("NFC", _family_name(entry.name)).casefold())


def _family_name(name: str) -> str:
    return name.partition(",")[0].strip()


_FEMALE = (
    (re.compile(r"(s|c|dz|с|ц)k[aá]$"), r"\1k"),
    (re.compile(r"(s|c|dz)k[iý]$"), r"\1k"),
    (re.compile(r"(с|ц)к[аи]й?$"), r"\1к"),
    (re.compile(r"ová$"), ""),
    (re.compile(r"(ов|ев|ин)а$"), r"\1"),
    (re.compile(r"[áý]$"), ""),
    (re.compile(r"(?<=\w\w\w)a$"), ""),
)
"""Endings of a family name in its female and male forms, in Polish, Czech and Bulgarian."""


def _without_gender(name: str) -> str:
    for ending, stem in _FEMALE:
        changed = ending.sub(stem, name)
        if changed != name:
            return changed
    return name
