"""Pages for players, and pages for the secretary."""
