"""Published rating lists: imported as a stream, kept by register, searched, compared with members.

Others use: `member_changes`, `player_search`, `list_import`, `member_listings`, `import_jobs`.
"""
