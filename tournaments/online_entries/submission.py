"""Sending the entry form: the player in the rating lists, the limits of the event, and the confirmation email."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Case, Q, When
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import RatingListPlayer, TimeControlKind
from clubs.rating.lists.member_listings import is_fide_register
from clubs.rating.lists.player_search import find_listed_players, registers_of_club
from common.emails.confirmation import MAX_CONFIRMATIONS_A_DAY, mailbox_condition
from tournaments.access import lock_tournament
from tournaments.models import OnlineEntry, OnlineEntrySettings, Tournament
from tournaments.online_entries.fees import event_year
from tournaments.online_entries.processing import request_processing

MAX_LISTED_SHOWN = 6


def find_listed_candidates(tournament: Tournament, text: str) -> list[RatingListPlayer]:
    """Return the best matches for a name or an ID in the club's rating lists.

    Members are not searched: strangers must not learn who is one.
    """
    return find_listed_players(registers_of_club(tournament.club), text).players[:MAX_LISTED_SHOWN]


def has_rating_lists(tournament: Tournament) -> bool:
    """Return True if a player's ID can be looked up."""
    return RatingListPlayer.objects.filter(register__in=registers_of_club(tournament.club)).exists()


def fill_from_rating_list(online: OnlineEntry, player: RatingListPlayer) -> None:
    """Fill in the player's data from a rating list, with the rating for the event's time control.

    The birth years in the club's own lists aren't public, so strangers must not learn them.
    """
    kind = online.tournament.rated_as or TimeControlKind.STANDARD
    online.name, online.title, online.sex = player.name, player.title, player.sex
    online.rating = int(getattr(player, kind) or player.standard)
    online.federation = player.federation
    if player.register.club_id is None:
        online.birth_year = player.birth_year or online.birth_year
    if is_fide_register(player.register):
        online.fide_id = player.number
    else:
        online.national_id = player.number


def other_listed_birth_years(tournament: Tournament, everyone: Iterable[OnlineEntry]) -> dict[int, int]:
    """Return the birth years in the club's own lists, by entry, where the player gave a different one. One query."""
    given = [each for each in everyone if each.national_id and each.birth_year]
    rows = RatingListPlayer.objects.filter(
        register__club=tournament.club_id, number__in={each.national_id for each in given}
    )
    listed: defaultdict[str, set[int]] = defaultdict(set)
    for number, year in rows.values_list("number", "birth_year"):
        if year is not None:
            listed[number].add(year)
    return {
        each.pk: min(years)
        for each in given
        if (years := listed.get(each.national_id)) and each.birth_year not in years
    }


def needs_guardian(form: OnlineEntrySettings, birth_year: int | None) -> bool:
    """Return True for a player who is so young in the year of the event that a guardian must confirm the entry."""
    return birth_year is not None and event_year(form) - birth_year < form.guardian_under


def needs_birth_year(form: OnlineEntrySettings) -> bool:
    """Return True if a limit, a fee or the rule about guardians depends on the player's age."""
    has_ages = bool(form.pk) and form.fees.filter(Q(from_age__isnull=False) | Q(to_age__isnull=False)).exists()
    return bool(form.guardian_under or form.born_from or form.born_to or has_ages)


def limit_problem(form: OnlineEntrySettings, online: OnlineEntry) -> str:
    """Return why the event's limits keep the player out, or an empty string."""
    if form.rating_from and online.rating < form.rating_from:
        if not online.rating:
            return _(
                "This event requires a rating of at least %(rating)s, and we couldn't find yours. Contact the club."
            ) % {"rating": form.rating_from}
        return _("This event is for players rated %(rating)s or higher.") % {"rating": form.rating_from}
    if form.rating_to and online.rating > form.rating_to:
        return _("This event is for players rated %(rating)s or lower.") % {"rating": form.rating_to}
    if form.born_from and (online.birth_year or 0) < form.born_from:
        return _("This event is for players born in %(year)s or later.") % {"year": form.born_from}
    if form.born_to and (online.birth_year or 9999) > form.born_to:
        return _("This event is for players born in %(year)s or earlier.") % {"year": form.born_to}
    return ""


@transaction.atomic
def submit_online_entry(online: OnlineEntry) -> None:
    """Save an online entry, and email its address a request to confirm it.

    Does nothing if the address got too many such emails today without confirming. The sender isn't told, as it may
    not be their address.
    """
    lock_tournament(online.tournament_id)
    asked = OnlineEntry.objects.filter(
        state=OnlineEntry.State.UNCONFIRMED, sent_at__gt=timezone.now() - timedelta(days=1)
    ).alias(contact=Case(When(guardian_email="", then="email"), default="guardian_email"))
    if asked.filter(mailbox_condition("contact", online.contact_email)).count() >= MAX_CONFIRMATIONS_A_DAY:
        return
    online.set_email_due(OnlineEntry.EmailKind.CONFIRM)
    online.save()
    request_processing()
