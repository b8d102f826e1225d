"""Dues: seasons, the ledger, receipts, reminders, guest fees and QR codes for payment.

Others use: `ledger`, `balances`, `season_charges`, `receipts`, `reminders`, `payment_qr_codes`, `guest_fees`.
"""
