"""Ukrainian date formats: days without a leading zero, months in the genitive."""

DATE_FORMAT = "j E Y р."
DATETIME_FORMAT = "j E Y р., H:i"
SHORT_DATETIME_FORMAT = "d.m.Y, H:i"
MONTH_DAY_FORMAT = "j E"
TIME_FORMAT = "H:i"
