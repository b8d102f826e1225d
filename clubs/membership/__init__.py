"""A club's members, accounts, onboarding, settings and branding."""
