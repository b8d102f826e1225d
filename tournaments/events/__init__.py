"""Creating, changing, repeating and deleting events, and their progress.

Others use: `event_setup`, `event_repetition`, `event_deletion`, `fide_rating_eligibility`, `acceleration_groups`,
`arbiters`, `event_progress`, `interpretation_texts`, `next_evening`.
"""
