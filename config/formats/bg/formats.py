"""Bulgarian date formats. Django has none of these."""

DATE_FORMAT = "j E Y г."
DATETIME_FORMAT = "j E Y г., H:i"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "j E"
SHORT_DATE_FORMAT = "d.m.Y г."
SHORT_DATETIME_FORMAT = "d.m.Y г., H:i"
FIRST_DAY_OF_WEEK = 1
DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "\xa0"
