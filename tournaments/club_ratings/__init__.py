"""The club's own ratings: counted from finished rounds, shown with every reason, norms.

Others use: `rating_calculation`, `rating_history`, `recalculation`, `member_norms`, `monthly_lists`.
"""
