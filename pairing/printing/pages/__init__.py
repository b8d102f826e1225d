"""Pages for choosing papers, and the responses with them.

No other package uses it.
"""
