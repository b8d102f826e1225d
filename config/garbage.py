"""How seldom Python looks for circles among what was made and is forgotten.

By itself after every 700 new objects, among all that were imported: an eighth of a start, and a tenth of a page.
"""

import atexit
import gc

NEW_OBJECTS = 20_000


def look_seldom() -> None:
    """The first thing in a process. At its end nothing is looked for any more: all goes with the process."""
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)


def keep_what_is_loaded() -> None:
    """When a server is ready: what was imported stays, and is not looked through again."""
    gc.collect()
    gc.freeze()
