"""Notifications to players by email and push: pairings, disputed results and evenings, each sent once.

Reminders here are of an evening; reminders to pay are `clubs.finance.dues`'s.

Others use: `message_text`, `preferences`.
"""
