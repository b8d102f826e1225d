"""The FIDE (Dutch) system in force since 1 February 2026."""
