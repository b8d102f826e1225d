"""Ratings as arithmetic: plain Python, no rows, no clock.

Others use: `chart`, `conversion`, `fide_months`, `glicko_months`, `months`, `norm_words`, `norms`, `performance`.
"""
