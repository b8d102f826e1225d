"""Work that comes back by itself: said once by whoever does it, begun when it is due, once, whoever looks first.

Others use: `registry`, `due_tasks`, `watcher_thread`.
"""
