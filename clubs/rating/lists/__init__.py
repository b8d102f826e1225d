"""Rating lists that others publish: read as a stream, kept by register, searched, compared with the book.

Others use: `member_changes`, `player_search`, `list_import`, `member_listings`, `import_jobs`.
"""
