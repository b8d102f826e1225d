"""The API: JSON under `/api/v1/`, for everyone to read, and with tokens for changes (docs/developer/api.md)."""
