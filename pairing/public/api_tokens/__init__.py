"""Tokens with which programs use the API for a club: created, found by their text, revoked, and their page.

Others use: `tokens`.
"""
