"""Rating lists that others publish: read as a stream, kept by the register, searched, compared with the club's book."""
