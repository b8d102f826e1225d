"""What can be asked for. Each asks first whether everyone may see it, as pages do of whoever is not signed in."""

from __future__ import annotations

from typing import Annotated, Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from ninja import NinjaAPI, Query, Schema
from ninja.errors import ValidationError

from clubs.models import Club
from pairing.explanations.with_names import names_of
from pairing.public.api import reading
from pairing.public.api.answering import MOST_REQUESTS, Throttle
from pairing.public.api.paging import AskedPage
from pairing.public.api.shapes import (
    ClubShape,
    Column,
    EventLine,
    EventShape,
    ListOf,
    PlayerLine,
    PlayerShape,
    Problem,
    RoundShape,
    StandingsShape,
    WorkingShape,
)
from pairing.view_models.sheets.people import people_sheet
from pairing.view_models.sheets.players import player_sheet
from pairing.view_models.sheets.rounds import pairing_sheet
from pairing.view_models.sheets.tables import standings_sheet
from pairing.view_models.sheets.tie_breaks import workings_of
from pairing.view_models.standings.event_standings import standings
from tournaments.access import events_open_to, get_round_for_reader, get_tournament_for_reader
from tournaments.events.progress import listed
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

VERSION = "1.0.0"
ROOT = "/api/v1/"
_REFUSALS = {400: Problem, 404: Problem, 422: Problem, 429: Problem}
_NOBODY = AnonymousUser()
THROTTLE = Throttle(MOST_REQUESTS)


class _Api(NinjaAPI):
    """Its addresses stand among ours, under names of their own."""

    def get_root_path(self, path_params: dict[str, Any]) -> str:
        return ROOT


api = _Api(
    title="Clubnight",
    version=VERSION,
    description=(
        "What everyone may see of a club's events: read only, and the same for everyone. Sentences are in `language` "
        "(a code such as `pl`; English where there is none such)."
    ),
    docs_url=None,
    openapi_url=None,
    throttle=THROTTLE,
)


class _Language(Schema):
    """In which language sentences are; read where the answer is begun."""

    language: str = "en"


Asked = Annotated[_Language, Query()]


@api.exception_handler(ValidationError)
def _not_understood(request: HttpRequest, error: ValidationError) -> HttpResponse:
    said = "; ".join(f"{each['loc'][-1]}: {each['msg']}" for each in error.errors)
    return api.create_response(request, {"detail": said}, status=422)


@api.exception_handler(ArbiterProblem)
def _no_table(request: HttpRequest, error: ArbiterProblem) -> HttpResponse:
    return api.create_response(request, {"detail": str(error)}, status=404)


@api.get("clubs/", response={200: ListOf[ClubShape], **_REFUSALS}, url_name="api_clubs")
def clubs(request: HttpRequest, paging: AskedPage) -> ListOf[ClubShape]:
    """The clubs of this server, by name."""
    found = Club.objects.order_by("name", "pk")
    count = found.count()
    rows = [reading.club_shape(each) for each in paging.cut(found)]
    return ListOf(count=count, next=paging.next_of(request, count), rows=rows)


@api.get("clubs/{slug:club}/", response={200: ClubShape, **_REFUSALS}, url_name="api_club")
def club(request: HttpRequest, club: str) -> ClubShape:
    """A club."""
    return reading.club_shape(get_object_or_404(Club, slug=club))


@api.get("clubs/{slug:club}/events/", response={200: ListOf[EventLine], **_REFUSALS}, url_name="api_events")
def events(request: HttpRequest, club: str, paging: AskedPage) -> ListOf[EventLine]:
    """The public events of a club: the running ones, those to come, those that are over, the latest first."""
    found = listed(events_open_to(_NOBODY, get_object_or_404(Club, slug=club)))
    rows = [reading.event_line(each, club) for each in paging.cut(found)]
    return ListOf(count=len(found), next=paging.next_of(request, len(found)), rows=rows)


@api.get("clubs/{slug:club}/{slug:event}/", response={200: EventShape, **_REFUSALS}, url_name="api_event")
def event(request: HttpRequest, club: str, event: str) -> EventShape:
    """An event and its rounds."""
    the_event = get_tournament_for_reader(_NOBODY, club, event)
    (line,) = listed(Tournament.objects.filter(pk=the_event.pk).select_related("club"))
    return reading.event_shape(line, the_event.rounds.order_by("number"))


@api.get(
    "clubs/{slug:club}/{slug:event}/players/", response={200: ListOf[PlayerLine], **_REFUSALS}, url_name="api_players"
)
def players(request: HttpRequest, club: str, event: str, paging: AskedPage) -> ListOf[PlayerLine]:
    """Who plays, by number."""
    people = people_sheet(get_tournament_for_reader(_NOBODY, club, event)).people
    rows = [reading.player_line(each) for each in paging.cut(people)]
    return ListOf(count=len(people), next=paging.next_of(request, len(people)), rows=rows)


@api.get(
    "clubs/{slug:club}/{slug:event}/players/{int:number}/",
    response={200: PlayerShape, **_REFUSALS},
    url_name="api_player",
)
def player(request: HttpRequest, club: str, event: str, number: int) -> PlayerShape:
    """A player's rounds, as far as they are published; nobody has a number before round 1 is paired."""
    tournament = get_tournament_for_reader(_NOBODY, club, event)
    entry = get_object_or_404(tournament.entries, tpn=number)
    entry.tournament = tournament
    return reading.player_shape(player_sheet(entry))


@api.get(
    "clubs/{slug:club}/{slug:event}/rounds/{int:number}/",
    response={200: RoundShape, **_REFUSALS},
    url_name="api_round",
)
def round_(
    request: HttpRequest, club: str, event: str, number: int, paging: AskedPage, asked: Asked, reasons: bool = False
) -> RoundShape:
    """The boards of a published round; with `reasons=true` each with the articles that made it."""
    this_round = get_round_for_reader(_NOBODY, club, event, number)
    sheet = pairing_sheet(
        this_round,
        first=paging.first + 1,
        last=paging.first + paging.page_size,
        with_reasons=reasons,
        with_reasons_of_byes=reasons,
    )
    names = names_of(this_round.tournament) if reasons else {}
    behind = paging.next_of(request, sheet.board_count)
    return RoundShape(
        number=sheet.number,
        state=sheet.state,
        system=this_round.paired_by.system,
        edition=sheet.edition,
        is_provisional=sheet.provisional_until is not None,
        starts_at=sheet.starts_at,
        published_at=sheet.published_at,
        boards_open=sheet.open_count,
        count=sheet.board_count,
        next=behind,
        boards=[reading.board_shape(each, names) for each in sheet.boards],
        byes=[] if behind else [reading.bye_shape(each, names) for each in sheet.byes],
    )


@api.get(
    "clubs/{slug:club}/{slug:event}/standings/",
    response={200: StandingsShape, **_REFUSALS},
    url_name="api_standings",
)
def table(
    request: HttpRequest, club: str, event: str, paging: AskedPage, asked: Asked, after: int | None = None
) -> StandingsShape:
    """The table after a published round, the latest if none is named."""
    tournament = get_tournament_for_reader(_NOBODY, club, event)
    _published(tournament, after)
    whole = standings(tournament, after)
    sheet = standings_sheet(whole, rows=paging.cut(whole.rows))
    places = [club, event, whole.after_round]
    return StandingsShape(
        after_round=sheet.after_round,
        is_provisional=sheet.is_provisional,
        columns=[
            Column(code=each.code, heading=str(each.heading), meaning=each.meaning if index else "")
            for index, each in enumerate(sheet.columns)
        ],
        count=len(whole.rows),
        next=paging.next_of(request, len(whole.rows)),
        rows=[
            reading.standing_shape(
                line, reverse("api_workings", args=[*places, line.player.tpn]) if _has_workings(whole, line) else None
            )
            for line in sheet.lines
        ],
    )


@api.get(
    "clubs/{slug:club}/{slug:event}/standings/{int:after}/{int:number}/",
    response={200: list[WorkingShape], **_REFUSALS},
    url_name="api_workings",
)
def workings(request: HttpRequest, club: str, event: str, after: int, number: int, asked: Asked) -> list[WorkingShape]:
    """How every value of a player's line came about."""
    tournament = get_tournament_for_reader(_NOBODY, club, event)
    _published(tournament, after)
    get_object_or_404(tournament.entries, tpn=number)
    return [reading.working_shape(each) for each in workings_of(standings(tournament, after), number)]


def _has_workings(whole: Any, line: Any) -> bool:
    return bool(line.player.tpn is not None and whole.after_round)


def _published(tournament: Tournament, after: int | None) -> None:
    if after is not None and not tournament.rounds.published().filter(number=after).exists():
        raise Http404
