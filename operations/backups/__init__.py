"""Backups: all data in one file, made while the server is in use, verified and restored.

Others use: `backup_folder`, `nightly_job`.
"""
