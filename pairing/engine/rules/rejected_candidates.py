"""Whom a player passed over: in a large group thousands, of nearly all of whom the same is said."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from pairing.engine.compact_reasons import ReasonEntry, ReasonRun
from pairing.engine.paired_round import PairingReason
from pairing.engine.rules.compatibility import CompatibilityGraph, absolute_colour
from pairing.engine.snapshot import PairingNumber

MAX_SINGLE_REASONS = 12
"""Of up to so many each is asked about by himself: to tell who is alike would cost more."""


def collect_rejection_reasons(
    company: CompatibilityGraph,
    chooser: int,
    passed: Iterable[int],
    tell: Callable[[int], PairingReason],
    *,
    alike: Collection[int],
    single: Collection[int],
) -> tuple[ReasonEntry, ...]:
    """What `tell` says of each candidate, asked once for those next to one another of whom it says the same.

    It is known to say one thing of all who must have the colour that the chooser must have, and one of the others in
    `alike`. About those whom he may not meet for another reason, and those in `single`, it is asked in any case.
    """
    player = company.players[chooser]
    bound = company.vertices_by_absolute_colour.get(absolute_colour(player), _NOBODY)
    alone = {*company.met_or_forbidden_vertices(player), *single}
    told: list[ReasonEntry] = []
    latest: Collection[int] = _NOBODY
    run: list[PairingNumber] = []
    for candidate in passed:
        if candidate in latest and candidate not in alone and (latest is bound or candidate not in bound):
            run.append(company.players[candidate].tpn)
            continue
        if run:
            told[-1] = _run(told[-1], run)
            run = []
        told.append(tell(candidate))
        known = _NOBODY if candidate in alone else bound if candidate in bound else alike
        latest = known if candidate in known else _NOBODY
    if run:
        told[-1] = _run(told[-1], run)
    return tuple(told)


def _run(first: ReasonEntry, others: Iterable[PairingNumber]) -> ReasonRun:
    assert isinstance(first, PairingReason)  # noqa: S101
    return ReasonRun(first=first, others=tuple(others))


_NOBODY: Collection[int] = frozenset()
