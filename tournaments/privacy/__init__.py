"""Personal data across the club and its events: export, erasure and merging duplicates.

Others use: `personal_data`, `imported_authors`.
"""
