"""The doctor: checks all data, reports problems and what to do. It changes nothing.

Others use: `event_checks`, `ledger_checks`, `findings`, `environment_checks`.
"""
