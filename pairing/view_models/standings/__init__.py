"""Standings of an event from its rows, kept while nothing changes; categories, lots, clubs' sums.

Others use: `event_standings`, `player_categories`, `club_standings`, `lots`.
"""
