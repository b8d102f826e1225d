"""German date formats: a comma between date and time."""

DATETIME_FORMAT = "j. F Y, H:i"
