"""Diagrams as geometry in whole numbers, for templates without scripts.

Others use: `opponent_ratings_chart`, `place_chart`, `score_group_map`.
"""
