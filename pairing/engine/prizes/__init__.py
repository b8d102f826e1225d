"""Prizes: shares of tied players, and funds with prizes for everyone and for some. Money is whole cents."""

from pairing.engine.prizes.fund import (
    AwardedPrizeList,
    Cents,
    PlacedPlayer,
    PrizeList,
    PrizeShare,
    PrizeSharing,
    SharedPrizes,
    award_prize_fund,
    share_prizes_by_hort,
    share_prizes_equally,
)

__all__ = [
    "AwardedPrizeList",
    "Cents",
    "PlacedPlayer",
    "PrizeList",
    "PrizeShare",
    "PrizeSharing",
    "SharedPrizes",
    "award_prize_fund",
    "share_prizes_by_hort",
    "share_prizes_equally",
]
