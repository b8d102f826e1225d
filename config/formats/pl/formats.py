"""Short dates in Polish as they are written today; Django's have hyphens."""

SHORT_DATE_FORMAT = "d.m.Y"
SHORT_DATETIME_FORMAT = "d.m.Y, H:i"
