"""A paired round paired once more on trial: what would change, and taking it over or leaving it.

Others use: `background`, `proposing`.
"""
