"""The club's money: seasons and dues, the ledger, receipts, reminders to pay, codes to pay by.

Others use: `ledger`, `balances`, `charging`, `receipts`, `reminding`, `payment_codes`, `guest_fees`.
"""
