"""Signing in and out, log-ins, invitations, roles; what was sent when a session had ended; how a browser shows pages.

Others use: `adapter`, `client_address`, `forms`, `invitations`, `roles`, `throttling`.
"""
