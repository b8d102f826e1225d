"""Events: making and changing them, how far they are.

Others use: `setting_up`, `again`, `deleting`, `fide_rated`, `accelerating`, `arbiters`, `progress`,
`reading_words`.
"""
