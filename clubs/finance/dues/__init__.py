"""The club's money: seasons and dues, the ledger, receipts, reminders to pay, codes to pay by.

Others use: `ledger`, `balances`, `season_charges`, `receipts`, `reminders`, `payment_qr_codes`, `guest_fees`.
"""
