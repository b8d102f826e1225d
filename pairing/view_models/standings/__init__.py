"""Standings of an event from its rows, kept while nothing changes; categories, lots, clubs' sums.

Others use: `event_standings`, `categories`, `club_table`, `lots`.
"""
