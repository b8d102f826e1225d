"""Results: entered, reported by players, read a second time, corrected; a round closed.

Others use: `recording`, `result_claims`, `player_reporting`, `results_check`, `displayed_game`, `withdrawal_forfeits`.
"""
