"""Players are told: pairings, disputed results, the evening to come; by e-mail and by notifications, once each.

Others use: `words`.
"""
