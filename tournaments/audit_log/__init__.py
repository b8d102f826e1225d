"""Who did what in an event, and when: written as lines, read as sentences.

Others use: `actions`, `chain`, `lines`, `results`, `sealing`, `sentences`.
"""
