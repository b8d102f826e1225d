"""Webhooks: URLs that a club has told to be sent a signed message when something happens in its events."""
