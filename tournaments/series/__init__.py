"""Events that count together, evenings and the calendar, who came how often.

Others use: `calendar_feed`, `standings`.
"""
