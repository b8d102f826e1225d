"""What every test may ask for by name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.servers import postgresql_server, redis_server

__all__ = ["event_files", "postgresql_server", "redis_server"]

EVENT_FILES = Path(__file__).resolve().parents[1] / "../shared/data/trf"


@pytest.fixture(scope="session")
def event_files() -> Path:
    """The folder of real event files, which are no part of the repository; `odd/` in it holds the difficult ones."""
    folder = Path(os.environ.get("CLUBNIGHT_EVENT_FILES", EVENT_FILES)).resolve()
    if not folder.is_dir():
        pytest.skip(f"no event files at {folder}; set CLUBNIGHT_EVENT_FILES to their folder")
    return folder
