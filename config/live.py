"""The ASGI application of the event streams, for uvicorn: `uvicorn config.live:application`.

A process of its own beside those that serve the pages; see docs/decisions/0012-live.md.
"""

import os
import sys

import django

from config.garbage import keep_what_is_loaded, look_seldom

look_seldom()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from operations.schema_guard import refuse_to_start  # noqa: E402
from tournaments.live_updates.server import LiveServer  # noqa: E402

MOST_STREAMS = 10_000
FILES_FOR_OTHERS = 64


def _files_allowed() -> int:
    """Every stream is an open file; the usual limit of 1,024 is meant to be raised by programs that need more."""
    wanted = MOST_STREAMS + FILES_FOR_OTHERS
    if sys.platform == "win32":
        # There a program waits for 512 at once, and says nothing of it.
        return 512
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return files


application = LiveServer(most_streams=_files_allowed() - FILES_FOR_OTHERS, check_database=refuse_to_start)
keep_what_is_loaded()
