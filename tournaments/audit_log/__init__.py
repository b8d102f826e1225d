"""The log of an event: who did what and when, stored as lines and shown as sentences.

Others use: `actions`, `seal_chain`, `recorder`, `logged_results`, `sealing`, `sentences`.
"""
