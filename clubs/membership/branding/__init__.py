"""What tells a club from others on every page of it: its colour, as style sheets, and its logo.

Nobody else uses it.
"""
