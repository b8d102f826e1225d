"""The endpoints for reading: what everyone may see, and what a token adds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from ninja import Field, NinjaAPI, Query, Schema
from ninja.errors import ValidationError
from pydantic import AwareDatetime

from clubs.models import Club
from pairing.explanations.named_reasons import player_names_by_number
from pairing.pages.standings.prize_giving import get_prize_fund, has_public_prizes, prize_sheet
from pairing.public.api import serialisers
from pairing.public.api.access import events_for_reader, get_event_for_reader, get_round_for_reader
from pairing.public.api.schemas import (
    CalendarEntrySchema,
    ClubSchema,
    CrosstableSchema,
    ErrorSchema,
    EventSchema,
    EventSummarySchema,
    PagedListSchema,
    PlayerSchema,
    PlayerSummarySchema,
    PrizesSchema,
    RoundSchema,
    StandingsColumnSchema,
    StandingsSchema,
    TieBreakWorkingSchema,
)
from pairing.view_models.sheets.player_sheet import player_sheet
from pairing.view_models.sheets.players_and_results import starting_list_sheet
from pairing.view_models.sheets.round_pairings import pairing_sheet
from pairing.view_models.sheets.standings_sheet import StandingsSheet, crosstable_sheet, standings_sheet
from pairing.view_models.sheets.tie_break_texts import tie_break_workings_of_player
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.audit_log.actions import officer_only_actions
from tournaments.events.event_progress import list_events_with_progress
from tournaments.models import LogEntry, Tournament
from tournaments.privacy.personal_data import public_fide_ids
from tournaments.problems import ArbiterProblem, UnreadablePlayers
from tournaments.series.calendar_feed import calendar_entries_of

MAX_PAGE_SIZE = 200


class PageQuery(Schema):
    """The requested part of a list."""

    page: Annotated[int, Field(ge=1, le=100_000)] = 1
    page_size: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] = 100

    @property
    def page_offset(self) -> int:
        """The index of the page's first row, from 0."""
        return (self.page - 1) * self.page_size

    def slice_page(self, rows: Sequence[Any] | QuerySet[Any]) -> list[Any]:
        """Return the rows on the page."""
        return list(rows[self.page_offset : self.page_offset + self.page_size])

    def next_page_url(self, request: HttpRequest, count: int) -> str | None:
        """Return the URL of the next page, or None on the last one."""
        if self.page_offset + self.page_size >= count:
            return None
        asked = request.GET.copy()
        asked["page"] = str(self.page + 1)
        return f"{request.path}?{asked.urlencode()}"


PageParameters = Annotated[PageQuery, Query()]


API_VERSION = "1.2.0"
API_ROOT = "/api/v1/"
_REFUSALS = {400: ErrorSchema, 401: ErrorSchema, 404: ErrorSchema, 422: ErrorSchema, 429: ErrorSchema}
_FIRST_TIME, _LAST_TIME = datetime(1970, 1, 2, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


class _Api(NinjaAPI):
    """Ninja's API with the root path of our own URL patterns."""

    def get_root_path(self, path_params: dict[str, Any]) -> str:
        return API_ROOT


api = _Api(
    title="Clubnight",
    version=API_VERSION,
    description=(
        "A club's events. What is public needs no token and is the same for everyone. A token with the scope `read` "
        "also reads the club's private events, and other scopes enter players and results. Sentences are in "
        "`language` (a code such as `pl`; English if the site does not have that language)."
    ),
    docs_url=None,
    openapi_url=None,
)


class _Language(Schema):
    """The language of the sentences, read when the answer is begun."""

    language: str = "en"


LanguageQuery = Annotated[_Language, Query()]


class _Changes(Schema):
    """A time with its zone, such as 2026-11-20T18:00:00Z."""

    changed_since: AwareDatetime | None = None

    @property
    def first_time(self) -> datetime | None:
        """The requested time, limited to the range that a database can compare."""
        return None if self.changed_since is None else max(_FIRST_TIME, min(_LAST_TIME, self.changed_since))


ChangesQuery = Annotated[_Changes, Query()]


@api.exception_handler(ValidationError)
def _not_understood(request: HttpRequest, error: ValidationError) -> HttpResponse:
    said = "; ".join(f"{each['loc'][-1]}: {each['msg']}" for each in error.errors)
    return api.create_response(request, {"detail": said}, status=422)


@api.exception_handler(ArbiterProblem)
def _not_possible(request: HttpRequest, error: ArbiterProblem) -> HttpResponse:
    """Without players there is no table to read. A change that isn't possible now may be later."""
    if isinstance(error, UnreadablePlayers):
        return api.create_response(request, {"detail": str(error)}, status=422)
    return api.create_response(request, {"detail": str(error)}, status=404 if request.method == "GET" else 409)


@api.get("clubs/", response={200: PagedListSchema[ClubSchema], **_REFUSALS}, url_name="api_clubs")
def club_list(request: HttpRequest, paging: PageParameters) -> PagedListSchema[ClubSchema]:
    """The clubs of this server, by name."""
    found = Club.objects.order_by("name", "pk")
    count = found.count()
    rows = [serialisers.serialise_club(each) for each in paging.slice_page(found)]
    return PagedListSchema(count=count, next=paging.next_page_url(request, count), rows=rows)


@api.get("clubs/{slug:club}/", response={200: ClubSchema, **_REFUSALS}, url_name="api_club")
def club_detail(request: HttpRequest, club: str) -> ClubSchema:
    """A club."""
    return serialisers.serialise_club(get_object_or_404(Club, slug=club))


@api.get(
    "clubs/{slug:club}/events/", response={200: PagedListSchema[EventSummarySchema], **_REFUSALS}, url_name="api_events"
)
def event_list(
    request: HttpRequest, club: str, paging: PageParameters, asked: ChangesQuery
) -> PagedListSchema[EventSummarySchema]:
    """A club's public events: running, then upcoming, then finished, with the latest first in each group.

    With `changed_since`, only those in which something happened since then that everyone may see.
    """
    events = _with_last_change(events_for_reader(request, get_object_or_404(Club, slug=club)))
    if asked.first_time is not None:
        events = events.filter(changed_at__gte=asked.first_time)
    found = list_events_with_progress(events)
    rows = [serialisers.serialise_event_summary(each, club) for each in paging.slice_page(found)]
    return PagedListSchema(count=len(found), next=paging.next_page_url(request, len(found)), rows=rows)


@api.get(
    "clubs/{slug:club}/calendar/",
    response={200: PagedListSchema[CalendarEntrySchema], **_REFUSALS},
    url_name="api_calendar",
)
def club_calendar(request: HttpRequest, club: str, paging: PageParameters) -> PagedListSchema[CalendarEntrySchema]:
    """The evenings of a club's public events, by day."""
    the_club = get_object_or_404(Club, slug=club)
    found = calendar_entries_of(the_club, events_for_reader(request, the_club))
    rows = [serialisers.serialise_calendar_entry(each, club) for each in paging.slice_page(found)]
    return PagedListSchema(count=len(found), next=paging.next_page_url(request, len(found)), rows=rows)


@api.get("clubs/{slug:club}/{slug:event}/", response={200: EventSchema, **_REFUSALS}, url_name="api_event")
def event_detail(request: HttpRequest, club: str, event: str) -> EventSchema:
    """An event and its rounds."""
    the_event = get_event_for_reader(request, club, event)
    found = _with_last_change(Tournament.objects.filter(pk=the_event.pk).select_related("club"))
    (line,) = list_events_with_progress(found)
    has_prizes = has_public_prizes(get_prize_fund(the_event))
    return serialisers.serialise_event(line, the_event.rounds.order_by("number"), has_prizes=has_prizes)


@api.get(
    "clubs/{slug:club}/{slug:event}/players/",
    response={200: PagedListSchema[PlayerSummarySchema], **_REFUSALS},
    url_name="api_players",
)
def player_list(
    request: HttpRequest, club: str, event: str, paging: PageParameters
) -> PagedListSchema[PlayerSummarySchema]:
    """The starting list, by number."""
    tournament = get_event_for_reader(request, club, event)
    people, fide_ids = starting_list_sheet(tournament).players, public_fide_ids(tournament)
    rows = [serialisers.serialise_player_summary(each, fide_ids) for each in paging.slice_page(people)]
    return PagedListSchema(count=len(people), next=paging.next_page_url(request, len(people)), rows=rows)


@api.get(
    "clubs/{slug:club}/{slug:event}/players/{int:number}/",
    response={200: PlayerSchema, **_REFUSALS},
    url_name="api_player",
)
def player_detail(request: HttpRequest, club: str, event: str, number: int) -> PlayerSchema:
    """A player's published rounds. Players have no number before round 1 is paired."""
    tournament = get_event_for_reader(request, club, event)
    entry = get_object_or_404(tournament.entries, tpn=number)
    entry.tournament = tournament
    return serialisers.serialise_player(player_sheet(entry), public_fide_ids(tournament).get(number, ""))


@api.get(
    "clubs/{slug:club}/{slug:event}/rounds/{int:number}/",
    response={200: RoundSchema, **_REFUSALS},
    url_name="api_round",
)
def round_detail(
    request: HttpRequest,
    club: str,
    event: str,
    number: int,
    paging: PageParameters,
    asked: LanguageQuery,
    reasons: bool = False,
) -> RoundSchema:
    """The boards in a published round. With `reasons=true`, each has the articles that decided it."""
    this_round = get_round_for_reader(request, club, event, number)
    sheet = pairing_sheet(
        this_round,
        first=paging.page_offset + 1,
        last=paging.page_offset + paging.page_size,
        with_reasons=reasons,
        with_reasons_of_byes=reasons,
    )
    names = player_names_by_number(this_round.tournament, number) if reasons else {}
    behind = paging.next_page_url(request, sheet.board_count)
    return RoundSchema(
        number=sheet.number,
        state=sheet.state,
        system=this_round.pairing_method.system,
        edition=sheet.edition,
        is_provisional=sheet.provisional_until is not None,
        starts_at=sheet.starts_at,
        published_at=sheet.published_at,
        boards_open=sheet.open_board_count,
        count=sheet.board_count,
        next=behind,
        boards=[serialisers.serialise_board(each, names) for each in sheet.boards],
        byes=[] if behind else [serialisers.serialise_bye(each, names) for each in sheet.byes],
    )


@api.get(
    "clubs/{slug:club}/{slug:event}/standings/",
    response={200: StandingsSchema, **_REFUSALS},
    url_name="api_standings",
)
def standings_detail(
    request: HttpRequest, club: str, event: str, paging: PageParameters, asked: LanguageQuery, after: int | None = None
) -> StandingsSchema:
    """The standings after a published round, by default the latest."""
    tournament = get_event_for_reader(request, club, event)
    _published(tournament, after)
    whole = get_event_standings(tournament, after)
    sheet = standings_sheet(whole, rows=paging.slice_page(whole.rows))
    places = [club, event, whole.after_round]
    return StandingsSchema(
        after_round=sheet.after_round,
        is_provisional=sheet.is_provisional,
        columns=_columns(sheet),
        count=len(whole.rows),
        next=paging.next_page_url(request, len(whole.rows)),
        rows=[
            serialisers.serialise_standings_row(
                line, reverse("api_workings", args=[*places, line.player.tpn]) if _has_workings(whole, line) else None
            )
            for line in sheet.lines
        ],
    )


@api.get(
    "clubs/{slug:club}/{slug:event}/crosstable/",
    response={200: CrosstableSchema, **_REFUSALS},
    url_name="api_crosstable",
)
def crosstable_detail(
    request: HttpRequest, club: str, event: str, paging: PageParameters, asked: LanguageQuery, after: int | None = None
) -> CrosstableSchema:
    """The crosstable after a published round, by default the latest."""
    tournament = get_event_for_reader(request, club, event)
    _published(tournament, after)
    whole = get_event_standings(tournament, after)
    sheet = crosstable_sheet(whole, rows=paging.slice_page(whole.rows))
    return CrosstableSchema(
        after_round=sheet.after_round,
        is_provisional=sheet.is_provisional,
        columns=_columns(sheet),
        count=len(whole.rows),
        next=paging.next_page_url(request, len(whole.rows)),
        rows=[serialisers.serialise_crosstable_row(line) for line in sheet.lines],
    )


@api.get("clubs/{slug:club}/{slug:event}/prizes/", response={200: PrizesSchema, **_REFUSALS}, url_name="api_prizes")
def prizes_detail(request: HttpRequest, club: str, event: str, asked: LanguageQuery) -> PrizesSchema:
    """The prizes and their winners, once all rounds are finished or the arbiter has published them."""
    tournament = get_event_for_reader(request, club, event)
    if not has_public_prizes(get_prize_fund(tournament)):
        raise Http404
    return serialisers.serialise_prizes(prize_sheet(tournament), tournament.club.currency)


@api.get(
    "clubs/{slug:club}/{slug:event}/standings/{int:after}/{int:number}/",
    response={200: list[TieBreakWorkingSchema], **_REFUSALS},
    url_name="api_workings",
)
def tie_break_workings(
    request: HttpRequest, club: str, event: str, after: int, number: int, asked: LanguageQuery
) -> list[TieBreakWorkingSchema]:
    """The calculation of every value in a player's row."""
    tournament = get_event_for_reader(request, club, event)
    _published(tournament, after)
    get_object_or_404(tournament.entries, tpn=number)
    return [
        serialisers.serialise_tie_break_working(each)
        for each in tie_break_workings_of_player(get_event_standings(tournament, after), number)
    ]


def _with_last_change(events: QuerySet[Tournament]) -> QuerySet[Any]:
    """Annotate events with the time of the last line of the log that everyone may see the effect of."""
    lines = LogEntry.objects.filter(tournament=OuterRef("pk")).exclude(action__in=officer_only_actions())
    return events.annotate(changed_at=Subquery(lines.order_by("-at").values("at")[:1]))


def _columns(sheet: StandingsSheet) -> list[StandingsColumnSchema]:
    return [
        StandingsColumnSchema(code=each.code, heading=str(each.heading), meaning=each.meaning if index else "")
        for index, each in enumerate(sheet.columns)
    ]


def _has_workings(whole: Any, line: Any) -> bool:
    return bool(line.player.tpn is not None and whole.after_round)


def _published(tournament: Tournament, after: int | None) -> None:
    if after is not None and not tournament.rounds.only_published().filter(number=after).exists():
        raise Http404
