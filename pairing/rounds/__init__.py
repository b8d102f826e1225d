"""Rounds: their life from pairing to publication, changes by the arbiter, proposals, comparison of systems."""
