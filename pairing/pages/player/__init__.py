"""The pages a player opens with a personal link.

No other package uses it.
"""
