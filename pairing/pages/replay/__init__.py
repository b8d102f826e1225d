"""The replay of a round: its pairing step by step.

Others use: `replay_step`.
"""
