"""The ASGI application of the event streams, for uvicorn: `uvicorn config.live:application`.

A process of its own beside those that serve the pages; see docs/decisions/0012-live.md.
"""

import os
import resource

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from tournaments.live.server import LiveServer  # noqa: E402

MOST_STREAMS = 10_000
FILES_FOR_OTHERS = 64

# Every stream is an open file; the usual limit of 1,024 is meant to be raised by programs that need more.
_soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
wanted = MOST_STREAMS + FILES_FOR_OTHERS
files = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))

application = LiveServer(most_streams=files - FILES_FOR_OTHERS)
