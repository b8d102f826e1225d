"""The public API: read-only JSON under `/api/v1/` (docs/developer/api.md)."""
