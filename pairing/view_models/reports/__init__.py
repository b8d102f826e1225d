"""Reports at the end of an event or a year: groups, the arbiter's report, norms and the yearbook.

Others use: `event_report`, `group_standings`, `year_book`.
"""
