"""Whether the server is empty, and the code that says who may set it up.

The code is derived from the server's key, so that every process knows it and nothing is stored; once the first log-in
is made it opens nothing any more.
"""

from __future__ import annotations

import base64

from django.db import DatabaseError, OperationalError, connection
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.models import Club, User

_LETTERS = 12
"""Sixty bits."""


def is_server_empty() -> bool:
    """Nobody has a log-in, and there is no club but one made to look around in."""
    return not User.objects.exists() and not Club.objects.filter(is_demo=False).exists()


def set_up_code() -> str:
    """As it is printed: ABCD-EFGH-IJKL."""
    digest = salted_hmac("clubnight set-up", "code", algorithm="sha256").digest()
    letters = base64.b32encode(digest).decode()[:_LETTERS]
    return "-".join(letters[start : start + 4] for start in range(0, _LETTERS, 4))


def is_set_up_code(text: str) -> bool:
    """The code, however it was typed: small letters, without the strokes; a nought is read as O, a one as I."""
    typed = "".join(text.upper().split()).replace("-", "").replace("0", "O").replace("1", "I")
    return constant_time_compare(typed, set_up_code().replace("-", ""))


def database_error_message(problem: OperationalError) -> str:
    """What a command says in place of a traceback when there is no database to ask."""
    said = " ".join(str(problem).split())
    return f"The database does not answer: is it running, and is CLUBNIGHT_DATABASE right? ({said})"


def set_up_announcement() -> str:
    """What a server says when it starts: empty where there is nothing to say."""
    try:
        if not is_server_empty():
            return ""
    except DatabaseError as problem:
        if connection.vendor == "postgresql" and isinstance(problem, OperationalError):
            return f"{database_error_message(problem)}\n"
        return "The database is not made yet: run `manage.py migrate`.\n"
    return (
        f"\n    Nobody has moved in yet. Open {reverse('server_set_up')} on this server and enter this code:\n\n"
        f"        {set_up_code()}\n\n    `manage.py setup_code` shows it again.\n\n"
    )
