"""Files of style and script as browsers get them: without comments and indentation, a quarter less over the wire."""

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
    """Has `collectstatic` slim our own files before they are named by their contents and compressed."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        if not dry_run:
            own = [name for name in paths if name.startswith(_OWN)]
            for name in own:
                collected = Path(self.path(name))
                collected.write_text(minify_asset(collected.read_text(encoding="utf-8"), name), encoding="utf-8")
            # Named and compressed is what was collected here, not where it came from.
            paths = paths | {name: (self, name) for name in own}
        yield from super().post_process(paths, dry_run=dry_run, **options)


def minify_asset(text: str, name: str) -> str:
    """The same style or script; a second time nothing is left to do. In scripts only comments on lines of their own
    go, and no string of ours has a line break in it: a test holds that."""
    without = (_COMMENT if name.endswith(".css") else _COMMENT_ON_ITS_OWN).sub("", text)
    return _INDENTATION.sub("\n", without).lstrip()
