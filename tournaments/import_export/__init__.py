"""Events and lists of players as files, both ways, and rows as the engine's snapshot.

Others use: `snapshots`.
"""
