"""Printouts made from sheets, in the active language. Callers first activate the language of the `PrintOptions`.

Others use: `arbiter_records`, `badges_and_diplomas`, `blanks_and_posters`, `clubs`, `events`, `final_reports`,
`group_standings`, `member_cards_and_labels`, `rounds`, `start_cards`.
"""
