"""Rounds: from pairing to publication, changes by the arbiter, proposals, and comparison of systems."""
