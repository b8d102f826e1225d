"""Set Clubnight up and start it on this computer for your own club: `python -m launch`, on Windows, macOS or Linux.

It needs no POSIX shell, and the standard library alone makes what it needs: `.venv` with the packages that `uv.lock`
names, the tables, and a server for pages and streams. The server is empty at first, and keeps what is entered
in `var/clubnight.sqlite3`. `--demo` has a made-up club instead, kept apart, as `./dev demo` has. System packages are
not installed: without Pango nothing is printed (README says how to come by it).

Where Clubnight is installed as a package, `clubnight` and `clubnight demo` start it in the same way. Then packages and
catalogues are there, and what is entered is kept in a folder of the user.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import signal
import socket
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
IS_CHECKOUT = (ROOT / "uv.lock").exists()
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python") if IS_CHECKOUT else Path(sys.executable)
TOOLS = VENV / "tools"
NOT_PROGRAM = {"var", "docs", "tests", "lab", "deploy", "__pycache__"}
PREPARED_FROM = {".py", ".lock", ".css", ".js", ".svg", ".png", ".mo", ".json", ".txt"}
INSTALL_STAMP = VENV / "stamps" / "launched"


def main(arguments: list[str] | None = None) -> int:
    here = f"{Path(sys.executable).stem} -m launch"
    own, demo = (here, f"{here} --demo") if IS_CHECKOUT else ("clubnight", "clubnight demo")
    parser = argparse.ArgumentParser(prog=own, description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--demo", action="store_true", help="start a demo club instead, with its own database")
    parser.add_argument("--port", type=int, default=8000, help="default: 8000, or the next free one")
    options = parser.parse_args(arguments)
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        print("Clubnight needs Python 3.11, 3.12 or 3.13.", file=sys.stderr)
        return 1
    if IS_CHECKOUT:
        install_packages()
    data = data_folder()
    data.mkdir(parents=True, exist_ok=True)
    database = data / ("demo.sqlite3" if options.demo else "clubnight.sqlite3")
    port = find_free_port(options.port)
    streams = find_free_port(port + 1)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CLUBNIGHT_")}
    environment["CLUBNIGHT_VAR"] = str(data)
    environment |= {"CLUBNIGHT_DATABASE": str(database), "CLUBNIGHT_LIVE": f"http://127.0.0.1:{streams}"}
    environment["PYTHONUTF8"] = "1"
    prepare(database, environment, is_demo=options.demo)
    if port != options.port:
        print(f"Port {options.port} is taken. Using {port} instead.")
    other = f"For your own club: {own}" if options.demo else f"For a demo club: {demo}"
    what = "Clubnight with a demo club" if options.demo else "Clubnight for your own club"
    message = f"\n    {what}: http://127.0.0.1:{port}/\n\n    {other}\n\n    Ctrl-C stops it.\n"
    print("Starting ...", flush=True)
    return run_server(port, streams, environment | {"CLUBNIGHT_DEBUG": "0"}, message=message)


def run_server(port: int, streams: int, environment: dict[str, str], *, message: str) -> int:
    """Run the server until it ends or the user stops it. It prints the message once its pages can be opened."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    command = [str(PYTHON), "-m", "local_server", str(port), str(streams), message]
    server = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        server.wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.terminate()
        server.wait()
    return 0


def data_folder() -> Path:
    """Return the folder for all data: `var` in a checkout, otherwise the operating system's usual place for it."""
    if IS_CHECKOUT:
        return ROOT / "var"
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Clubnight"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Clubnight"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "clubnight"


def prepare(database: Path, environment: dict[str, str], *, is_demo: bool) -> None:
    """Create the tables, the demo club and the static files, unless they are up to date."""
    stamp, fingerprint = database.with_name(f".{database.stem}.prepared"), program_fingerprint()
    noted = stamp.read_text(encoding="utf-8") if stamp.exists() and database.exists() else ""
    if noted.partition("\n")[0] == fingerprint:
        print(noted.partition("\n")[2], flush=True)
        return
    run_python("manage.py", "migrate", "--verbosity", "0", "--skip-checks", environment=environment)
    accounts = ""
    if is_demo:
        # The demo's passwords are public: it can only be made with debugging on, and is then served without.
        accounts = read_python("manage.py", "demo", environment=environment | {"CLUBNIGHT_DEBUG": "1"})
        print(accounts, flush=True)
    collect = ("manage.py", "collectstatic", "--no-input", "--verbosity", "0")
    run_python(*collect, environment=environment | {"CLUBNIGHT_DEBUG": "0"})
    stamp.write_text(f"{program_fingerprint()}\n{accounts}", encoding="utf-8")


def program_fingerprint() -> str:
    """Return a hash of the names, sizes and times of all files used to make the tables, the demo and the pages."""
    found = hashlib.sha256()
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - NOT_PROGRAM - {name for name in folders if name.startswith(".")})
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix in PREPARED_FROM and path.is_file():
                told = path.stat()
                found.update(f"{path.relative_to(ROOT)} {told.st_size} {told.st_mtime_ns}\n".encode())
    found.update(str((data_folder() / "static").exists()).encode())
    return found.hexdigest()


def install_packages() -> None:
    """Install exactly the packages in `uv.lock`, unless they are already installed."""
    lock = hashlib.sha256((ROOT / "uv.lock").read_bytes()).hexdigest()
    if PYTHON.exists() and INSTALL_STAMP.exists() and INSTALL_STAMP.read_text() == lock:
        return
    print("Installing Python packages from uv.lock ...", flush=True)
    if not PYTHON.exists():
        venv.create(VENV, with_pip=True)
    wanted = re.search(r"^UV_VERSION=(\S+)$", (ROOT / "dev").read_text(encoding="utf-8"), re.MULTILINE)
    if wanted is None:
        sys.exit("UV_VERSION is missing in the script dev.")
    run_python("-m", "pip", "install", "--quiet", "--upgrade", "--target", str(TOOLS), f"uv=={wanted[1]}")
    listed = VENV / "requirements.txt"
    uv = TOOLS / "bin" / ("uv.exe" if os.name == "nt" else "uv")
    export = ["export", "--frozen", "--quiet", "--offline", "--python", str(PYTHON), "--no-dev"]
    subprocess.run(
        [str(uv), *export, "--format", "requirements-txt", "--output-file", str(listed)], cwd=ROOT, check=True
    )
    run_python("-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--requirement", str(listed))
    run_python("-m", "babel.messages.frontend", "--quiet", "compile", "--domain", "django", "--directory", "locale")
    INSTALL_STAMP.parent.mkdir(exist_ok=True)
    INSTALL_STAMP.write_text(lock)


def run_python(*command: str, environment: dict[str, str] | None = None) -> None:
    """Run the Python in `.venv`. If it fails, report the command and exit."""
    done = subprocess.run([str(PYTHON), *command], cwd=ROOT, env=environment)
    if done.returncode:
        sys.exit(f"Command failed: {' '.join(command)}")


def read_python(*command: str, environment: dict[str, str]) -> str:
    """Run the Python in `.venv` and return its output. If it fails, report the command and exit."""
    done = subprocess.run(
        [str(PYTHON), *command], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    if done.returncode:
        sys.exit(f"Command failed: {' '.join(command)}")
    return done.stdout


def find_free_port(wanted: int) -> int:
    """Return this port, or the next one that is free."""
    for port in range(wanted, 65_536):
        with socket.socket() as probe:
            if os.name == "posix":
                # A port is free as soon as its server has stopped. On Windows this option would allow sharing it.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    sys.exit("No free port.")


if __name__ == "__main__":
    sys.exit(main())
