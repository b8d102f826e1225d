"""Check the packages in a folder before they are published: `python -m release.check_packages dist`.

The wheels contain what they must and nothing that only tests need, and they are small. Their commands run in a fresh
environment: the engine's alone, the application's with the packages it asks for, if they are installed here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

MEGABYTE = 1_000_000
MAX_BYTES = {"clubnight": 6 * MEGABYTE, "clubnight_engine": 1.5 * MEGABYTE}
NEEDED = {
    "clubnight": (
        "clubnight/__main__.py", "clubnight/app/manage.py", "clubnight/app/launch.py",
        "clubnight/app/templates/base.html", "clubnight/app/locale/pl/LC_MESSAGES/django.mo",
        "clubnight/app/docs/conformance/index.json", "clubnight/app/static/css/clubnight.css",
    ),
    "clubnight_engine": (
        "clubnight_engine/__main__.py", "clubnight_engine/py.typed", "clubnight_engine/locale/pl.mo",
        "clubnight_engine/conformance_kit/index.json", "clubnight_engine/systems/dutch_2026/system.py",
    ),
}  # fmt: skip
UNWANTED = ("tests/", "lab/", "__pycache__", ".po", ".sqlite3", "/var/", "/secret-key")
COMMANDS = {
    "clubnight": ["-m", "clubnight", "--help"],
    "clubnight_engine": [
        "-m", "clubnight_engine", "simulate", "--players", "20", "--rounds", "5", "--system", "jahr", "--seed", "1",
        "--output", os.devnull,
    ],
}  # fmt: skip


def main() -> int:
    found = {path.name.split("-")[0]: path for path in Path(sys.argv[1]).glob("*.whl")}
    faults = [f"there is no wheel of {name}" for name in NEEDED if name not in found]
    for name, wheel in sorted(found.items()):
        faults += [f"{wheel.name}: {fault}" for fault in (*content_faults(name, wheel), *command_faults(name, wheel))]
        print(f"{wheel.name}: {wheel.stat().st_size / MEGABYTE:.1f} MB")
    for fault in faults:
        print(fault, file=sys.stderr)
    return bool(faults)


def content_faults(name: str, wheel: Path) -> list[str]:
    """Return a wheel's faults: files it lacks, files that do not belong there, and a size above the limit."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    faults = [f"{needed} is missing" for needed in NEEDED[name] if needed not in names]
    faults += [f"{each} does not belong here" for each in sorted(names) if any(word in each for word in UNWANTED)]
    tops = {each.split("/")[0] for each in names if ".dist-info/" not in each}
    faults += [f"{top} would be a package of its own" for top in sorted(tops - {name})]
    if wheel.stat().st_size > MAX_BYTES[name]:
        faults.append(f"heavier than {MAX_BYTES[name] / MEGABYTE} MB")
    return faults


def command_faults(name: str, wheel: Path) -> list[str]:
    """Run the wheel's command in an empty folder, with no checkout on the path. Return its error if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(Path(folder, "unpacked"))
        environment = os.environ | {"PYTHONPATH": str(Path(folder, "unpacked")), "XDG_DATA_HOME": folder}
        done = subprocess.run(  # noqa: S603 - the commands of this file
            [sys.executable, *COMMANDS[name]], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    return [f"its command failed: {done.stderr[-500:]}"] if done.returncode else []


if __name__ == "__main__":
    sys.exit(main())
