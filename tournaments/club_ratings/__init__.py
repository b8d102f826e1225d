"""The club's own ratings: counted from finished rounds, shown with every reason, norms.

Others use: `counting`, `history`, `keeping`, `member_norms`, `monthly`.
"""
