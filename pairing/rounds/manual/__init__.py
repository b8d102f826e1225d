"""Changing a draft by hand: what can be done, saving it, undoing it.

Others use: `undo`, `views.edit_page`.
"""
