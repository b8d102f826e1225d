"""What everyone may see, for programs: read only, as JSON, under `/api/v1/` (docs/api.md)."""
