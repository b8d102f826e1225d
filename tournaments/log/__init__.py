"""Who did what in an event, and when: written as lines, read as sentences.

Others use: `actions`, `lines`, `sealing`, `sentences`.
"""
