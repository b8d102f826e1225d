"""Signing in and out, and how this browser shows pages.

Nobody else uses it.
"""
