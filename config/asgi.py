"""The ASGI application of the event streams, for uvicorn: `uvicorn config.asgi:application`.

A process of its own beside those that serve the pages; see docs/decisions/0012-live.md.
"""

import os
import sys

import django

from config.garbage_collection import collect_garbage_rarely, freeze_loaded_objects

collect_garbage_rarely()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from operations.schema_guard import check_database_at_startup  # noqa: E402
from tournaments.live_updates.stream_server import LiveUpdateServer  # noqa: E402

MAX_STREAMS = 10_000
RESERVED_FILES = 64


def _files_allowed() -> int:
    """Every stream is an open file; the usual limit of 1,024 is meant to be raised by programs that need more."""
    wanted = MAX_STREAMS + RESERVED_FILES
    if sys.platform == "win32":
        # There a program waits for 512 at once, and says nothing of it.
        return 512
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return files


application = LiveUpdateServer(most_streams=_files_allowed() - RESERVED_FILES, check_database=check_database_at_startup)
freeze_loaded_objects()
