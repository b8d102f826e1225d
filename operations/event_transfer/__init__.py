"""Export of a complete event as one file, and its import into another Clubnight.

Others use: `event_export`, `event_import`, `file_format`, `file_reader`.
"""
