"""Creation of clubs: the first with its administrator, later ones with an invitation for their secretary.

Also the code that the first set-up asks for.
"""

from __future__ import annotations

import base64
import unicodedata
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, OperationalError, connection, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs.membership.accounts.invitations import create_invitation
from clubs.membership.accounts.role_assignment import give_role
from clubs.membership.club_settings.forms import save_club_logo
from clubs.membership.onboarding.default_currencies import likely_currency
from clubs.models import Club, ClubRequest, Invitation, Role, SignInAttempts, User
from common.problems import OfficerProblem
from common.text.reserved_slugs import RESERVED_CLUB_SLUGS

_CODE_LETTERS = 12
"""60 bits."""


def is_server_empty() -> bool:
    """Return True if there are no accounts, and no clubs other than the demo club."""
    return not User.objects.exists() and not Club.objects.filter(is_demo=False).exists()


def set_up_code() -> str:
    """Return the code in its printed form, such as ABCD-EFGH-IJKL."""
    digest = salted_hmac("clubnight set-up", "code", algorithm="sha256").digest()
    letters = base64.b32encode(digest).decode()[:_CODE_LETTERS]
    return "-".join(letters[start : start + 4] for start in range(0, _CODE_LETTERS, 4))


def is_set_up_code(text: str) -> bool:
    """Return True if the text is the code. Case, hyphens and spaces do not matter. 0 counts as O, and 1 as I."""
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
        f"        {set_up_code()}\n\n"
        "    `manage.py setup_code` (`clubnight manage setup_code` in the package) shows it again.\n\n"
    )


SECRETARY_INVITATION_PERIOD = timedelta(days=30)
_LETTERS = str.maketrans({"ł": "l", "Ł": "l", "ß": "ss", "ø": "o", "đ": "d"})
"""Letters that Unicode does not decompose into a base letter and an accent."""
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue"})


@transaction.atomic
def set_up_server(user: User, club: Club, *, logo: bytes | None) -> Club:
    """Save the first club, with its secretary as the server's administrator.

    Raises OfficerProblem if the server has already been set up.
    """
    # Locking this row makes a second simultaneous set-up wait. On PostgreSQL both would otherwise succeed.
    SignInAttempts.objects.get_or_create(key="set-up", defaults={"last_at": timezone.now()})
    SignInAttempts.objects.select_for_update().get(key="set-up")
    if not is_server_empty():
        raise OfficerProblem(_("Someone else has already set up this server."))
    user.is_superuser = user.is_staff = True
    user.save()
    return create_club(club, logo=logo, secretary=user)


@transaction.atomic
def create_club(club: Club, *, logo: bytes | None = None, secretary: User | None = None) -> Club:
    """Save a new club. Without a slug it gets a free one made from its name."""
    club.slug = club.slug or available_club_slug(club.name, language=club.language)
    club.save()
    if logo:
        save_club_logo(club, logo)
    if secretary is not None:
        give_role(club, secretary, Role.SECRETARY)
    return club


def invite_secretary(club: Club, *, email: str, by: User) -> Invitation:
    """Create an invitation for the club's secretary."""
    return create_invitation(club, Role.SECRETARY, by=by, valid_for=SECRETARY_INVITATION_PERIOD, email=email)


@transaction.atomic
def approve_club_request(request: ClubRequest, *, by: User) -> Invitation:
    """Create the requested club, and invite the person who requested it as its secretary.

    Raises OfficerProblem if the request was already answered.
    """
    held = _open(request)
    fields: dict[str, Any] = {"name": held.name, "city": held.city, "email": held.email}
    if held.language in dict(Club._meta.get_field("language").flatchoices):
        fields["language"] = held.language
    fields["currency"] = likely_currency(language=held.language)
    held.club = create_club(Club(**fields))
    held.state = ClubRequest.State.MADE
    held.save(update_fields=["state", "club"])
    return invite_secretary(held.club, email=held.email, by=by)


@transaction.atomic
def decline_club_request(request: ClubRequest) -> None:
    """Decline a club request. Raises OfficerProblem if it was already answered."""
    held = _open(request)
    held.state = ClubRequest.State.REFUSED
    held.save(update_fields=["state"])


def available_club_slug(name: str, *, language: str = "") -> str:
    """Return an unused and unreserved slug for a club name, transliterated as usual in its language."""
    spelt = unicodedata.normalize("NFC", name).translate(_GERMAN) if language == "de" else name
    wanted = slugify(spelt.translate(_LETTERS))[:40].strip("-") or "club"
    if wanted in RESERVED_CLUB_SLUGS:
        wanted = f"{wanted}-club"
    taken = set(Club.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    return next(each for each in (wanted, *(f"{wanted}-{n}" for n in range(2, len(taken) + 3))) if each not in taken)


def _open(request: ClubRequest) -> ClubRequest:
    held = ClubRequest.objects.select_for_update().get(pk=request.pk)
    if held.state != ClubRequest.State.OPEN:
        raise OfficerProblem(_("This request has already been answered."))
    return held
