"""What one does with a log-in."""
