"""Ratings as arithmetic: plain Python, no rows, no clock.

Ratings are whole points, scores half points, expected scores hundredths.
"""
