"""FIDE Swiss rules of 1987, as amended in 1988 and 1989."""
