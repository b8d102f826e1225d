"""What a club is and how it likes things, on one page with sections; its colour; its lasting menu.

Others use: `forms`, `menu`.
"""
