"""Matchings: who can still be paired with each other so that nobody is left over.

Players are numbered 0 to n - 1. A set of players is a bitmask: bit v is player v. The compatibility graph of a Swiss
round is dense, so one operation on integers of n bits handles a whole neighbourhood. The bitmasks of a whole field are
a `ComplementGraph`, which makes them on demand; those of a group are a list.

- `MaximumMatching` keeps one pairing with as few players left over as possible and repairs it with every change.
- `MinConflictMatching` keeps a pairing of all players with the fewest pairs of equal due colours.
- `ConstrainedMatching` fixes pairs of a `MaximumMatching` one by one, and remembers who has no partner.
- `find_min_weight_matching` finds one pairing of all players by any prices, `find_optimal_matchings` all of them.
- `OddSetMatching` finds who may still be partners in those.
"""

from pairing.engine.matching.bitmasks import bitmask_members, bitmask_of
from pairing.engine.matching.complement_graph import ComplementGraph
from pairing.engine.matching.constrained_matching import ConstrainedMatching, OddSetMatching
from pairing.engine.matching.maximum_matching import (
    NO_VERTEX,
    GallaiEdmondsDecomposition,
    MatchingSavepoint,
    MaximumMatching,
)
from pairing.engine.matching.min_conflict_matching import MinConflictMatching, MinConflictSavepoint
from pairing.engine.matching.min_weight_matching import EdgeCosts, find_min_weight_matching, find_optimal_matchings
from pairing.engine.matching.optimal_matchings import OptimalMatchings

__all__ = [
    "NO_VERTEX",
    "ComplementGraph",
    "ConstrainedMatching",
    "EdgeCosts",
    "GallaiEdmondsDecomposition",
    "MatchingSavepoint",
    "MaximumMatching",
    "MinConflictMatching",
    "MinConflictSavepoint",
    "OddSetMatching",
    "OptimalMatchings",
    "bitmask_members",
    "bitmask_of",
    "find_min_weight_matching",
    "find_optimal_matchings",
]
