"""Export of a complete event as one file, and its import into another Clubnight."""
