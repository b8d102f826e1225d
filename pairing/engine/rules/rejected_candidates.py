"""Reasons for the candidates a player passed over: in a large group thousands, nearly all with the same reason."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from pairing.engine.paired_round import PairingReason, ReasonEntry, ReasonRun
from pairing.engine.rules.compatibility import CompatibilityGraph, absolute_colour
from pairing.engine.snapshot import PairingNumber

MAX_SINGLE_REASONS = 12
"""Up to this many candidates are explained one by one: looking for runs would cost more."""


def collect_rejection_reasons(
    company: CompatibilityGraph,
    chooser: int,
    passed: Iterable[int],
    tell: Callable[[int], PairingReason],
    *,
    alike: Collection[int],
    single: Collection[int],
) -> tuple[ReasonEntry, ...]:
    """Return the reasons of `tell` for each candidate, asking once for a run of neighbours with the same reason.

    Two sets of candidates each share one reason: all who must have the same colour as the chooser, and the others in
    `alike`. Candidates barred for another cause, and those in `single`, are always asked about.
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
