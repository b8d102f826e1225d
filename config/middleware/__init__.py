"""Middleware of the whole site: logging, metrics, response headers and refused requests."""
