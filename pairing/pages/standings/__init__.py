"""Standings, crosstables, players' cards, lots and prizes on their pages.

Others use: `prize_giving`.
"""
