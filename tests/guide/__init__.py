"""Follow the server guide: run every command of docs/operator/server.md on a fresh machine, and request pages."""
