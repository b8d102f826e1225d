"""Papers made from sheets, in the language of their club.

Others use: `all_papers`, `events`, `badges_and_diplomas`.
"""
