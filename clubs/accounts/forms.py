"""The form of signing in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm

from clubs.models import User

LONGEST_PASSWORD = 4_096
"""Letters. Hashing is slow on purpose: nobody makes it slower by sending a book."""


class SignInForm(AuthenticationForm):
    """Name and password; a name or a password that nobody can have is as wrong as any other."""

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username") or ""
        password = self.cleaned_data.get("password") or ""
        longest = User._meta.get_field("username").max_length
        if len(name) > (longest or 0) or len(password) > LONGEST_PASSWORD:
            # Never looked up, nor kept among the failed attempts, which have no room for it.
            raise self.get_invalid_login_error()
        return super().clean()
