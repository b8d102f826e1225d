"""The log of an event: who did what and when, stored as lines and shown as sentences.

Others use: `actions`, `recorder`, `log_file`, `logged_results`, `sentences`.
"""
