"""A round on trial: paired once more, taken over or left; and the ways out where it has no legal pairing.

Others use: `jobs`, `proposal_actions`.
"""
