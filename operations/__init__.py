"""Running the service: backups, integrity and health checks, the demo club, moving events between servers."""
