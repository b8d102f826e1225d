"""Days of a month in Czech, where Django's stands as if it were alone; between day and hour stands a comma."""

MONTH_DAY_FORMAT = "j. E"
DATETIME_FORMAT = "j. E Y, G:i"
