"""The settings as tests have them: debugging, with a key of this run, which what tests start has as well.

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
