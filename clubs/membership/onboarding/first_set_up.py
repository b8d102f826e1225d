"""Detection of an empty server, and the code that allows someone to set it up.

The code is derived from the server's secret key, so every process knows it and nothing is stored. It stops working
once the first account exists.
"""

from __future__ import annotations

import base64

from django.db import DatabaseError, OperationalError, connection
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.models import Club, User

_LETTERS = 12
"""60 bits."""


def is_server_empty() -> bool:
    """Return True if there are no accounts and no clubs besides the demo club."""
    return not User.objects.exists() and not Club.objects.filter(is_demo=False).exists()


def set_up_code() -> str:
    """Return the code as it is printed, in the form ABCD-EFGH-IJKL."""
    digest = salted_hmac("clubnight set-up", "code", algorithm="sha256").digest()
    letters = base64.b32encode(digest).decode()[:_LETTERS]
    return "-".join(letters[start : start + 4] for start in range(0, _LETTERS, 4))


def is_set_up_code(text: str) -> bool:
    """Return True if the text is the code. Case, hyphens and spaces do not matter, 0 is read as O and 1 as I."""
    typed = "".join(text.upper().split()).replace("-", "").replace("0", "O").replace("1", "I")
    return constant_time_compare(typed, set_up_code().replace("-", ""))


def database_error_message(problem: OperationalError) -> str:
    """Return the message that a command shows if the database cannot be reached."""
    said = " ".join(str(problem).split())
    return f"Can't reach the database. Check that it is running and that CLUBNIGHT_DATABASE is correct. ({said})"


def set_up_announcement() -> str:
    """Return the text a server prints when it starts, or an empty string."""
    try:
        if not is_server_empty():
            return ""
    except DatabaseError as problem:
        if connection.vendor == "postgresql" and isinstance(problem, OperationalError):
            return f"{database_error_message(problem)}\n"
        return "The database has not been created yet. Run `manage.py migrate`.\n"
    return (
        f"\n    No club has been set up yet. Open {reverse('server_set_up')} on this server and enter this code:\n\n"
        f"        {set_up_code()}\n\n    `manage.py setup_code` shows it again.\n\n"
    )
