"""Environment variables, given directly or in a file."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

REQUESTED_NAMES: set[str] = set()
"""The names read so far; complete once the settings are loaded."""

SCRIPT_VARIABLES = frozenset(
    f"CLUBNIGHT_{name}"
    for name in (
        *("SETTINGS", "COPIES", "LITESTREAM", "DRILL_KEY", "LISTEN"),
        *("NAME", "PAGES_AT", "OFFICERS_AT", "STREAMS_AT", "UPSTREAMS"),
    )
)
"""Variables that only the scripts in `deploy/` read."""

_BEGINNING = "CLUBNIGHT_"


def env(name: str, default: str = "") -> str:
    """Return the variable's value, or else the content of the file in `NAME_FILE`.

    A file keeps a secret out of the environment. Raises ImproperlyConfigured if the file cannot be read.
    """
    REQUESTED_NAMES.add(name)
    file = os.environ.get(f"{name}_FILE", "")
    if name in os.environ or not file:
        return os.environ.get(name, default)
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE names {file}, which can't be read: {error}.") from error


def unknown_variables() -> dict[str, str]:
    """Return variables that look like settings but are not, each with the closest setting, if any.

    Call it after all settings have been read.
    """
    known = REQUESTED_NAMES | SCRIPT_VARIABLES | {f"{name}_FILE" for name in REQUESTED_NAMES}
    unknown = sorted(name for name in os.environ if name.startswith(_BEGINNING) and name not in known)
    return {name: "".join(get_close_matches(name, known, n=1, cutoff=0.8)) for name in unknown}
