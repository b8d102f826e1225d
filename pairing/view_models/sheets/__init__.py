"""Sheets of an event: one record for the web page and the printout.

Others use: `opponent_averages`, `start_cards`, `arbiter_record`, `due_colours`, `players_and_results`, `player_sheet`,
`prize_sheet`, `regulations`, `round_pairings`, `round_robin_schedule`, `standings_sheet`, `tie_break_texts`.
"""
