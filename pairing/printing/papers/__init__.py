"""Printouts made from sheets, in the club's language.

Others use: `all_papers`, `events`, `badges_and_diplomas`.
"""
