"""Measure the pairing systems and related tasks: `python -m lab [--quick] [--only SECTION]`.

Prints Markdown on standard output, and what it is doing on standard error. README.md tells how the figures are made.
"""

from __future__ import annotations

import argparse

from lab.events import clear_out
from lab.machine import machine
from lab.sections import ON_REQUEST, SECTIONS, Sizes

FULL = Sizes(
    ordinary=(20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000),
    command=(20, 200, 1_000, 5_000, 10_000),
    peer=(20, 200, 1_000),
    largest=10_000,
    runs=5,
    worst=None,
)
QUICK = Sizes(
    ordinary=(20, 50),
    command=(20,),
    peer=(20,),
    largest=50,
    runs=1,
    worst=("round-robin-60-54", "same-colour"),
)


def main(arguments: list[str] | None = None) -> None:
    """Run the requested sections, and print each as soon as it is finished."""
    parser = argparse.ArgumentParser(prog="python -m lab", description="Time the pairing systems.")
    parser.add_argument("--quick", action="store_true", help="small sizes, every figure from one run")
    parser.add_argument("--only", choices=SECTIONS, metavar="SECTION", help=f"one of {', '.join(SECTIONS)}")
    options = parser.parse_args(arguments)
    clear_out()
    sizes = QUICK if options.quick else FULL
    print(machine(sizes.runs), flush=True)
    for name, section in SECTIONS.items():
        if options.only == name or (options.only is None and name not in ON_REQUEST):
            print(f"\n{section(sizes)}", flush=True)
    print(f"\nAt the end: {machine(sizes.runs)}", flush=True)


if __name__ == "__main__":
    main()
