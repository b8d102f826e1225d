"""Pages of the bank's statements."""
