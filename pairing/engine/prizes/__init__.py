"""Prizes: sharing money among tied players, and funds with prizes for everyone and for some. Money is whole cents."""

from pairing.engine.prizes.fund import AwardedList, Placed, PrizeList, Sharing, award_fund
from pairing.engine.prizes.sharing import Cents, Share, SharedPrizes, share_by_hort, share_equally

__all__ = [
    "AwardedList",
    "Cents",
    "Placed",
    "PrizeList",
    "Share",
    "SharedPrizes",
    "Sharing",
    "award_fund",
    "share_by_hort",
    "share_equally",
]
