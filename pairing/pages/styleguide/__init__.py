"""The components of the pages in every state, on one page for whoever works on how Clubnight looks; in debug mode only.

Nobody else uses it.
"""
