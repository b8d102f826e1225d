"""Players of an event: entering and correcting them, the starting list, forbidden pairs.

Others use: `member_linking`, `enrolment`, `player_rows`, `starting_list`, `pairing_numbers`, `column_detection`,
`forms`, `views.entries`.
"""
