"""The order inside a score group, where it is not that of the tournament pairing numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine.snapshot import PairingNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOrder:
    """An order of the whole starting list that a procedure uses instead of the TPNs.

    `system` is the system that sets it (also the system of the paired round). `positions` gives every TPN its place, 1
    the highest, no place twice. Such an order does not follow the ratings. So rules about rating gaps (the maxi events
    of `fide-1989`) do not apply under it.
    """

    system: str
    positions: Mapping[PairingNumber, int]
