"""Results: entered, reported by players, read a second time, corrected; a round closed.

Others use: `recording`, `claims`, `reporting`, `second_reading`, `seen_game`, `withdrawn`.
"""
