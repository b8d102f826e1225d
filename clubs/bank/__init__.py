"""The bank: statements read and kept once, whose each line is and why, booking it; codes that people pay by.

Others use: `payment_codes`.
"""
