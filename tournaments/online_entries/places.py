"""The places in an event: who gets one, the waiting list, and the decisions of the player or the secretary.

Everything here happens with the event locked, so that places are counted and given by one transaction at a time. A
place is held from the confirmation of the address on, never before: otherwise a program could fill an event with
invented addresses.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, Max, Min, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club, Member, User
from common.text.name_search import NameWords, name_search_words
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.check_in.presence import leave_event_as_player
from tournaments.entries.enrolment import enter_player_rows, first_open_round, remove_entry
from tournaments.entries.member_linking import link_member
from tournaments.entries.player_rows import (
    GUEST_ANSWER,
    PlayerRow,
    RowOutcome,
    find_members_matching_row,
    resolve_player_rows,
)
from tournaments.models import Entry, Game, OnlineEntry, OnlineEntrySettings, Round, Tournament
from tournaments.online_entries.fees import change_unpaid_fee, drop_unpaid_payment, entry_fee, expect_payment
from tournaments.problems import ArbiterProblem

OFFER_LIFETIME = timedelta(hours=24)
"""How long a free place is kept for the next person on the waiting list."""

_State = OnlineEntry.State
HOLDING_STATES = (_State.APPROVAL, _State.OFFERED)
"""States in which an entry holds a place although the player is not entered yet."""
OPEN_STATES = (*HOLDING_STATES, _State.WAITING)
"""States in which something is still to be decided."""
CLOSED_STATES = (_State.REFUSED, _State.WITHDRAWN, _State.LAPSED)
MAX_EVENTS_SHOWN = 10


def entry_form_of(tournament: Tournament) -> OnlineEntrySettings:
    """Return the settings of the event's entry form, unsaved if there are none."""
    found = OnlineEntrySettings.objects.filter(tournament=tournament).first()
    return found or OnlineEntrySettings(tournament=tournament)


def is_form_open(form: OnlineEntrySettings) -> bool:
    """Return True if players can enter online now: the form is open and a round is still to come."""
    is_closed = not form.is_open or (form.closes_at is not None and form.closes_at <= timezone.now())
    return not is_closed and can_still_enter(form.tournament)


def events_taking_entries(club: Club) -> list[Tournament]:
    """Return the club's public events that players can enter online now."""
    forms = OnlineEntrySettings.objects.filter(tournament__club=club, tournament__is_public=True, is_open=True)
    in_time = forms.filter(Q(closes_at=None) | Q(closes_at__gt=timezone.now()))
    all_published = Round.objects.only_published().filter(
        tournament=OuterRef("tournament"), number__gte=OuterRef("tournament__rounds_announced")
    )
    open_forms = in_time.exclude(Exists(all_published)).select_related("tournament__club").order_by("-tournament")
    return [form.tournament for form in open_forms[:MAX_EVENTS_SHOWN]]


def can_still_enter(tournament: Tournament) -> bool:
    """Return True if the event has a round that isn't published yet."""
    return first_open_round(tournament) <= tournament.rounds_announced


def count_free_places(form: OnlineEntrySettings) -> int | None:
    """Return the number of free places, or None if there is no limit. Two queries.

    Players entered by the secretary take up places too.
    """
    if form.places is None:
        return None
    playing = form.tournament.entries.filter(withdrawn_from_round=None).count()
    held = form.tournament.online_entries.filter(state__in=HOLDING_STATES).count()
    return max(0, form.places - playing - held)


def is_known_player(online: OnlineEntry) -> bool:
    """Return True if the player is already entered, or has confirmed another online entry for the event.

    They are the same person if they are the same member, have the same ID, or share a name and, if known, a birth year.
    """
    (settled,) = resolve_player_rows(online.tournament, [_row(online)])
    if settled.outcome is RowOutcome.ALREADY_ENTERED:
        return True
    others = OnlineEntry.objects.filter(tournament=online.tournament_id).exclude(pk=online.pk)
    confirmed = others.filter(Q(state__in=OPEN_STATES) | Q(state=_State.ENTERED, entry__isnull=False))
    words = name_search_words(online.name)
    return any(_is_same_person(online, words, other) for other in confirmed.only(*_OF_A_PERSON))


_OF_A_PERSON = ("name", "birth_year", "fide_id", "national_id", "member_id")


def confirm_online_entry(online: OnlineEntry) -> OnlineEntry:
    """Confirm the address: the player is entered, waits for approval, or is put on the waiting list.

    Raises ArbiterProblem if the link was used or has expired, entries are closed, or the player is already entered.
    """
    # All members are read before the event is locked, as hundreds may confirm at once.
    return _confirm(online, find_member(online))


@transaction.atomic
def _confirm(online: OnlineEntry, member: Member | None) -> OnlineEntry:
    online = _lock(online)
    now = timezone.now()
    if online.state != _State.UNCONFIRMED or not online.token_ends_at or online.token_ends_at <= now:
        raise ArbiterProblem(_("This link has expired or has already been used."))
    form = entry_form_of(online.tournament)
    if not is_form_open(form):
        raise ArbiterProblem(_("Online entry for this event is closed."))
    online.is_member_certain = member is not None and (
        online.is_from(member) or (online.is_member_certain and online.member_id == member.pk)
    )
    online.member = member
    if is_known_player(online):
        raise already_entered_problem(online)
    online.confirmed_at, online.token_hash, online.token_ends_at = now, "", None
    online.queue_number = _last_number(online.tournament) + 1
    online.fee = entry_fee(form, online, on=timezone.localdate(now))
    free = count_free_places(form)
    waiting = online.tournament.online_entries.filter(state=_State.WAITING)
    if free == 0 or waiting.exists():
        return _set_state(online, _State.WAITING, by=None)
    return _accept(online, form)


@transaction.atomic
def accept_offer(online: OnlineEntry) -> OnlineEntry:
    """Take the place that was offered to a player on the waiting list. Raises ArbiterProblem if it is too late."""
    online = _lock(online)
    if online.state == _State.ENTERED:
        return online
    if online.state != _State.OFFERED or not online.offer_ends_at or online.offer_ends_at <= timezone.now():
        raise ArbiterProblem(_("This place is no longer kept for you."))
    return _accept(online, entry_form_of(online.tournament))


@transaction.atomic
def withdraw_online_entry(online: OnlineEntry, *, by: User | None) -> OnlineEntry:
    """Withdraw an entry. Its place goes to the next on the waiting list. Does nothing if it is already closed.

    A player without a game or bye is removed from the starting list. Any other player is withdrawn from coming rounds.
    """
    online = _lock(online)
    if online.state in CLOSED_STATES:
        return online
    entry = online.entry
    if entry is not None and entry.withdrawn_from_round is None:
        if Game.objects.filter(Q(white=entry) | Q(black=entry)).exists() or entry.byes.exists():
            leave_event_as_player(entry)
        else:
            remove_entry(entry, by=by)
            online.entry = None
    return _close(online, _State.WITHDRAWN, by=by)


@transaction.atomic
def approve_online_entry(online: OnlineEntry, *, by: User | None) -> OnlineEntry:
    """Enter the player, even if all places are taken: the secretary decides. Does nothing if they are entered.

    Raises ArbiterProblem if the address isn't confirmed, or the player has already been entered in another way.
    """
    online = _lock(online)
    if online.state == _State.ENTERED and online.entry is not None:
        return online
    if online.state == _State.UNCONFIRMED:
        raise ArbiterProblem(_("The email address isn't confirmed yet."))
    return _enter(online, by=by)


@transaction.atomic
def refuse_online_entry(online: OnlineEntry, *, by: User | None, reason: str = "") -> OnlineEntry:
    """Decline an entry that hasn't been accepted, with a reason for the player. Its place goes to the next one waiting.

    Raises ArbiterProblem if the player has been entered, as they can then only be withdrawn.
    """
    online = _lock(online)
    if online.state not in OPEN_STATES:
        raise ArbiterProblem(_("This entry can't be declined: %(state)s.") % {"state": online.get_state_display()})
    online.reason = reason
    return _close(online, _State.REFUSED, by=by)


@transaction.atomic
def confirm_member(online: OnlineEntry, *, by: User | None) -> OnlineEntry:
    """Record that the entry is the member's. They get the member's fee, unless the other fee has been paid.

    Does nothing if that is already certain.
    Raises ArbiterProblem if there is no such member, or the member is already entered.
    """
    online = _lock(online)
    if online.member is None:
        raise ArbiterProblem(_("%(name)s isn't in the member list.") % {"name": online.name})
    if online.is_member_certain:
        return online
    online.is_member_certain = True
    confirmed_on = timezone.localdate(online.confirmed_at) if online.confirmed_at else timezone.localdate()
    change_unpaid_fee(online, entry_fee(entry_form_of(online.tournament), online, on=confirmed_on))
    if online.entry is not None:
        online.payment = expect_payment(online)
    online.save()
    if online.entry is not None:
        link_member(online.entry, online.member, by=by)
    return _set_state(online, _State(online.state), by=by)


@transaction.atomic
def move_to_front(online: OnlineEntry, *, by: User | None) -> OnlineEntry:
    """Move a player to the front of the waiting list. Raises ArbiterProblem if they aren't waiting."""
    online = _lock(online)
    if online.state != _State.WAITING:
        raise ArbiterProblem(_("%(name)s isn't on the waiting list.") % {"name": online.name})
    first = online.tournament.online_entries.filter(state=_State.WAITING).aggregate(first=Min("queue_number"))["first"]
    if online.queue_number != first:
        online.queue_number = (first or 1) - 1
        online.save(update_fields=["queue_number"])
    record_action(online.tournament, EventAction.ONLINE_ENTRY_MOVED, by=by, number=online.pk)
    return online


@transaction.atomic
def move_waiting_list_up(tournament_id: int) -> int:
    """End expired offers, offer free places to the next on the waiting list, and return the number of offers.

    Raises EventDeleted.
    """
    return offer_free_places(lock_tournament(tournament_id))


def offer_free_places(tournament: Tournament) -> int:
    """Do what `move_waiting_list_up` says, for an event that the caller has locked."""
    form = entry_form_of(tournament)
    if form.is_waiting_list_paused:
        return 0
    now = timezone.now()
    for late in tournament.online_entries.filter(state=_State.OFFERED, offer_ends_at__lte=now):
        _set_state(late, _State.LAPSED, by=None)
    if not can_still_enter(tournament):
        return 0
    free = count_free_places(form)
    offers = list(tournament.online_entries.filter(state=_State.WAITING)[:free])
    for online in offers:
        online.offer_ends_at = now + OFFER_LIFETIME
        _set_state(online, _State.OFFERED, by=None)
    return len(offers)


def find_events_to_move_up() -> list[int]:
    """Return the keys of events with an expired offer, or with a free place for somebody who is waiting."""
    paused = OnlineEntrySettings.objects.filter(is_waiting_list_paused=True).values("tournament")
    live = OnlineEntry.objects.filter(tournament__deleted_at=None).exclude(tournament__in=paused)
    over = set(
        live.filter(state=_State.OFFERED, offer_ends_at__lte=timezone.now()).values_list("tournament", flat=True)
    )
    waiting = set(live.filter(state=_State.WAITING).values_list("tournament", flat=True)) - over
    for tournament in Tournament.objects.filter(pk__in=waiting):
        if count_free_places(entry_form_of(tournament)) != 0 and can_still_enter(tournament):
            over.add(tournament.pk)
    return sorted(over)


def place_in_waiting_list(online: OnlineEntry) -> int:
    """Return the place on the waiting list, from 1."""
    before = OnlineEntry.objects.filter(tournament=online.tournament_id, state=_State.WAITING)
    return before.filter(queue_number__lt=online.queue_number).count() + 1


def is_withdrawn(online: OnlineEntry) -> bool:
    """Return True if an accepted player no longer plays. They withdrew, or the arbiter removed or withdrew them."""
    if online.state != _State.ENTERED:
        return online.state == _State.WITHDRAWN
    return online.entry is None or online.entry.withdrawn_from_round is not None


def already_entered_problem(online: OnlineEntry) -> ArbiterProblem:
    """Return the problem that the player is already entered. It says nothing about the address of either entry."""
    said = _("%(name)s is already entered. If you're someone else with the same name, contact the club.")
    return ArbiterProblem(said % {"name": online.name})


def find_member(online: OnlineEntry) -> Member | None:
    """Return the only member who can be the player, or None. If several can, the entry's address decides."""
    meant = find_members_matching_row(online.tournament.club_id, _row(online))
    if len(meant) > 1:
        meant = [member for member in meant if online.is_from(member)]
    return meant[0] if len(meant) == 1 else None


def _lock(online: OnlineEntry) -> OnlineEntry:
    tournament = lock_tournament(online.tournament_id)
    fresh = OnlineEntry.objects.select_related("entry", "member", "payment").get(pk=online.pk)
    fresh.tournament = tournament
    if fresh.entry is not None:
        fresh.entry.tournament = tournament
    return fresh


def _row(online: OnlineEntry) -> PlayerRow:
    return PlayerRow(
        line=0,
        name=online.name,
        rating=online.rating,
        title=online.title,
        federation=online.federation,
        sex=online.sex,
        birth=str(online.birth_year or ""),
        fide_id=online.fide_id,
        national_id=online.national_id,
        club_name=online.club_name,
        # This answers which of several members with the name it is.
        answer=str(online.member_id or GUEST_ANSWER),
    )


def _is_same_person(one: OnlineEntry, words: NameWords, other: OnlineEntry) -> bool:
    if one.member_id and one.member_id == other.member_id:
        return True
    if one.fide_id and other.fide_id:
        return one.fide_id == other.fide_id
    if one.national_id and one.national_id == other.national_id:
        return True
    years = {one.birth_year, other.birth_year} - {None}
    return len(years) < 2 and words == name_search_words(other.name)


def _last_number(tournament: Tournament) -> int:
    return tournament.online_entries.aggregate(last=Max("queue_number"))["last"] or 0


def _accept(online: OnlineEntry, form: OnlineEntrySettings) -> OnlineEntry:
    return _set_state(online, _State.APPROVAL, by=None) if form.needs_approval else _enter(online, by=None)


def _enter(online: OnlineEntry, *, by: User | None) -> OnlineEntry:
    """Enter the player in the first round that isn't published."""
    tournament = online.tournament
    (settled,) = resolve_player_rows(tournament, [_row(online)])
    if settled.outcome is RowOutcome.ALREADY_ENTERED:
        raise already_entered_problem(online)
    if not online.is_member_certain:
        # The log keeps the name under which they are entered.
        name = online.public_name if tournament.is_public and not online.shows_name else settled.name
        settled = replace(settled, outcome=RowOutcome.GUEST, member=None, name=name)
    (entry,) = enter_player_rows(tournament, [settled], by=by)
    if tournament.is_public and not online.shows_name:
        entry.name = online.public_name
        Entry.objects.filter(pk=entry.pk).update(name=entry.name)
    online.entry, online.offer_ends_at = entry, None
    online.payment = expect_payment(online)
    return _set_state(online, _State.ENTERED, by=by)


def _close(online: OnlineEntry, state: OnlineEntry.State, *, by: User | None) -> OnlineEntry:
    if online.entry is None:  # a player who has played still owes the fee
        drop_unpaid_payment(online)
    _set_state(online, state, by=by)
    offer_free_places(online.tournament)
    return online


def _set_state(online: OnlineEntry, state: OnlineEntry.State, *, by: User | None) -> OnlineEntry:
    """Save the entry in a new state, log it without the name, and make an email about it due."""
    online.state = state
    online.set_email_due(OnlineEntry.EmailKind.STATE if online.contact_email else "")
    online.save()
    record_action(
        online.tournament, EventAction.ONLINE_ENTRY_CHANGED, by=by, number=online.pk, online_state=state.value
    )
    return online
