"""Ratings as arithmetic: plain Python, no rows, no clock.

Others use: `rating_chart`, `elo_conversion`, `fide_periods`, `glicko_periods`, `rating_periods`, `norm_texts`, `norms`,
`performance`.
"""
