"""Where everyone comes in: the front page, a club's day at a glance, an event's front page.

Nobody else uses it.
"""
