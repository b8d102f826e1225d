"""Pages of a round: pairing it, its boards and results, the standings, a player's card."""
