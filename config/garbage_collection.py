"""How seldom Python looks for circles among what was made and is forgotten.

By itself after every 700 new objects, among all that were imported: an eighth of a start, and a tenth of a page.
"""

import atexit
import gc

COLLECTION_THRESHOLD = 20_000


def collect_garbage_rarely() -> None:
    """The first thing in a process. At its end nothing is looked for any more: all goes with the process."""
    gc.set_threshold(COLLECTION_THRESHOLD)
    atexit.register(gc.freeze)


def freeze_loaded_objects() -> None:
    """When a server is ready: what was imported stays, and is not looked through again."""
    gc.collect()
    gc.freeze()
