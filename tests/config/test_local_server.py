"""The pages and the streams of a laptop's server end together."""

from __future__ import annotations

import os
import sys
import time
from types import SimpleNamespace

import pytest

from config import local_server
from tests.servers import free_port

pytestmark = [pytest.mark.one_database, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")]


def test_the_streams_end_with_the_pages(monkeypatch):
    monkeypatch.setattr(local_server, "_serve_streams", lambda _port: time.sleep(60))
    streams = local_server._fork_streams(0)
    os.kill(streams._pid, 0)
    streams.end()
    with pytest.raises(ProcessLookupError):
        os.kill(streams._pid, 0)


def test_the_pages_end_with_the_streams(monkeypatch):
    monkeypatch.setitem(sys.modules, "config.wsgi", SimpleNamespace(application=None))
    monkeypatch.setattr(local_server, "_serve_streams", lambda _port: None)
    local_server._serve_pages(free_port(), local_server._fork_streams(0))
