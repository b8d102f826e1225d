"""View models: one record for the page and the printout."""
