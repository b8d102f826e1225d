"""`manage.py conformance`: run any pairing program against the conformance kit, or make the kit's archive."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pairing.cli import conformance_kit
from pairing.cli.command import UNREADABLE_FILE_STATUS, CliCommand, CommandConsole, CommandFailed
from pairing.cli.conformance_kit import (
    ConformanceKitError,
    add_kit_arguments,
    exit_status,
    format_conformance_report,
    read_conformance_cases,
    run_conformance_cases,
)
from pairing.cli.trf_files import write_to_stdout
from pairing.engine.systems import PAIRING_SYSTEMS

KIT_FOLDER = Path(__file__).resolve().parents[2] / "docs" / "conformance"
_ARCHIVE_FOLDER = "conformance-kit"
_DAY_OF_FILES = (2026, 11, 28, 0, 0, 0)
"""The same for all files, so that the same kit gives the same archive."""


def add_arguments(parser: ArgumentParser) -> None:
    add_kit_arguments(parser, sorted(PAIRING_SYSTEMS), is_required=False)
    parser.add_argument(
        "--kit", type=Path, default=KIT_FOLDER, metavar="DIR", help="folder with the cases (default: docs/conformance)"
    )
    parser.add_argument(
        "--archive", metavar="FILE", help="write the kit as a ZIP file for others, with its own program"
    )


def run_conformance_kit(options: dict[str, Any], console: CommandConsole) -> None:
    if (options["engine"] is None) == (options["archive"] is None):
        raise CommandFailed("use either --engine COMMAND or --archive FILE", UNREADABLE_FILE_STATUS)
    kit = options["kit"]
    if options["archive"] is not None:
        try:
            write_archive(kit, Path(options["archive"]))
        except OSError as error:
            message = f"{options['archive']}: can't be written: {error.strerror}"
            raise CommandFailed(message, UNREADABLE_FILE_STATUS) from error
        return
    try:
        cases = read_conformance_cases(kit, system=options["system"])
        results = list(run_conformance_cases(cases, options["engine"], timeout=options["timeout"]))
        lines = list(format_conformance_report(kit, results))
    except ConformanceKitError as problem:
        raise CommandFailed(str(problem), UNREADABLE_FILE_STATUS) from problem
    for line in lines:
        write_to_stdout(console, f"{line}\n")
    if status := exit_status(results):
        raise SystemExit(status)


def write_archive(kit: Path, path: Path) -> None:
    """Write a ZIP archive of the kit's files and its program, which only needs Python."""
    files = {file.relative_to(kit).as_posix(): file for file in sorted(kit.rglob("*")) if file.is_file()}
    files["run.py"] = Path(conformance_kit.__file__)
    with ZipFile(path, "w") as archive:
        for name, file in sorted(files.items()):
            entry = ZipInfo(f"{_ARCHIVE_FOLDER}/{name}", date_time=_DAY_OF_FILES)
            archive.writestr(entry, file.read_bytes(), compress_type=ZIP_DEFLATED)


COMMAND = CliCommand(
    "Test a pairing program with the conformance cases, or write them as an archive.",
    add_arguments,
    run_conformance_kit,
)
