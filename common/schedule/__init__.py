"""Scheduled tasks: registered by their package, and started once when due, by any process.

Others use: `registry`, `due_tasks`, `pings`.
"""
