"""The reasons for an exchange between the halves (4.3): why each earlier exchange fails."""

from __future__ import annotations

import pytest

from pairing.engine.paired_round import DecisionCause, PairedRound, PairingReason, ReasonKind
from pairing.engine.rules.exchanges import PlayerExchange, earlier_exchanges
from tests.pairing.builders import paired

# Everyone has 1 point and has met both players of the other half: only 1-2 and 3-4 are left.
ALL_OF_THE_OTHER_HALF_MET = """{system} rounds=9
1 2000 3w= 4b=
2 1900 4w= 3b=
3 1800 1b= 2w=
4 1700 2b= 1w="""


def tried(made: PairedRound) -> list[PairingReason]:
    kinds = (ReasonKind.EXCHANGE_TRIED, ReasonKind.EXCHANGES_TRIED)
    return list(dict.fromkeys(why for game in made.games for why in game.reasons if why.kind in kinds))


@pytest.mark.parametrize(("system", "article"), [("dutch-2026", "dutch-2026 C6"), ("dutch-1992", "dutch-1992 C8")])
def test_without_an_exchange_nobody_could_be_paired(system: str, article: str):
    # The first exchange, 2 for 3, is the one made: only "no exchange" comes before it.
    made = paired(ALL_OF_THE_OTHER_HALF_MET.format(system=system))
    (none,) = tried(made)
    assert (none.article, none.players, none.get_fact("because")) == (article, (), DecisionCause.BLOCKS_GROUP)


def test_the_order_of_exchanges():
    # 4.3: fewest exchanged, smallest difference of numbers, lowest of S1, highest of S2.
    made = PlayerExchange((0,), (3,))
    listed = list(earlier_exchanges([0, 1, 2, 3, 4, 5], 3, made))
    assert [(one.leaving, one.entering) for one in listed] == [
        ((), ()),
        ((2,), (3,)),
        ((2,), (4,)),
        ((1,), (3,)),
        ((2,), (5,)),
        ((1,), (4,)),
    ]
