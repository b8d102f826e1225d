"""A player's candidates: those around the opponent, and reasons for those passed over.

In a large group thousands are passed over, nearly all with the same reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from pairing.engine.paired_round import PairingReason, ReasonEntry, ReasonFact, ReasonRun
from pairing.engine.rules.compatibility import CompatibilityGraph, absolute_colour
from pairing.engine.snapshot import PairingNumber

MAX_SINGLE_REASONS = 12
"""Up to this many candidates are explained one by one: looking for runs would cost more."""

MAX_EARLIER_CANDIDATES = 8
MAX_LATER_CANDIDATES = 3
"""How many candidates before and after the opponent are listed."""


class LaterCandidates(NamedTuple):
    """The first candidates after the opponent, in the caller's numbering, and how many candidates follow in total."""

    first: tuple[int, ...]
    total: int


def take_later_candidates(rest: Iterable[int], count: int) -> LaterCandidates:
    """Keep only the first few of the `count` candidates after the opponent."""
    return LaterCandidates(tuple(islice(rest, MAX_LATER_CANDIDATES)), count)


def candidates_near_opponent(passed: Sequence[int], opponent: int, later: LaterCandidates) -> tuple[int, ...]:
    """Return the candidates to list, in order: the opponent, and some candidates before and after them."""
    return (*passed[-MAX_EARLIER_CANDIDATES:], opponent, *later.first)


def candidate_facts(listed: Iterable[PairingNumber], later: LaterCandidates) -> dict[str, ReasonFact]:
    """Return the facts `candidates` and `more` of `ReasonKind.OPPONENT`."""
    more = later.total - len(later.first)
    facts: dict[str, ReasonFact] = {"candidates": tuple(listed)}
    if more:
        facts["more"] = more
    return facts


def collect_rejection_reasons(
    company: CompatibilityGraph,
    chooser: int,
    passed: Iterable[int],
    tell: Callable[[int], PairingReason],
    *,
    alike: Collection[int],
    single: Collection[int],
) -> tuple[ReasonEntry, ...]:
    """Return the reasons that `tell` gives for each candidate. `tell` is called once for a run with the same reason.

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
