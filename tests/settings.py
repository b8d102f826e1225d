"""The settings for tests: debugging, with a key for this run, also in processes that tests start.

They are read early, in the tests' own processes and in those that tests start.
"""

import os
import secrets

os.environ.setdefault("CLUBNIGHT_DEBUG", "1")
os.environ.setdefault("CLUBNIGHT_SECRET_KEY", secrets.token_urlsafe(50))

from config.garbage_collection import collect_garbage_rarely
from config.settings import *  # noqa: F403

collect_garbage_rarely()

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A power failure in the middle of a test loses nothing of value.
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"  # noqa: F405
