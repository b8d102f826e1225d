"""Accounts: sign-in, invitations, roles, forms kept when a session ends, and browser preferences.

Others use: `adapter`, `client_address`, `forms`, `invitations`, `private_pages`, `request_limits`,
`role_assignment`, `secretary_emails`, `throttling`.
"""
