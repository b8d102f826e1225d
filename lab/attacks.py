"""Attacks on a deployed server: `python -m lab.attacks [--only WORDS] [--database PostgreSQL]`.

A club in which every address leads somewhere is attacked by its own people, by a neighbour's and by strangers: other
people's keys, forged and repeated forms, headers, markup and formulas in every text, links that lead away, files that
are something else, guessed tokens, kept pages. Prints how much was tried and how much got through; the exit status is
1 unless nothing did. Needs what the tests need (README).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from lab.attacks_target import Target, target

Tries = Iterator[str]
"""One for each thing that is tried: empty, or what got through."""


def main() -> None:
    """Run the requested attacks, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m lab.attacks", description=__doc__)
    parser.add_argument("--only", default="", help="attacks with these words in their name")
    parser.add_argument("--database", choices=("SQLite", "PostgreSQL"), default="SQLite")
    parser.add_argument("--port", type=int, default=0, help="where the server listens (default: a free one)")
    options = parser.parse_args()
    harm: list[str] = []
    with target(options.database, options.port) as found:
        from lab import attacks_contents as contents
        from lab import attacks_kinds as kinds

        attacks: dict[str, Callable[[Target], Tries]] = {
            "other people's pages": kinds.others_pages,
            "other clubs' keys": kinds.others_keys,
            "forged forms": kinds.forged_forms,
            "sessions given, kept, ended": kinds.sessions,
            "guessed links, codes, passwords": kinds.guessed_secrets,
            "forged headers": kinds.forged_headers,
            "ways back that lead away": kinds.redirects,
            "poisoned pages": kinds.poisoned_pages,
            "places asked for": contents.asked_places,
            "files that are something else": contents.uploads,
            "late forms": contents.late_forms,
            "forms sent twice": contents.forms_sent_twice,
            "markup in texts": contents.markup,
            "formulas in tables": contents.formulas,
        }
        print("| attack | tried | got through |\n| --- | ---: | ---: |", flush=True)
        for name, attack in attacks.items():
            if options.only in name:
                harm += _row(name, attack, found)
    print("\n".join(harm))
    raise SystemExit(bool(harm))


def _row(name: str, attack: Callable[[Target], Tries], found: Target) -> list[str]:
    tried = list(attack(found))
    through = [each for each in tried if each]
    print(f"| {name} | {len(tried):,} | {len(through):,} |", flush=True)
    return [f"{name}: {each}" for each in through]


if __name__ == "__main__":
    main()
