"""Between day and hour stands a comma in German."""

DATETIME_FORMAT = "j. F Y, H:i"
