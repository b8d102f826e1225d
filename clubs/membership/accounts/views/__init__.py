"""Account pages."""
