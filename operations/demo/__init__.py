"""The demo club, for trying Clubnight out. On a server it can be removed again.

No other package uses it.
"""
