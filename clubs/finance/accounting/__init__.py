"""Accounting: accounts, entries, vouchers, budgets, year reports and the closing of years.

Others use: `entries`, `forms`, `reports`, `account_sheets`, `year_closing`, `vouchers`.
"""
