"""What the environment tells the server: a variable, or a file that holds what the variable would."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

REQUESTED_NAMES: set[str] = set()
"""The names that were looked for: after the settings are read, all that there are."""

SCRIPT_VARIABLES = frozenset(f"CLUBNIGHT_{name}" for name in ("SETTINGS", "COPIES", "NAME", "PAGES_AT", "STREAMS_AT"))
"""What `deploy/` reads, and the program does not."""

_BEGINNING = "CLUBNIGHT_"


def env(name: str, default: str = "") -> str:
    """The variable's value; without it what the file holds that `NAME_FILE` names: a secret in no environment.

    Raises ImproperlyConfigured for a file that cannot be read.
    """
    REQUESTED_NAMES.add(name)
    file = os.environ.get(f"{name}_FILE", "")
    if name in os.environ or not file:
        return os.environ.get(name, default)
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE names {file}, which cannot be read: {error}.") from error


def unknown_variables() -> dict[str, str]:
    """Variables that look like settings and are none, each with the nearest that is one, if any is near.

    Asked when all settings have been read.
    """
    known = REQUESTED_NAMES | SCRIPT_VARIABLES | {f"{name}_FILE" for name in REQUESTED_NAMES}
    unknown = sorted(name for name in os.environ if name.startswith(_BEGINNING) and name not in known)
    return {name: "".join(get_close_matches(name, known, n=1, cutoff=0.8)) for name in unknown}
