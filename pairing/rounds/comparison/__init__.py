"""Pairings of one round side by side: two systems, a draft and what it was, what would have been.

Others use: `differences`, `views`, `jobs`.
"""
