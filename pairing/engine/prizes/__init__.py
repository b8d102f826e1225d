"""Prizes: sharing money among tied players, and prize lists with one prize a player. All money is whole cents."""

from pairing.engine.prizes.prize_list import Award, Prize, award_prizes
from pairing.engine.prizes.sharing import Cents, SharedPrizes, share_by_hort, share_equally

__all__ = ["Award", "Cents", "Prize", "SharedPrizes", "award_prizes", "share_by_hort", "share_equally"]
