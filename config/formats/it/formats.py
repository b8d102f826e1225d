"""Dates in Italian as they are written today: months in small letters, the clock to 24."""

DATE_FORMAT = "j E Y"
DATETIME_FORMAT = "j E Y, H:i"
SHORT_DATETIME_FORMAT = "d/m/Y, H:i"
MONTH_DAY_FORMAT = "j E"
TIME_FORMAT = "H:i"
