"""The replay of a round: its pairing step by step."""
