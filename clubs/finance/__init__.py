"""The club's money: dues, bank statements, direct debit, accounts."""
