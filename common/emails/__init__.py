"""Sending email: one queue for the emails of all packages, each sent once, and confirmed addresses.

Others use: `outbox`, `smtp_delivery`, `confirmation`.
"""
