"""What tie-breaks are worked out from: an event after its rounds, with what several of them share worked out once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar, cast

from pairing.engine.snapshot import HalfPoints, PairingNumber, PointSystem, TournamentSnapshot
from pairing.engine.standings.codes import Edition, TieBreakCode
from pairing.engine.standings.outcomes import Outcome, natures_of, outcomes_of
from pairing.engine.standings.unplayed import adjusted_score, fore_score
from pairing.engine.systems.jahr import JahrValues, jahr_values

Made = TypeVar("Made")


class StandingsFacts:
    """An event after its rounds. `lots` are places drawn by lot, 1 the best; `edition` is that of C.07."""

    def __init__(
        self,
        snapshot: TournamentSnapshot,
        *,
        edition: Edition = Edition.MARCH_2026,
        lots: Mapping[PairingNumber, int] | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.edition = edition
        self.lots = lots or {}
        self._made: dict[Hashable, Any] = {}

    @property
    def worth(self) -> PointSystem:
        return self.snapshot.points

    @property
    def rounds(self) -> int:
        return self.snapshot.rounds_paired

    @property
    def is_final_round_paired(self) -> bool:
        """The last round so far is the event's last; without an announced number it is taken to be."""
        return self.rounds >= (self.snapshot.rounds_announced or 0)

    @cached_property
    def outcomes(self) -> Mapping[PairingNumber, tuple[Outcome, ...]]:
        """Everyone's rounds, in the order of the starting list."""
        natures = natures_of(self.worth)
        return {card.tpn: outcomes_of(card, natures) for card in sorted(self.snapshot.cards, key=lambda card: card.tpn)}

    @cached_property
    def has_adjourned_games(self) -> bool:
        return any(outcome.is_pending for outcomes in self.outcomes.values() for outcome in outcomes)

    @cached_property
    def points(self) -> Mapping[PairingNumber, HalfPoints]:
        return {tpn: sum([outcome.points for outcome in outcomes]) for tpn, outcomes in self.outcomes.items()}

    @cached_property
    def running_points(self) -> Mapping[PairingNumber, tuple[HalfPoints, ...]]:
        """Everyone's half points after round 1, 2, ..."""
        return {
            tpn: tuple(accumulate(outcome.points for outcome in outcomes)) for tpn, outcomes in self.outcomes.items()
        }

    @cached_property
    def adjusted_scores(self) -> Mapping[PairingNumber, HalfPoints]:
        """Everyone's score for his opponents' tie-breaks (C.07, 16.3)."""
        return {
            tpn: adjusted_score(outcomes, self.points[tpn], draw=self.worth.draw)
            for tpn, outcomes in self.outcomes.items()
        }

    @cached_property
    def fore_scores(self) -> Mapping[PairingNumber, HalfPoints]:
        """The same with the games of the final round drawn (C.07, 8.3); before it is paired there are none to draw."""
        if not self.is_final_round_paired:
            return self.adjusted_scores
        return {
            tpn: fore_score(outcomes, self.points[tpn], draw=self.worth.draw) for tpn, outcomes in self.outcomes.items()
        }

    @cached_property
    def ratings(self) -> Mapping[PairingNumber, int]:
        return {card.tpn: card.rating for card in self.snapshot.cards}

    @cached_property
    def jahr(self) -> Mapping[PairingNumber, JahrValues]:
        return jahr_values(self.snapshot)

    def edition_for(self, code: TieBreakCode) -> Edition:
        return code.edition or self.edition

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` makes, made once for all tie-breaks that ask for it by this key."""
        if key not in self._made:
            self._made[key] = make()
        return cast(Made, self._made[key])
