"""Polish date formats: dots in short dates instead of Django's hyphens, and a comma between date and time."""

SHORT_DATE_FORMAT = "d.m.Y"
SHORT_DATETIME_FORMAT = "d.m.Y, H:i"
DATETIME_FORMAT = "j E Y, H:i"
