"""Days of a month in Czech; Django's month stands there as if it were alone."""

MONTH_DAY_FORMAT = "j. E"
