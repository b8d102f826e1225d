"""The club's colour, served as style sheets, and its logo.

Nobody else uses it.
"""
