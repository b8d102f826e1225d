"""The FIDE Swiss system based on rating of 1992, the first Dutch system: see README.md."""
