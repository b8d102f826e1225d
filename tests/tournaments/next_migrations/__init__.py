"""The migrations of tournaments and one more, to test `migrate` with the triggers."""
