"""Ratings: rating lists of federations, and rating calculation."""
