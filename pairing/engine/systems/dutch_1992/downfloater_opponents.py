"""C12: check that all downfloaters find different opponents among the residents of the next lower bracket."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pairing.engine.matching import bitmask_members, bitmask_of
from pairing.engine.rules.compatibility import CompatibilityGraph
from pairing.engine.rules.players import PairingPlayer


class DownfloaterOpponents:
    """The residents of the next lower bracket, some of them assigned to C1's players, who always move down."""

    def __init__(self, residents: Sequence[PairingPlayer], moving: Sequence[PairingPlayer]) -> None:
        self._company = CompatibilityGraph(residents)
        self.moving = tuple(moving)
        self.size = len(residents)
        self._opponents: dict[int, int] = {}
        self._places = _Places(self.compatible_residents)
        self.is_open = all(self._places.assign_resident(player) for player in moving)
        """Whether C1's players themselves find opponents."""

    def compatible_residents(self, player: PairingPlayer) -> int:
        """Bitmask of the residents compatible with a player."""
        if player.tpn not in self._opponents:
            self._opponents[player.tpn] = self._company.compatible_vertices(player)
        return self._opponents[player.tpn]

    def members_with_free_opponent(self, company: CompatibilityGraph) -> int:
        """Bitmask of the members who could find an opponent in addition to C1's players."""
        if not self.is_open:
            return 0
        free = self._places.residents_that_can_be_freed(self._company.everyone)
        return bitmask_of(
            place for place, player in enumerate(company.players) if self.compatible_residents(player) & free
        )

    def find_competing_players(self, leaving: Iterable[PairingPlayer]) -> list[PairingPlayer]:
        """Return downfloaters who compete for too few residents; empty if all find an opponent."""
        places = _Places(self.compatible_residents)
        for player in (*self.moving, *leaving):
            if not places.assign_resident(player):
                return places.rivals
        return []


class _Places:
    """Assigns residents to players, moving players to other residents where that helps (Kuhn)."""

    def __init__(self, opponents: Callable[[PairingPlayer], int]) -> None:
        self._opponents = opponents
        self._holder: dict[int, PairingPlayer] = {}
        self.rivals: list[PairingPlayer] = []
        """After a refusal: the one refused and those who hold all the residents he could have."""

    def assign_resident(self, player: PairingPlayer) -> bool:
        came_from: dict[int, PairingPlayer] = {}
        queue = [player]
        for seeker in queue:
            fresh = self._opponents(seeker) & ~bitmask_of(came_from)
            for resident in bitmask_members(fresh):
                came_from[resident] = seeker
                if resident not in self._holder:
                    self._hand_over(resident, player, came_from)
                    return True
                queue.append(self._holder[resident])
        self.rivals = queue
        return False

    def residents_that_can_be_freed(self, residents: int) -> int:
        """Bitmask of the residents who are free, or could be if their holders moved."""
        free = residents & ~bitmask_of(self._holder)
        held = dict(self._holder)
        while movable := [resident for resident, holder in held.items() if self._opponents(holder) & free]:
            free |= bitmask_of(movable)
            for resident in movable:
                del held[resident]
        return free

    def _hand_over(self, resident: int, player: PairingPlayer, came_from: dict[int, PairingPlayer]) -> None:
        held = {holder.tpn: one for one, holder in self._holder.items()}
        while (seeker := came_from[resident]) is not player:
            self._holder[resident] = seeker
            resident = held[seeker.tpn]
        self._holder[resident] = seeker
