"""What a sheet of an event holds: one record for the web page and for the paper alike."""
