"""Sheets of an event: one record for the web page and the printed paper.

Others use: `opponent_averages`, `start_cards`, `arbiter_decisions`, `due_colours`, `players_and_results`,
`starting_list`, `player_sheet`, `prize_sheet`, `arbiter_record`, `regulations`, `round_pairings`,
`round_robin_schedule`, `seating`, `standings_sheet`, `tie_break_texts`.
"""
