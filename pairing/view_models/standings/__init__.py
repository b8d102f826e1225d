"""Standings of an event, cached until it changes, with categories, lots and club standings.

Others use: `event_standings`, `player_categories`, `club_standings`, `lots`.
"""
