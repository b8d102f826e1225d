"""The bank: statements read and kept once, whose each line is and why, and booking it.

Others use: `matching`.
"""
