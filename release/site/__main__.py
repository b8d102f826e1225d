"""Build the documentation site in `var/site`: `python -m release.site`, or `./dev docs`, which installs what it needs.

Each version has a folder, and `versions.html` lists them. The build fails if a link is broken.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from pairing.cli.conformance import KIT_FOLDER, write_archive
from release.site.api_reference import api_description
from release.site.browser_page import build_browser_page, fetch_pyodide, make_engine
from release.site.links import link_faults

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "var" / "site"
ENGINE = ROOT / "var" / "site-engine"


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    target = SITE / version
    shutil.rmtree(target, ignore_errors=True)
    engine = make_engine(ENGINE)
    if not _build_pages(target, version):
        return 1
    build_browser_page(target / "why", engine, fetch_pyodide(ROOT / "var" / "pyodide"))
    _add_files(target)
    _write_versions()
    faults = link_faults(SITE)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{target / 'index.html'}: {len(list(target.rglob('*.html')))} pages, {len(faults)} broken links")
    return bool(faults)


def _build_pages(target: Path, version: str) -> bool:
    """Build the pages with Sphinx, treating every warning as an error."""
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "--jobs", "auto"]
    command += ["--conf-dir", str(Path(__file__).parent), "--doctree-dir", str(ROOT / "var" / "site-cache")]
    command += ["--define", f"version={version}", "--define", f"release={version}", str(ROOT), str(target)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0  # noqa: S603 - a fixed command


def _add_files(target: Path) -> None:
    """Add what no page links to: the root page, pictures, the conformance kit and the API description."""
    shutil.copy(target / "README.html", target / "index.html")
    # Some pages choose pictures in HTML, which Sphinx does not read.
    shutil.copytree(ROOT / "docs" / "pictures", target / "docs" / "pictures")
    write_archive(KIT_FOLDER, target / "docs" / "conformance" / "kit.zip")
    description = json.dumps(api_description(), indent=2)
    (target / "docs" / "developer" / "openapi.json").write_text(description, encoding="utf-8")


def _write_versions() -> None:
    """Write the list of the versions built here, the newest first. The site's root address leads to the newest."""
    names = [path.parent.name for path in SITE.glob("*/index.html")]
    names.sort(key=lambda name: [int(part) for part in re.findall(r"[0-9]+", name)], reverse=True)
    links = "".join(f'<li><a href="{name}/index.html">Clubnight {name}</a></li>' for name in names)
    body = f'<div class="page"><main class="stack"><h1>Versions</h1><ul>{links}</ul></main></div>'
    style = f'<link rel="stylesheet" href="{names[0]}/why/clubnight.css">'
    for name, head in (
        ("versions", style),
        ("index", f'<meta http-equiv="refresh" content="0; url={names[0]}/">{style}'),
    ):
        (SITE / f"{name}.html").write_text(_PAGE.format(head=head, body=body), encoding="utf-8")


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Versions of Clubnight's documentation</title>{head}</head>
<body>{body}</body>
</html>
"""


if __name__ == "__main__":
    sys.exit(main())
