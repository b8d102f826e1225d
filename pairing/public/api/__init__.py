"""The public API: read-only JSON under `/api/v1/` (docs/api.md)."""
