"""Direct debits: members' mandates, collections of what they owe, the file for the bank.

Others use: nothing.
"""
