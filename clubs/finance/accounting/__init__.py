"""The club's books: accounts, entries between them, vouchers, years that are closed, budgets, the year's report.

Others use: `booking`, `forms`, `reports`, `account_sheets`, `years`.
"""
