"""Makes Python's garbage collector run less often.

By default it runs after every 700 new objects and checks all imported ones. This takes an eighth of the start-up time
and a tenth of a page's.
"""

import atexit
import gc

COLLECTION_THRESHOLD = 20_000


def collect_garbage_rarely() -> None:
    """Run garbage collection rarely, and skip it at exit. Call this first in a process."""
    gc.set_threshold(COLLECTION_THRESHOLD)
    atexit.register(gc.freeze)


def freeze_loaded_objects() -> None:
    """Exclude everything imported so far from garbage collection. Call it when the server is ready.

    Collecting first would take 0.15 seconds and free almost nothing.
    """
    gc.freeze()
