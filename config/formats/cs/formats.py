"""Czech date formats: months in the genitive, and a comma between date and time."""

MONTH_DAY_FORMAT = "j. E"
DATETIME_FORMAT = "j. E Y, G:i"
