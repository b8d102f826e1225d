"""The club's books: accounts, entries between them, vouchers, years that are closed, budgets, the year's report.

Others use: `entries`, `forms`, `reports`, `account_sheets`, `year_closing`.
"""
