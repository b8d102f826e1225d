"""From sheets to papers in the language of their club.

Others use: `papers`, `events`, `pieces`.
"""
