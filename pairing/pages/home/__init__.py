"""The home page, a club's page with its dashboard, and an event's overview.

No other package uses it.
"""
