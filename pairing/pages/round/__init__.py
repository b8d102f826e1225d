"""The page of a round: pairing, results, what is next; the hall's screen.

Nobody else uses it.
"""
