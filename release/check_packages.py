"""Check the packages in a folder before they are published: `python -m release.check_packages dist`.

The wheels contain what they must and nothing that only tests need, and they are small. Their commands run in a fresh
environment: the engine's alone, the application's with the packages it asks for, if they are installed here. The
application's demo club opens.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
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
START_SECONDS = 300
"""For creating the demo club and opening its first page."""


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
    """Run the wheel's commands in an empty folder, with no checkout on the path. Return the error of one that fails."""
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(Path(folder, "unpacked"))
        environment = os.environ | {"PYTHONPATH": str(Path(folder, "unpacked")), "XDG_DATA_HOME": folder}
        run = opens_demo if name == "clubnight" else simulates_event
        said = run(Path(folder), environment)
    return [f"its command failed: {said[-500:]}"] if said else []


def simulates_event(folder: Path, environment: dict[str, str]) -> str:
    """Simulate an event with the engine's command. Return its error if it fails."""
    command = [sys.executable, "-m", "clubnight_engine", "simulate", "--players", "20", "--rounds", "5"]
    command += ["--system", "jahr", "--seed", "1", "--output", os.devnull]
    done = subprocess.run(  # noqa: S603 - a fixed command
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.stderr if done.returncode else ""


def opens_demo(folder: Path, environment: dict[str, str]) -> str:
    """Start the demo club and request a page. Return what the program printed if no page opens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    printed = folder / "printed"
    command = [sys.executable, "-m", "clubnight", "demo", "--port", str(port)]
    with printed.open("wb") as output:
        server = subprocess.Popen(  # noqa: S603 - a fixed command
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        latest = time.monotonic() + START_SECONDS
        try:
            while server.poll() is None and time.monotonic() < latest:
                time.sleep(0.5)
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/rook-lane/", timeout=30):
                        return ""
                except OSError:
                    continue
        finally:
            server.terminate()
            server.wait()
    return printed.read_text(encoding="utf-8", errors="replace") or "no page opened"


if __name__ == "__main__":
    sys.exit(main())
