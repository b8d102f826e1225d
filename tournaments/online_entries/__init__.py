"""Online entries: the public entry form of an event, confirmed by email, with places, a waiting list and fees.

Others use: `places`.
"""
