"""Who did what in an event, and when: written as lines, read as sentences.

Others use: `actions`, `seal_chain`, `recorder`, `logged_results`, `sealing`, `sentences`.
"""
