"""Ratings: the federations' lists and the arithmetic of ratings."""
