"""What a club knows of a person, events included: given out, erased, made one.

Others use: `personal_data`.
"""
