"""Direct debits: members' mandates, collections of dues, and the file for the bank.

Others use: `mandates`.
"""
