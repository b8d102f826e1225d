"""Who plays: entering, correcting, the starting list, players who must not meet.

Others use: `correcting`, `entering`, `player_rows`, `starting_list`, `understanding`, `forms`, `views.entries`.
"""
