"""Players are told: pairings, disputed results, the evening to come; by e-mail and by notifications, once each.

Reminders here are of an evening; reminders to pay are `clubs.finance.dues`'s.

Others use: `message_text`.
"""
