"""Who plays: entering, correcting, the starting list, players who must not meet.

Others use: `drawing`, `entering`, `player_rows`, `understanding`, `forms`, `views.entries`.
"""
