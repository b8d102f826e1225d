"""Who plays: entering, correcting, the starting list, players who must not meet.

Others use: `correcting`, `drawing`, `entering`, `player_rows`, `understanding`, `forms`, `views.entries`.
"""
