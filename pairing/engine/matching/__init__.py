"""Who can still be paired with whom, so that nobody is left over.

Players are numbered 0 to n - 1 and a set of players is a bitmask: bit v stands for player v. The compatibility
graph of a Swiss round is dense, so one step over a whole neighbourhood is one operation on integers of n bits. The
bitmasks of a whole field are a `Complement`, which makes them on demand; those of a group are a list.

`Matching` keeps one pairing with as few players left over as possible and repairs it with every change.
`ClashMatching` does the same among the pairings of all players that have the fewest pairs of equal due colours.
`Narrowing` fixes the pairs of a `Matching` one after the other, and remembers whom nobody can be paired with.
`cheapest_pairs` finds one pairing of all players by any prices, `cheapest_of` all of them; `NestedMatching` tells
who may still be partners in such.
"""

from pairing.engine.matching.binding import Cheapest
from pairing.engine.matching.cardinality import Decomposition, Mark, Matching
from pairing.engine.matching.clashes import ClashMark, ClashMatching
from pairing.engine.matching.complement import Complement
from pairing.engine.matching.masks import mask_of, members
from pairing.engine.matching.narrowing import Narrowing
from pairing.engine.matching.nested import NestedMatching
from pairing.engine.matching.priced import Tariff, cheapest_of, cheapest_pairs
from pairing.engine.matching.tree import NOBODY

__all__ = [
    "NOBODY",
    "Cheapest",
    "ClashMark",
    "ClashMatching",
    "Complement",
    "Decomposition",
    "Mark",
    "Matching",
    "Narrowing",
    "NestedMatching",
    "Tariff",
    "cheapest_of",
    "cheapest_pairs",
    "mask_of",
    "members",
]
