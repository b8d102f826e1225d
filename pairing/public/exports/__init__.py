"""Exports of an event: tables, PGN headers, text and a static website, and the pages that list all files.

Others use: `event_tables`, `pgn_and_text`.
"""
