"""Static files without comments and indentation, which saves a quarter of the traffic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

_OWN = ("css/", "js/")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_COMMENT_ON_ITS_OWN = re.compile(r"^[ \t]*/\*.*?\*/[ \t]*\n", re.DOTALL | re.MULTILINE)
_INDENTATION = re.compile(r"\n\s+")


class MinifyingStorage(CompressedManifestStaticFilesStorage):
    """Makes `collectstatic` minify our own files before they are hashed and compressed."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        if not dry_run:
            own = [name for name in paths if name.startswith(_OWN)]
            for name in own:
                collected = Path(self.path(name))
                collected.write_text(minify_asset(collected.read_text(encoding="utf-8"), name), encoding="utf-8")
            # Hash and compress the collected file, not its source.
            paths = paths | {name: (self, name) for name in own}
        yield from super().post_process(paths, dry_run=dry_run, **options)


def minify_asset(text: str, name: str) -> str:
    """Return a style sheet or script without comments and indentation. A second call changes nothing.

    In scripts only comments on lines of their own are removed. A test checks that no string has a line break.
    """
    without = (_COMMENT if name.endswith(".css") else _COMMENT_ON_ITS_OWN).sub("", text)
    return _INDENTATION.sub("\n", without).lstrip()
