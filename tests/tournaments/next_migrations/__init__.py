"""The migrations of tournaments with one more, to try what `migrate` does with the guards."""
