"""View models: one record for the page and the printed paper."""
