"""The club's colour, served as style sheets, and its logo.

No other package uses it.
"""
