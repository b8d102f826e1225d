"""Who was in which group of a paired round, as its reasons say: the basis of the evidence for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TypeAlias

from pairing.engine.paired_round import (
    DecisionCause,
    PairedBye,
    PairedGame,
    PairingReason,
    ReasonEntry,
    ReasonFact,
    ReasonKind,
    list_reason_entries,
)
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.snapshot import HalfPoints, PairingNumber

Group: TypeAlias = tuple[ReasonFact, ReasonFact] | None
"""The score and side of the group that formed a pair."""

KINDS_NEEDING_EVIDENCE = frozenset(
    {
        ReasonKind.PASSED_OVER,
        ReasonKind.FLOATED,
        ReasonKind.STAYED,
        ReasonKind.EXCHANGE_TRIED,
        ReasonKind.LACK_OPPONENTS,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRules:
    """The differences between systems that matter for evidence.

    `any_colour` ignores absolute colours. `has_bye_first`: the bye is given before the groups are paired, not to the
    last player left over. `moves_up_first`: players may move up before their own group is formed (Dubov).
    `floaters_meet`: two players who floated into the same group may meet.
    """

    any_colour: bool = False
    has_bye_first: bool = False
    moves_up_first: bool = False
    floaters_meet: bool = True


class RoundGroups:
    """The groups of a paired round.

    - `pairs`: those of each group in the order in which they were formed, and `places` each board's place there
    - `incomplete`: the boards with reasons that need evidence
    - `floats` and `stayed`: the reasons why players floated, and why others stayed
    - `lacking`: by score, the players below who lack opponents, if all are named
    """

    def __init__(
        self,
        games: Sequence[PairedGame],
        bye: PairedBye | None,
        players: Iterable[PairingPlayer],
        rules: EvidenceRules,
        excused: Mapping[PairingNumber, PairingPlayer],
    ) -> None:
        self.rules = rules
        self.bye = bye.player if bye else None
        self.players = {player.tpn: player for player in players}
        self.as_opponents = {**self.players, **excused}
        self.pairs: dict[Group, list[PairedGame]] = defaultdict(list)
        self.places: dict[int, tuple[Group, int]] = {}
        self.incomplete: set[int] = set()
        self.stayed: dict[tuple[PairingNumber, ...], PairingReason] = {}
        self.lacking: dict[ReasonFact, tuple[PairingNumber, ...]] = {}
        self.floats: dict[PairingNumber, list[PairingReason]] = defaultdict(list)
        for game in sorted(games, key=attrgetter("formation_number")):
            entries = list_reason_entries(game.reasons)
            group = _group_of(entries)
            pairs = self.pairs[group]
            self.places[game.board] = (group, len(pairs))
            pairs.append(game)
            if not KINDS_NEEDING_EVIDENCE.isdisjoint([why.kind for why in entries]):
                self.incomplete.add(game.board)
                self._collect_floats(entries)
        self._collect_floats(bye.reasons if bye else ())

    def _collect_floats(self, entries: Iterable[ReasonEntry]) -> None:
        for why in entries:
            if why.kind is ReasonKind.FLOATED and isinstance(why, PairingReason):
                self.floats[why.players[0]].append(why)
            elif why.kind in (ReasonKind.STAYED, ReasonKind.BYE_PASSED_OVER) and isinstance(why, PairingReason):
                self.stayed[why.players] = why
            elif why.kind is ReasonKind.LACK_OPPONENTS and why.get_fact("of") == len(why.players):
                self.lacking[why.get_fact("half_points")] = why.players

    def unpaired_before(self, group: Group) -> set[PairingNumber]:
        """Return the players who had no opponent yet when the pairing of a group began."""
        first = min(game.formation_number for game in self.pairs[group])
        paired = {
            tpn
            for games in self.pairs.values()
            for game in games
            if game.formation_number < first
            for tpn in (game.white, game.black)
        }
        return set(self.players) - paired - {self.bye}

    @cached_property
    def residents(self) -> dict[HalfPoints, list[PairingNumber]]:
        residents: dict[HalfPoints, list[PairingNumber]] = defaultdict(list)
        for player in self.players.values():
            if self.rules.has_bye_first and player.tpn == self.bye:
                continue
            if self.rules.moves_up_first and self.moved(player.tpn, "up"):
                continue
            residents[player.pairing_score].append(player.tpn)
        return residents

    def moved(self, tpn: PairingNumber, direction: str) -> bool:
        return tpn in self.floats and self.floats[tpn][0].get_fact("direction") == direction

    def moved_before(self, tpn: PairingNumber, departure: PairingReason) -> bool:
        """Return True if the player had floated into the group that another player left (`departure`)."""
        score = departure.get_fact("from_half_points")
        return any(why.get_fact("to_half_points") == score for why in self.floats.get(tpn, ()))

    def floated_after_staying(self, why: PairingReason, departure: PairingReason) -> bool:
        """Return True if the kept player left their group later in the round, in whatever direction."""
        kept = why.players[0]
        score = departure.get_fact("from_half_points")
        if departure.get_fact("direction") == "up" and self.rules.moves_up_first:
            # Dubov's upfloaters come from any lower group.
            score = self.players[kept].pairing_score
        return any(move.get_fact("from_half_points") == score for move in self.floats.get(kept, ()))

    def own_members(self, score: object) -> set[PairingNumber]:
        """Return a group's residents and the players who floated into it, but not players moved up to complete it."""
        came = {
            tpn
            for tpn, floats in self.floats.items()
            if any(why.get_fact("to_half_points") == score for why in floats)
            and not (self.rules.moves_up_first and floats[-1].get_fact("direction") == "up")
        }
        residents = self.residents.get(score, ()) if isinstance(score, int) else ()
        return {*residents, *came}

    def left_group(self, score: object) -> set[PairingNumber]:
        """Return the players who floated out of a group before it was paired."""
        return {
            tpn
            for tpn, floats in self.floats.items()
            for why in floats
            if why.get_fact("from_half_points") == score and why.get_fact("because") is not DecisionCause.BLOCKED_MEDIAN
        }

    def waiting(self, game: PairedGame, group: Group) -> list[PairingNumber]:
        """Return the group's players who had no opponent yet just before this pair was formed."""
        later = self.pairs[group][self.places[game.board][1] :]
        return [tpn for one in later for tpn in (one.white, one.black)]

    def leavers(self, score: object) -> set[PairingNumber]:
        """Return the players who left a group although they had opponents there, including the one with the bye."""
        gone = {tpn for tpn in self.left_group(score) if self.has_opponent_in(tpn, score)}
        if self.bye is not None and self.final_group(self.bye) == score:
            gone.add(self.bye)
        return gone

    def dissolved(self, score: object) -> set[PairingNumber]:
        """Return the players of a group whose pair was split up for the median group (FIDE 1987-89, 9.6)."""
        return {
            tpn
            for tpn, floats in self.floats.items()
            if floats[-1].get_fact("because") is DecisionCause.BLOCKED_MEDIAN
            and floats[-1].get_fact("from_half_points") == score
        }

    def has_opponent_in(self, tpn: PairingNumber, score: object) -> bool:
        """Return True unless the player floated out of a group because they had no opponent there."""
        return not any(
            why.get_fact("from_half_points") == score and why.get_fact("because") is DecisionCause.NO_OPPONENT
            for why in self.floats[tpn]
        )

    def final_group(self, tpn: PairingNumber) -> object:
        floats = self.floats.get(tpn)
        return floats[-1].get_fact("to_half_points") if floats else self.players[tpn].pairing_score

    def staying(self, why: PairingReason, departure: PairingReason) -> set[PairingNumber]:
        """Return the members who would have stayed in a group if the kept player had floated."""
        kept, floater = why.players
        score = departure.get_fact("from_half_points")
        return self.own_members(score) - (self.left_group(score) - {floater}) - {kept}


def chooser_of(game: PairedGame) -> PairingNumber:
    """Return the player for whom the opponent was chosen."""
    return next(why.players[0] for why in list_reason_entries(game.reasons) if why.kind is ReasonKind.OPPONENT)


def is_moved_down(game: PairedGame) -> bool:
    """Return True if a moved-down player was paired here before the halves were paired (Dutch systems)."""
    return any(
        why.get_fact("step") == "moved down"
        for why in list_reason_entries(game.reasons)
        if why.kind is ReasonKind.OPPONENT
    )


def _group_of(entries: Sequence[ReasonEntry]) -> Group:
    for why in entries:
        if why.kind is ReasonKind.SCORE_GROUP:
            return why.get_fact("half_points"), why.get_fact("side")
    return None
