"""Run by the Python of the other programs: pair every round of report files again.

Reads lines `PROGRAM PATH` from standard input; answers each with one line of JSON: the file, and for every round
the pairs, white first, 0 for the bye, or what went wrong. It imports nothing of this project.
"""

import contextlib
import io
import json
import os
import sys
import tempfile
from typing import Any

Rounds = dict[int, Any]


def gacrux(path: str) -> Rounds:
    """Gacrux, the reference of FIDE's Technical Commission."""
    from gacrux.pairingchecker import pairingchecker

    handle, answer = tempfile.mkstemp(suffix=".json")
    os.close(handle)
    sys.argv = ["pairingchecker", "-i", path, "-c", "-o", answer]
    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet), contextlib.suppress(SystemExit):
        pairingchecker().common_main()
    try:
        with open(answer, encoding="utf-8") as file:
            told = json.load(file)
    finally:
        os.unlink(answer)
    rounds = told.get("pairingResult", {}).get("roundpairing")
    if rounds is None:
        raise RuntimeError(str(told.get("status")))
    return {each["round"]: each["pairs"] for each in rounds}


def caissify(path: str) -> Rounds:
    """caissify-pairings."""
    from caissify_pairings.fpc import check_trf

    with open(path, encoding="utf-8") as file:
        report = check_trf(file.read())
    return {
        each["round"]: [[pair["white"], pair["black"] or 0] for pair in each["engine_pairings"]]
        for each in report["rounds"]
    }


def main() -> None:
    """Answer line by line until the end of the input."""
    programs = {"gacrux": gacrux, "caissify-pairings": caissify}
    for line in sys.stdin:
        program, path = line.rstrip("\n").split(" ", 1)
        try:
            answer: dict[str, Any] = {"rounds": programs[program](path)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"program": program, "path": path, **answer}), flush=True)


if __name__ == "__main__":
    main()
