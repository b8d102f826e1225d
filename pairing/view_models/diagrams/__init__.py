"""Where people would rather look than read: drawings as geometry in whole numbers, for templates without scripts.

Others use: `path`, `places`, `round_map`.
"""
