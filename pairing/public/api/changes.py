"""The endpoints that need a token: entries, attendance and results. They call what the arbiter's pages call.

Each can be repeated safely: what is already so is no error, and nothing is done twice.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Status
from ninja.errors import HttpError

from pairing.models import ApiToken
from pairing.public.api import serialisers
from pairing.public.api.access import TokenAuth, get_event_for_token, get_round_for_token
from pairing.public.api.endpoints import PageParameters, api
from pairing.public.api.schemas import (
    BoardResultSchema,
    BoardSchema,
    EnteredSchema,
    EntrySchema,
    ErrorSchema,
    NewEntriesSchema,
    NewPlayerSchema,
    PagedListSchema,
    PresenceSchema,
    WithdrawalSchema,
)
from pairing.rounds.proposals.result_entry import enter_or_correct_result
from pairing.view_models.sheets.round_pairings import pairing_sheet
from tournaments.check_in.presence import set_check_in_state
from tournaments.entries.enrolment import (
    enter_named_players,
    first_open_round,
    reinstate_player,
    withdraw_player,
)
from tournaments.models import Entry
from tournaments.results.displayed_game import DisplayedGame

_Scope = ApiToken.Scope
_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409, 413, 422, 429), ErrorSchema)
_EVENT = "clubs/{slug:club}/{slug:event}/"


@api.get(
    _EVENT + "entries/",
    auth=TokenAuth(_Scope.ENTRIES, _Scope.READ),
    response={200: PagedListSchema[EntrySchema], **_REFUSALS},
    url_name="api_entries",
)
def entry_list(request: HttpRequest, club: str, event: str, paging: PageParameters) -> PagedListSchema[EntrySchema]:
    """The players of an event with their keys, by number. Scope `entries:write` or `read`."""
    entries = get_event_for_token(request, club, event).entries.all()
    count = entries.count()
    rows = [serialisers.serialise_entry(each) for each in paging.slice_page(entries)]
    return PagedListSchema(count=count, next=paging.next_page_url(request, count), rows=rows)


@api.post(
    _EVENT + "entries/",
    auth=TokenAuth(_Scope.ENTRIES),
    response={200: EnteredSchema, 201: EnteredSchema, **_REFUSALS},
    url_name="api_entries",
)
def entries_add(request: HttpRequest, club: str, event: str, sent: NewEntriesSchema) -> Status[EnteredSchema]:
    """Enter players, all or none. Scope `entries:write`. Those who are in the event already are not entered again."""
    tournament = get_event_for_token(request, club, event)
    players = [_fields(each) for each in sent.players]
    entered, already = enter_named_players(tournament, players, by=None, from_round=sent.from_round)
    told = EnteredSchema(
        entered=[serialisers.serialise_entry(each) for each in entered],
        already_entered=already,
    )
    return Status(201 if entered else 200, told)


def _fields(player: NewPlayerSchema) -> dict[str, str]:
    """Return what was sent about a player, by the names of a list's columns."""
    cells = player.model_dump()
    return {"club_name" if name == "club" else name: str(value) for name, value in cells.items() if value}


@api.post(
    _EVENT + "entries/{int:entry}/withdraw/",
    auth=TokenAuth(_Scope.ENTRIES),
    response={200: EntrySchema, **_REFUSALS},
    url_name="api_entry_withdraw",
)
def entry_withdraw(request: HttpRequest, club: str, event: str, entry: int, sent: WithdrawalSchema) -> EntrySchema:
    """Withdraw a player from a round on. Scope `entries:write`. If they have withdrawn already, nothing changes."""
    tournament = get_event_for_token(request, club, event)
    the_entry = get_object_or_404(Entry, tournament=tournament, pk=entry)
    if the_entry.withdrawn_from_round is None or sent.from_round not in (None, the_entry.withdrawn_from_round):
        from_round = sent.from_round or first_open_round(tournament)
        the_entry = withdraw_player(the_entry, from_round, by=None)
    return serialisers.serialise_entry(the_entry)


@api.post(
    _EVENT + "entries/{int:entry}/return/",
    auth=TokenAuth(_Scope.ENTRIES),
    response={200: EntrySchema, **_REFUSALS},
    url_name="api_entry_return",
)
def entry_return(request: HttpRequest, club: str, event: str, entry: int) -> EntrySchema:
    """Let a withdrawn player play again, from the next round that is paired. Scope `entries:write`."""
    tournament = get_event_for_token(request, club, event)
    the_entry = get_object_or_404(Entry, tournament=tournament, pk=entry)
    return serialisers.serialise_entry(reinstate_player(the_entry, by=None))


@api.put(
    _EVENT + "rounds/{int:number}/presence/{int:entry}/",
    auth=TokenAuth(_Scope.ENTRIES),
    response={200: PresenceSchema, **_REFUSALS},
    url_name="api_presence",
)
def presence_set(
    request: HttpRequest, club: str, event: str, number: int, entry: int, sent: PresenceSchema
) -> PresenceSchema:
    """Record that a player is here, late or absent, for a round that isn't paired. Scope `entries:write`."""
    this_round = get_round_for_token(request, club, event, number)
    the_entry = get_object_or_404(Entry, tournament=this_round.tournament, pk=entry)
    set_check_in_state(the_entry, this_round, sent.state, by=None)
    return sent


@api.put(
    _EVENT + "rounds/{int:number}/boards/{int:board}/result/",
    auth=TokenAuth(_Scope.RESULTS),
    response={200: BoardSchema, **_REFUSALS},
    url_name="api_result",
)
def result_enter(
    request: HttpRequest, club: str, event: str, number: int, board: int, sent: BoardResultSchema
) -> BoardSchema:
    """Enter a board's result, or correct it once the round is finished. Scope `results:write`.

    409 if somebody entered another result, or if the board was paired again. Read the round, and decide again.
    """
    this_round = get_round_for_token(request, club, event, number)
    if not this_round.is_public:
        raise HttpError(409, f"Round {number} isn't published yet.")
    game = get_object_or_404(this_round.games.select_related("white", "black"), board=board)
    game.round = this_round
    seen = DisplayedGame(game=sent.game, revision=sent.revision, result="")
    enter_or_correct_result(game, sent.result, seen=seen, by=None, reason=sent.reason.strip())
    lines = pairing_sheet(this_round, first=board, last=board).boards
    if not lines:
        raise HttpError(409, "The round was paired again. Read it, and decide again.")
    return serialisers.serialise_board(lines[0], {})
