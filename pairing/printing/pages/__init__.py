"""Where papers are chosen and answered with.

Nobody else uses it.
"""
