"""The cache of rate limits: in Redis, shared by all processes and machines."""

from __future__ import annotations

import json
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError


class JsonSerializer:
    """Writes values as JSON, so that someone who can write to Redis cannot run code here."""

    def dumps(self, value: Any) -> int | str:
        return value if type(value) is int else json.dumps(value)

    def loads(self, text: bytes) -> Any:
        return json.loads(text)


class LimitsCache(RedisCache):
    """A cache in Redis. If Redis does not answer, nothing is limited, and every page still works."""

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        try:
            return bool(super().add(key, value, timeout, version))
        except RedisError:
            return True

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError:
            return default

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        try:
            super().set(key, value, timeout, version)
        except RedisError:
            return

    def delete(self, key: Any, version: int | None = None) -> bool:
        try:
            return bool(super().delete(key, version))
        except RedisError:
            return False

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        try:
            return int(super().incr(key, delta, version))
        except RedisError:
            return delta
