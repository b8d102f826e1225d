"""Printouts made from sheets, in the active language: whoever makes a printout sets it to that of its `PrintOptions`.

Others use: `arbiter_records`, `badges_and_diplomas`, `blanks_and_posters`, `clubs`, `events`, `final_reports`,
`group_standings`, `member_cards_and_labels`, `rounds`, `start_cards`.
"""
