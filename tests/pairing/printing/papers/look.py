"""`python -m tests.pairing.printing.papers.look [FOLDER] [--language L] [--only NAME] [--all]`: all papers.

Prints what is clipped, overprinted, off its sheet or not drawn at all, and keeps PDF and pictures in a folder to be
looked at. With `--all` in five languages, for one player, nine and three hundred; that takes some minutes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("CLUBNIGHT_DEBUG", "1")

import django

django.setup()

from tests.pairing.printing.papers.drawing import faults_of  # noqa: E402
from tests.pairing.printing.papers.glyphs import drawn_pdf  # noqa: E402
from tests.pairing.printing.papers.hard_data import SIZES, hard_papers  # noqa: E402
from tests.pairing.printing.papers.structure import faults_of_tags  # noqa: E402

LANGUAGES = ("en", "pl", "cs", "bg", "de")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--language", default="pl", choices=LANGUAGES)
    parser.add_argument("--size", default="hard", choices=SIZES)
    parser.add_argument("--only", default="")
    parser.add_argument("--skip", default="")
    parser.add_argument("--all", action="store_true")
    wanted = parser.parse_args()
    languages = LANGUAGES if wanted.all else (wanted.language,)
    sizes = SIZES if wanted.all else (wanted.size,)
    found = sum(_look(language, size, wanted) for language in languages for size in sizes)
    sys.stdout.write(f"{found} faults\n")
    return 1 if found else 0


def _look(language: str, size: str, wanted: argparse.Namespace) -> int:
    players, rounds = SIZES[size]
    found = 0
    for name, hard in hard_papers(language, players=players, rounds=rounds, thorough=True).items():
        if not name.startswith(wanted.only) or (wanted.skip and name.startswith(wanted.skip)):
            continue
        paper = hard.make()
        pdf = drawn_pdf(paper)
        faults = faults_of(paper, pdf, hard) + faults_of_tags(pdf)
        found += len(faults)
        for fault in faults[:8]:
            sys.stdout.write(f"{language} {size} {name}: {fault}\n")
        if len(faults) > 8:
            sys.stdout.write(f"{language} {size} {name}: and {len(faults) - 8} more\n")
        sys.stdout.flush()
        if wanted.folder is not None:
            _keep(wanted.folder, f"{name}-{language}-{size.replace(' ', '-')}", pdf)
    return found


def _keep(folder: Path, name: str, pdf: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.pdf"
    path.write_bytes(pdf)
    subprocess.run(["pdftoppm", "-r", "70", "-png", "-l", "2", path, folder / name], check=True)


if __name__ == "__main__":
    sys.exit(main())
