"""What every app uses and no app owns: background jobs, the schedule, file storage, tables, text."""
