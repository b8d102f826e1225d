"""Export of everything that belongs to a club as one ZIP file, and its import on another Clubnight server."""
