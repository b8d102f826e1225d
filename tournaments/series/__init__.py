"""Series of events, scheduled evenings, the calendar and attendance.

Others use: `calendar_feed`, `standings`.
"""
