"""The club's own ratings: calculation from finished rounds, pages that explain each change, and norms.

Others use: `rating_calculation`, `rating_history`, `recalculation`, `member_norms`, `monthly_lists`.
"""
