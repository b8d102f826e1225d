"""Build the page "Why this pairing?", which runs the engine in the reader's browser: static files in one folder.

The engine runs in Pyodide (Python for browsers). Its package is downloaded from npm's registry once, and kept in `var`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

from release.engine import hatch_build

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(__file__).parent / "browser"
PYODIDE = "pyodide@314.0.7"
PYODIDE_SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
STYLES = ("clubnight", "controls", "content", "boards", "replay", "dark")
EXAMPLE = ROOT / "docs" / "arbiter" / "systems" / "example.trf"
MADE_AT = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive, so that the same engine gives the same archive."""


class PyodideMissing(Exception):
    """Raised if Pyodide cannot be fetched, with the reason."""


def make_engine(folder: Path) -> Path:
    """Make the engine's package in a folder, with what the page adds to it, and return the package's folder."""
    package = folder / hatch_build.NAME
    shutil.rmtree(folder, ignore_errors=True)
    hatch_build.make_package(ROOT, package)
    shutil.copy(SOURCES / "explained_report.py", package / "explanations")
    hatch_build.write_catalogues(ROOT / "locale", package)
    return package


def build_browser_page(target: Path, engine: Path, pyodide: Path) -> None:
    """Write the page to a new folder, from the folders of the engine's package and of Pyodide."""
    shutil.copytree(SOURCES, target, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    sources = [ROOT / "static" / "css" / f"{name}.css" for name in STYLES]
    for path in (*sources, ROOT / "static" / "img" / "clubnight.svg", EXAMPLE):
        shutil.copy(path, target)
    (target / "pyodide").mkdir()
    for name in PYODIDE_FILES:
        shutil.copy(pyodide / name, target / "pyodide")
    _write_archive(target / "engine.zip", engine)
    _compile_modules(target)
    _write_list_of_files(target)


def fetch_pyodide(folder: Path) -> Path:
    """Fetch Pyodide with npm, unless already there, and return its folder. Raises PyodideMissing if that fails."""
    target = folder / PYODIDE
    if target.exists():
        return target
    npm = shutil.which("npm")
    if npm is None:
        raise PyodideMissing("npm is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as here:
        packed = subprocess.run(  # noqa: S603 - a fixed command
            [npm, "pack", PYODIDE, "--silent"], cwd=here, capture_output=True, text=True, check=False
        )
        if packed.returncode:
            raise PyodideMissing(f"npm can't fetch {PYODIDE}: {packed.stderr[-500:]}")
        archive = next(Path(here).glob("*.tgz"))
        if base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() != PYODIDE_SHA512:
            raise PyodideMissing(f"npm fetched another {PYODIDE} than expected")
        with tarfile.open(archive) as opened:
            opened.extractall(here, filter="data")
        # Another process may have fetched it first.
        with suppress(OSError):
            Path(here, "package").rename(target)
    return target


def _write_archive(path: Path, engine: Path) -> None:
    """Write the engine's modules and catalogues as an archive. The page doesn't need the conformance kit."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for source in sorted(engine.rglob("*")):
            if source.suffix in (".py", ".mo"):
                entry = zipfile.ZipInfo(source.relative_to(engine.parent).as_posix(), MADE_AT)
                archive.writestr(entry, source.read_bytes(), zipfile.ZIP_DEFLATED)


def _compile_modules(target: Path) -> None:
    """Compile what the page imports, with the Python that will run it. Otherwise each visit would compile it."""
    here = Path(__file__).parent
    command = ["node", str(here / "compile_python.mjs"), str(target), str(here / "compile_python.py")]
    subprocess.run(command, check=True)  # noqa: S603 - a fixed command


def _write_list_of_files(target: Path) -> None:
    """Write the list of files that the service worker keeps. It changes if any of them does."""
    paths = sorted(path for path in target.rglob("*") if path.is_file() and path.name != "service_worker.js")
    names = [path.relative_to(target).as_posix() for path in paths]
    version = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in paths)).hexdigest()[:16]
    text = f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(['./', *names], indent=2)};\n"
    (target / "files.js").write_text(text, encoding="utf-8")
