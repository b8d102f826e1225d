"""Membership applications: the public form, confirmed by email, and the secretary's decision.

Others use: `submission`.
"""
