"""Events: making and changing them, how far they are, a club's page and the front page.

Others use: `setting_up`, `forms`, `accelerating`.
"""
