"""Changing a draft manually: the changes, saving them and undoing them.

Others use: `undo`, `views`.
"""
