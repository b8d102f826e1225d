"""The inputs of tie-breaks: an event after its rounds, with shared values computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar, cast

from pairing.engine.snapshot import HalfPoints, PairingNumber, PointSystem, TournamentSnapshot
from pairing.engine.standings.round_outcomes import RoundOutcome, outcomes_of_card, result_properties_for_points
from pairing.engine.standings.tie_break_codes import TieBreakCode, TieBreakEdition
from pairing.engine.standings.unplayed_rounds import adjusted_score_for_opponents, score_with_final_draw
from pairing.engine.systems.jahr import JahrValues, jahr_values

ComputedT = TypeVar("ComputedT")


class StandingsInputs:
    """An event after its rounds. `lots` are places drawn by lot, 1 the best; `edition` is that of C.07."""

    def __init__(
        self,
        snapshot: TournamentSnapshot,
        *,
        edition: TieBreakEdition = TieBreakEdition.MARCH_2026,
        lots: Mapping[PairingNumber, int] | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.edition = edition
        self.lots = lots or {}
        self._made: dict[Hashable, Any] = {}

    @property
    def point_system(self) -> PointSystem:
        return self.snapshot.points

    @property
    def rounds_paired(self) -> int:
        return self.snapshot.rounds_paired

    @property
    def is_final_round_paired(self) -> bool:
        """True if the last round so far is the event's last; it is assumed to be without an announced number."""
        return self.rounds_paired >= (self.snapshot.rounds_announced or 0)

    @cached_property
    def outcomes_by_player(self) -> Mapping[PairingNumber, tuple[RoundOutcome, ...]]:
        """Everyone's rounds, in the order of the starting list."""
        natures = result_properties_for_points(self.point_system)
        return {
            card.tpn: outcomes_of_card(card, natures) for card in sorted(self.snapshot.cards, key=lambda card: card.tpn)
        }

    @cached_property
    def has_adjourned_games(self) -> bool:
        return any(outcome.is_pending for outcomes in self.outcomes_by_player.values() for outcome in outcomes)

    @cached_property
    def points_by_player(self) -> Mapping[PairingNumber, HalfPoints]:
        return {tpn: sum([outcome.points for outcome in outcomes]) for tpn, outcomes in self.outcomes_by_player.items()}

    @cached_property
    def points_after_each_round(self) -> Mapping[PairingNumber, tuple[HalfPoints, ...]]:
        """Everyone's half points after round 1, 2, ..."""
        return {
            tpn: tuple(accumulate(outcome.points for outcome in outcomes))
            for tpn, outcomes in self.outcomes_by_player.items()
        }

    @cached_property
    def adjusted_scores(self) -> Mapping[PairingNumber, HalfPoints]:
        """Everyone's score for their opponents' tie-breaks (C.07, 16.3)."""
        return {
            tpn: adjusted_score_for_opponents(outcomes, self.points_by_player[tpn], draw=self.point_system.draw)
            for tpn, outcomes in self.outcomes_by_player.items()
        }

    @cached_property
    def scores_with_final_draws(self) -> Mapping[PairingNumber, HalfPoints]:
        """The adjusted scores with the games of the final round drawn (C.07, 8.3), once it is paired."""
        if not self.is_final_round_paired:
            return self.adjusted_scores
        return {
            tpn: score_with_final_draw(outcomes, self.points_by_player[tpn], draw=self.point_system.draw)
            for tpn, outcomes in self.outcomes_by_player.items()
        }

    @cached_property
    def ratings_by_player(self) -> Mapping[PairingNumber, int]:
        return {card.tpn: card.rating for card in self.snapshot.cards}

    @cached_property
    def jahr_values_by_player(self) -> Mapping[PairingNumber, JahrValues]:
        return jahr_values(self.snapshot)

    def edition_for_code(self, code: TieBreakCode) -> TieBreakEdition:
        return code.edition or self.edition

    def compute_once(self, key: Hashable, make: Callable[[], ComputedT]) -> ComputedT:
        """Return the result of `make`, called once for all tie-breaks that use this key."""
        if key not in self._made:
            self._made[key] = make()
        return cast(ComputedT, self._made[key])
