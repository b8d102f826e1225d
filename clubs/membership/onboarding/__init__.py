"""Onboarding: setting up the server, creating clubs and requesting one.

Others use: `access`, `club_creation`.
"""
