"""Who plays: entering, correcting, the starting list, players who must not meet.

Others use: `entry_changes`, `enrolment`, `player_rows`, `starting_list`, `column_detection`, `forms`, `views.entries`.
"""
