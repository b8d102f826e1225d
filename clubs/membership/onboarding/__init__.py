"""From an empty server to a club: the first set-up, later clubs, clubs that somebody asks for.

Others use: `access`, `club_creation`, `first_set_up`.
"""
