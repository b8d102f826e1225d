"""The club settings page and the club's main menu.

Others use: `forms`, `menu`.
"""
