"""Short dates in Polish as they are written today, Django's have hyphens; between day and hour stands a comma."""

SHORT_DATE_FORMAT = "d.m.Y"
SHORT_DATETIME_FORMAT = "d.m.Y, H:i"
DATETIME_FORMAT = "j E Y, H:i"
