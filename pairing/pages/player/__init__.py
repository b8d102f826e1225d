"""The pages a player opens with a personal link.

Nobody else uses it.
"""
