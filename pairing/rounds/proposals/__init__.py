"""Proposed pairings: a paired round paired again, and relaxations if it has no legal pairing.

Others use: `jobs`, `proposal_actions`, `result_entry`.
"""
