"""Tells a person when something on the server fails, once, and once when it works again.

Others use: `telling`, `pings`.
"""
