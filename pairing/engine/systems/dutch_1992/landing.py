"""C12: whether all who move down find different opponents among the residents of the next lower bracket."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pairing.engine.matching import mask_of, members
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.field import Contender


class Landing:
    """The residents of the next lower bracket, some of them given to C1's players, who move down in any case."""

    def __init__(self, residents: Sequence[Contender], moving: Sequence[Contender]) -> None:
        self._company = Company(residents)
        self.moving = tuple(moving)
        self.size = len(residents)
        self._opponents: dict[int, int] = {}
        self._places = _Places(self.opponents)
        self.is_open = all(self._places.give(player) for player in moving)
        """Whether C1's players themselves find opponents."""

    def opponents(self, player: Contender) -> int:
        """Bitmask of the residents compatible with a player."""
        if player.tpn not in self._opponents:
            self._opponents[player.tpn] = self._company.compatible_with(player)
        return self._opponents[player.tpn]

    def takers_of_one(self, company: Company) -> int:
        """Bitmask of those any one of whom finds an opponent besides C1's players."""
        if not self.is_open:
            return 0
        free = self._places.could_be_free(self._company.everyone)
        return mask_of(place for place, player in enumerate(company.players) if self.opponents(player) & free)

    def crowded(self, leaving: Iterable[Contender]) -> list[Contender]:
        """Of those leaving and C1's players, some who compete for too few residents; nobody where all find one."""
        places = _Places(self.opponents)
        for player in (*self.moving, *leaving):
            if not places.give(player):
                return places.rivals
        return []


class _Places:
    """Residents given to players, each moved to another of his where that makes room (Kuhn)."""

    def __init__(self, opponents: Callable[[Contender], int]) -> None:
        self._opponents = opponents
        self._holder: dict[int, Contender] = {}
        self.rivals: list[Contender] = []
        """After a refusal: the one refused and those who hold all the residents he could have."""

    def give(self, player: Contender) -> bool:
        came_from: dict[int, Contender] = {}
        queue = [player]
        for seeker in queue:
            fresh = self._opponents(seeker) & ~mask_of(came_from)
            for resident in members(fresh):
                came_from[resident] = seeker
                if resident not in self._holder:
                    self._hand_over(resident, player, came_from)
                    return True
                queue.append(self._holder[resident])
        self.rivals = queue
        return False

    def could_be_free(self, residents: int) -> int:
        """Bitmask of the residents who are free, or could be if their holders moved."""
        free = residents & ~mask_of(self._holder)
        held = dict(self._holder)
        while movable := [resident for resident, holder in held.items() if self._opponents(holder) & free]:
            free |= mask_of(movable)
            for resident in movable:
                del held[resident]
        return free

    def _hand_over(self, resident: int, player: Contender, came_from: dict[int, Contender]) -> None:
        held = {holder.tpn: one for one, holder in self._holder.items()}
        while (seeker := came_from[resident]) is not player:
            self._holder[resident] = seeker
            resident = held[seeker.tpn]
        self._holder[resident] = seeker
