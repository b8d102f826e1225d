"""Fuzz every file reader, guided by code coverage: `python -m lab.fuzz_readers`.

`[--seconds 60] [--only WORDS]`. Needs atheris (`pip install atheris`), which nothing else needs; `test_fuzzed_readers`
goes without. Prints for each reader how many files it was given, how many edges of the program they reached, and
whether anything but an answer or a refusal of its own came of one; that file is kept, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OURS = ["common", "clubs", "tournaments", "pairing", "operations"]
LONGEST_FILE = 20_000
SLOWEST = 20
"""Seconds after which a file counts as one that hangs."""
MOST_MEMORY = 2048
REPORT = "a report file"


def readers() -> dict[str, Any]:
    """All readers: those of `test_fuzzed_readers` and the one for report files."""
    from tests.pairing.engine.trf.test_fuzz import VALID, check_reading
    from tests.test_fuzzed_readers import READERS, Reader

    return READERS | {REPORT: Reader(whole=VALID, read=check_reading, refusals=())}


def fuzz(name: str, seconds: int, found: str) -> None:
    """Fuzz one reader in this process, which ends with it."""
    import atheris

    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    with atheris.instrument_imports(include=OURS):
        import django

        django.setup()
        reader = readers()[name]

    def holds(data: bytes) -> None:
        with suppress(*reader.refusals):
            reader.read(data)

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "whole").write_bytes(reader.whole)
        limits = [f"-max_total_time={seconds}", f"-timeout={SLOWEST}", f"-rss_limit_mb={MOST_MEMORY}"]
        atheris.Setup([name, folder, *limits, f"-max_len={LONGEST_FILE}", f"-artifact_prefix={found}/"], holds)
        atheris.Fuzz()


def main() -> None:
    """Print the table; with `--one` fuzz one reader."""
    parser = argparse.ArgumentParser(prog="python -m lab.fuzz_readers", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for each reader (default 60)")
    parser.add_argument("--only", default="", help="readers with these words in their name")
    parser.add_argument(
        "--found", default=str(Path(tempfile.gettempdir(), "clubnight-fuzz")), help="a folder for files"
    )
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        fuzz(options.one, options.seconds, options.found)
        return
    Path(options.found).mkdir(exist_ok=True)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    harm = []
    print("| reader | files | edges reached | wrong |\n| --- | ---: | ---: | ---: |", flush=True)
    for name in (name for name in readers() if options.only in name):
        command = [sys.executable, "-m", "lab.fuzz_readers", "--one", name, "--found", options.found]
        done = subprocess.run(
            [*command, "--seconds", str(options.seconds)], cwd=ROOT, capture_output=True, text=True, errors="replace"
        )
        files = re.findall(r"^(?:Done |#)(\d+)", done.stderr, re.MULTILINE)
        edges = re.findall(r"cov: (\d+)", done.stderr)
        if not files:
            raise SystemExit(done.stderr[-2000:])
        harm += [f"{name}: {done.stdout[-1500:]}{done.stderr[-1500:]}"] if done.returncode else []
        print(
            f"| {name} | {int(files[-1]):,} | {edges[-1] if edges else 0} | {int(bool(done.returncode))} |", flush=True
        )
    print("\n".join(harm))
    raise SystemExit(bool(harm))


if __name__ == "__main__":
    main()
