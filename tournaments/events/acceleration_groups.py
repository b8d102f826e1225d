"""The acceleration groups of the entered players, and limits that fit them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pairing.engine.acceleration.progressive import (
    DEFAULT_GROUP_LIMITS,
    AccelerationGroupSizes,
    GroupLimitsError,
    count_group_sizes,
    nearest_valid_limits,
)
from tournaments.models import MAX_ROUNDS


@dataclass(frozen=True, slots=True, kw_only=True)
class AccelerationGroupShare:
    """A group in progressive acceleration: its number of players and their share of all players, such as `29.1%`."""

    name: str
    size: int
    share: str
    is_valid_size: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AccelerationGrouping:
    """The entered players grouped by two limits.

    `nearest_limits` are the nearest limits that fit, if these don't and some do.
    """

    limits: tuple[int, int]
    groups: tuple[AccelerationGroupShare, ...]
    is_valid: bool
    nearest_limits: tuple[int, int] | None

    @property
    def nearest_limits_value(self) -> str:
        """The nearest limits as the value of a button."""
        return ",".join(map(str, self.nearest_limits or ()))


def group_players_by_limits(ratings: Sequence[int], limits: tuple[int, int] | None) -> AccelerationGrouping:
    """Group players by two limits (default: the usual ones)."""
    limits = limits or DEFAULT_GROUP_LIMITS
    sizes = count_group_sizes(limits, ratings)
    fits = sizes.is_balanced and limits[0] > limits[1]
    return AccelerationGrouping(
        limits=limits,
        groups=tuple(_shares(sizes)),
        is_valid=fits,
        nearest_limits=None if fits else nearest_valid_limits(ratings, limits),
    )


def explain_refused_group_limits(error: GroupLimitsError) -> str:
    """Explain why limits are refused, with the three shares and the nearest limits that fit."""
    shares = ", ".join(f"{group.name} {group.size} ({group.share})" for group in _shares(error.sizes))
    said = _(
        "Each group needs 25%% to 50%% of the players. With limits %(a)d and %(c)d, the groups are %(shares)s."
    ) % {
        "a": error.limits[0],
        "c": error.limits[1],
        "shares": shares,
    }
    if error.nearest is None:
        return said + " " + _("No limits work for these players. Turn off progressive acceleration.")
    return (
        said
        + " "
        + _("The nearest valid limits are %(a)d and %(c)d.")
        % {
            "a": error.nearest[0],
            "c": error.nearest[1],
        }
    )


def describe_maxi_event_rules(players: int, rounds: int | None) -> str:
    """Return a sentence on whether the 1988 rules for maxi events apply (FIDE 1987-89): more players than 2^rounds."""
    if rounds is None:
        return _(
            "The rules for maxi events apply automatically above 2ⁿ players for n rounds. For 5 rounds, "
            "that's above 32 players."
        )
    if rounds > MAX_ROUNDS:
        return _("An event can have at most %(most)s rounds.") % {"most": MAX_ROUNDS}
    most = 2**rounds
    counted = ngettext("%(n)d player entered", "%(n)d players entered", players) % {"n": players}
    facts = {"most": most, "counted": counted}
    if players > most:
        return _("The rules for maxi events apply (%(counted)s, more than %(most)d).") % facts
    return (
        _("The rules for maxi events don't apply (%(counted)s). They apply automatically above %(most)d players.")
        % facts
    )


def _shares(sizes: AccelerationGroupSizes) -> list[AccelerationGroupShare]:
    """Return shares to one decimal, rounded down, so that a group that is too large never seems to fit."""
    total = sizes.total
    shares = []
    for name, size in (("A", sizes.a), ("B", sizes.b), ("C", sizes.c)):
        thousandths = 1000 * size // total if total else 0
        shares.append(
            AccelerationGroupShare(
                name=name,
                size=size,
                share=f"{thousandths // 10}.{thousandths % 10}%",
                is_valid_size=total > 0 and total <= 4 * size <= 2 * total,
            )
        )
    return shares
