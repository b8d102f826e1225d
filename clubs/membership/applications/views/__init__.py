"""Pages for applicants, and pages for the secretary."""
