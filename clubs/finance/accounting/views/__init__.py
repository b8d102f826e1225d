"""Pages of the books."""
