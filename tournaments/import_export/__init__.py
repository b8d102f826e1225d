"""Import and export of events and player lists as files, and the engine's snapshot of an event.

Others use: `snapshots`, `trf_export`.
"""
