"""The ASGI application of the event streams, for uvicorn: `uvicorn config.asgi:application`.

It runs in its own process beside those of the pages; see docs/project/decisions/0012-live-updates.md.
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
    """Raise the limit of open files (usually 1,024), because every stream is one. Return the new limit."""
    wanted = MAX_STREAMS + RESERVED_FILES
    if sys.platform == "win32":
        # On Windows `select` is limited to 512 sockets.
        return 512
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return files


application = LiveUpdateServer(most_streams=_files_allowed() - RESERVED_FILES, check_database=check_database_at_startup)
freeze_loaded_objects()
