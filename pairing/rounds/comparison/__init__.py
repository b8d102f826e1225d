"""Compare pairings of one round: two systems, a draft and the system, or a round paired again.

Others use: `differences`, `views`, `jobs`.
"""
