"""The style guide: every component in every state, for developers. Only in debug mode.

No other package uses it.
"""
