"""Bank statements: importing each line once, proposing what it is, and booking it.

Others use: `matching`.
"""
