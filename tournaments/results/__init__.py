"""Results (entered, reported by players, checked and corrected), and finishing a round.

Others use: `recording`, `result_claims`, `player_reporting`, `results_check`, `displayed_game`, `withdrawal_forfeits`.
"""
