"""The club's money: seasons and dues, the ledger, receipts, reminders, transfers.

Others use: `ledger`, `charging`, `receipts`, `reminding`.
"""
