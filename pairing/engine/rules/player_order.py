"""The order inside a score group, where it is not that of the tournament pairing numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine.snapshot import PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOrder:
    """An order of the whole starting list that a procedure is to use in place of the TPNs.

    `system` names the system that sets it (it stands in the paired round); `positions` gives every TPN its
    place, 1 the highest, no place twice. As such an order does not follow the ratings, what a procedure says of
    rating gaps (the maxi events of `fide-1989`) is not in force under it.
    """

    system: str
    positions: Mapping[PairingNumber, int]
