"""Export of a complete event as one file, and its import on another Clubnight server.

Others use: `event_export`, `event_import`, `file_format`, `file_reader`.
"""
