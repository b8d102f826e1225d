"""Italian date formats: months in lower case and the 24-hour clock."""

DATE_FORMAT = "j E Y"
DATETIME_FORMAT = "j E Y, H:i"
SHORT_DATETIME_FORMAT = "d/m/Y, H:i"
MONTH_DAY_FORMAT = "j E"
TIME_FORMAT = "H:i"
