"""A made-up club to look around in: for trying Clubnight out, and in a corner of a server, where it can be removed.

Nobody else uses it.
"""
