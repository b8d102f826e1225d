"""The commands on event files: pure functions over files and the engine, which start without the web framework.

They can be started by `standalone_runner` (`./clubnight`, and `manage.py` before it imports Django) and Django's own
commands in `pairing/management/commands`, which list them in `manage.py help` and take calls from code.

No other package uses it.
"""
