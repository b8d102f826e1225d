"""Sending email: one queue for all packages, with each email sent once, and confirmation of addresses.

Others use: `outbox`, `smtp_delivery`, `confirmation`.
"""
