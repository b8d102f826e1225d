"""Infrastructure shared by all apps: background jobs, the schedule, file storage, tables, text."""
