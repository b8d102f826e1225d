"""What the environment tells the server: a variable, or a file that holds what the variable would."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def told(name: str, default: str = "") -> str:
    """The variable's value; without it what the file holds that `NAME_FILE` names: a secret in no environment.

    Raises ImproperlyConfigured for a file that cannot be read.
    """
    file = os.environ.get(f"{name}_FILE", "")
    if name in os.environ or not file:
        return os.environ.get(name, default)
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE names {file}, which cannot be read: {error}.") from error
