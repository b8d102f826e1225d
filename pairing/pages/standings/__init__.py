"""Pages for standings, crosstables, player cards, lots and prizes.

Others use: `prize_giving`.
"""
