"""Rating calculation in plain Python, without database or clock.

Others use: `rating_chart`, `elo_conversion`, `fide_periods`, `glicko_periods`, `rating_periods`, `norms`,
`performance`.
"""
