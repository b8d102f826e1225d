"""Background jobs: created, run once, watched, retried, and shown on a page.

Others use: `queue`, `kinds`, `heartbeat`, `status`, `redirects`, `file_reading`, `import_steps`.
"""
