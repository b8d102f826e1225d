"""Accounting pages."""
