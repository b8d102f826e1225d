"""What is written when an event or a year is over: groups of players, the arbiter's report, norms, the year book.

Others use: `event_report`, `group_standings`, `norm_report`, `year_book`.
"""
