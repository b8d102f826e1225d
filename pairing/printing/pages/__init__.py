"""Pages for choosing printouts, and the responses with them.

No other package uses it.
"""
