"""Events: making and changing them, how far they are.

Others use: `event_setup`, `event_repetition`, `event_deletion`, `fide_rating_eligibility`, `acceleration_groups`,
`arbiters`, `event_progress`, `rule_interpretations`.
"""
