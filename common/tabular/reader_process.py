"""The process that reads a large workbook: `python -m common.tabular.reader_process`.

It reads a line of JSON options and then the file from standard input, and writes the table as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress

MAX_MEMORY_BYTES = 1024**3


def main() -> None:
    """Run the subprocess: the first line has the options, and the file follows."""
    asked = json.loads(sys.stdin.buffer.readline())
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.utils.translation import activate

    activate(asked["language"])
    with suppress(ImportError):  # not on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    from common.tabular.spreadsheets import read_table_in_process

    table = read_table_in_process(sys.stdin.buffer.read(), most_rows=asked["rows"], most_bytes=asked["bytes"])
    problems = [
        {"line": each.line, "column": each.column, "message": each.message, "heading": each.heading}
        for each in table.problems
    ]
    lines = [(row.line, row.cells) for row in table.lines]
    sys.stdout.write(json.dumps({"lines": lines, "kind": table.kind, "problems": problems}))


if __name__ == "__main__":
    main()
