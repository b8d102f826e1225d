"""The style guide: every component in every state, for developers. Only in debug mode.

Nobody else uses it.
"""
