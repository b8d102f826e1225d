"""The page of a round with pairings, results and next steps, and the hall screen.

No other package uses it.
"""
