"""A round replayed: how its pairing came to be, step by step, with the cards on the table."""
