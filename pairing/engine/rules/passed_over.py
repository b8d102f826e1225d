"""Whom a player passed over: in a large group thousands, of nearly all of whom the same is said."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from pairing.engine.paired_round import Reason
from pairing.engine.reason_runs import Run, Told
from pairing.engine.rules.compatibility import Company, absolute_colour
from pairing.engine.snapshot import PairingNumber

FEW = 12
"""Of up to so many each is asked about by himself: to tell who is alike would cost more."""


def tell_all(
    company: Company,
    chooser: int,
    passed: Iterable[int],
    tell: Callable[[int], Reason],
    *,
    alike: Collection[int],
    single: Collection[int],
) -> tuple[Told, ...]:
    """What `tell` says of each candidate, asked once for those next to one another of whom it says the same.

    It is known to say one thing of all who must have the colour that the chooser must have, and one of the others in
    `alike`. About those whom he may not meet for another reason, and those in `single`, it is asked in any case.
    """
    player = company.players[chooser]
    bound = company.bound_to.get(absolute_colour(player), _NOBODY)
    alone = {*company.apart_from(player), *single}
    told: list[Told] = []
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


def _run(first: Told, others: Iterable[PairingNumber]) -> Run:
    assert isinstance(first, Reason)  # noqa: S101
    return Run(first=first, others=tuple(others))


_NOBODY: Collection[int] = frozenset()
