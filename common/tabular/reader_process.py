"""The process that reads a file: `python -m common.tabular.reader_process`.

It reads a line of JSON options and then the file from standard input, and writes the reader's result as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress

MAX_MEMORY_BYTES = 1024**3
MAX_RESULT_BYTES = 64 * 1024**2
"""Of the JSON, which the process that asked must hold in memory."""


def main() -> None:
    """Run the subprocess. The first line of its input has the options, and the file follows.

    It fails if the result is longer than `MAX_RESULT_BYTES`.
    """
    asked = json.loads(sys.stdin.buffer.readline())
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.utils.module_loading import import_string
    from django.utils.translation import activate

    activate(asked["language"])
    read = import_string(asked["reader"])
    with suppress(ImportError):  # not on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    result = read(sys.stdin.buffer.read(), **asked["options"])
    # As UTF-8: escaped, a Cyrillic letter would take six bytes.
    told = json.dumps({"result": result}, ensure_ascii=False).encode(errors="replace")
    if len(told) > MAX_RESULT_BYTES:
        sys.exit(1)
    sys.stdout.buffer.write(told)


if __name__ == "__main__":
    main()
