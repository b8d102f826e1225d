"""Dates in Ukrainian without a nought before the day, and months as they stand behind one."""

DATE_FORMAT = "j E Y р."
DATETIME_FORMAT = "j E Y р., H:i"
SHORT_DATETIME_FORMAT = "d.m.Y, H:i"
MONTH_DAY_FORMAT = "j E"
TIME_FORMAT = "H:i"
