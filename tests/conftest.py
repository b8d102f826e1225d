"""What every test may ask for by name."""

from __future__ import annotations

from tests.servers import postgresql_server, redis_server

__all__ = ["postgresql_server", "redis_server"]
