"""Converts sheets, the records behind pages and printouts, to the API's schemas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.urls import reverse

from clubs.models import Club
from common.text.amounts import cents_to_decimal
from pairing.engine.snapshot import Colour
from pairing.explanations.reason_json import reasons_from_json
from pairing.explanations.reason_sentences import PlayerNames, reason_sentence
from pairing.public.api.schemas import (
    BoardPlayerSchema,
    BoardSchema,
    ByeSchema,
    CalendarEntrySchema,
    ClubSchema,
    CrosstableCellSchema,
    CrosstableRowSchema,
    EntrySchema,
    EventSchema,
    EventSummarySchema,
    PlayerRoundSchema,
    PlayerSchema,
    PlayerSummarySchema,
    PrizeByLotSchema,
    PrizeListSchema,
    PrizeSchema,
    PrizesSchema,
    ReasonSchema,
    RoundResultSchema,
    RoundSummarySchema,
    StandingsRowSchema,
    TieBreakStepSchema,
    TieBreakWorkingSchema,
)
from pairing.view_models.sheets.player_sheet import PlayerSheet, PlayerSheetRound
from pairing.view_models.sheets.players_and_results import SheetPlayer, StartingListPlayer
from pairing.view_models.sheets.prize_sheet import PrizeSheet
from pairing.view_models.sheets.round_pairings import SheetBoard, SheetBye
from pairing.view_models.sheets.standings_sheet import RoundResultCell, StandingsLine
from pairing.view_models.sheets.tie_break_texts import TieBreakWorkingText
from tournaments.events.event_progress import ListedEvent
from tournaments.models import Entry, Round, Tournament
from tournaments.series.calendar_feed import CalendarEntry


def serialise_club(club: Club) -> ClubSchema:
    """Return a club, for lists of clubs and for its own endpoint."""
    return ClubSchema(
        slug=club.slug,
        name=club.name,
        city=club.city,
        federation=club.federation,
        is_demo=club.is_demo,
        page=reverse("club", args=[club.slug]),
        events=reverse("api_events", args=[club.slug]),
        calendar=reverse("api_calendar", args=[club.slug]),
    )


def serialise_event_summary(listed: ListedEvent, club: str) -> EventSummarySchema:
    """Return an event for its club's list."""
    return EventSummarySchema(**_of_event(listed, club))


def serialise_event(listed: ListedEvent, rounds: Iterable[Round], *, has_prizes: bool) -> EventSchema:
    """Return an event with its rounds."""
    event = listed.tournament
    places = [event.club.slug, event.slug]
    return EventSchema(
        **_of_event(listed, event.club.slug),
        club=event.club.slug,
        city=event.city,
        time_control=event.time_control,
        acceleration=event.acceleration,
        points=event.point_system,
        players=reverse("api_players", args=places),
        standings=reverse("api_standings", args=places),
        crosstable=reverse("api_crosstable", args=places),
        prizes=reverse("api_prizes", args=places) if has_prizes else None,
        rounds=[_round_line(event, each) for each in rounds],
    )


def _of_event(listed: ListedEvent, club: str) -> dict[str, Any]:
    event = listed.tournament
    return {
        "slug": event.slug,
        "name": event.name,
        "starts_on": event.starts_on,
        "ends_on": event.ends_on,
        "progress": listed.progress.value,
        "system": event.system,
        "rounds_announced": event.rounds_announced,
        "rounds_published": listed.round,
        "changed_at": getattr(event, "changed_at", None),
        "page": reverse("tournament", args=[club, event.slug]),
        "event": reverse("api_event", args=[club, event.slug]),
    }


def _round_line(event: Tournament, this_round: Round) -> RoundSummarySchema:
    is_public = this_round.is_public
    places = [event.club.slug, event.slug, this_round.number]
    return RoundSummarySchema(
        number=this_round.number,
        state=this_round.state if is_public else "to_come",
        is_provisional=is_public and this_round.is_provisional,
        starts_at=this_round.starts_at,
        published_at=this_round.published_at if is_public else None,
        round=reverse("api_round", args=places) if is_public else None,
    )


def serialise_player_summary(person: StartingListPlayer, fide_ids: Mapping[int, str]) -> PlayerSummarySchema:
    """Return a player on the starting list. `fide_ids` are the public ones, by number."""
    return PlayerSummarySchema(
        number=person.number,
        name=person.name,
        title=person.title,
        rating=person.rating,
        federation=person.federation,
        club=person.club_name,
        fide_id=fide_ids.get(person.number, ""),
        has_withdrawn=person.has_withdrawn,
    )


def serialise_player(sheet: PlayerSheet, fide_id: str) -> PlayerSchema:
    """Return a player's card, with their FIDE ID if it is public."""
    player = sheet.player
    return PlayerSchema(
        number=player.tpn or 0,
        name=player.name,
        title=player.title,
        rating=player.rating,
        federation=sheet.federation,
        club=sheet.club_name,
        fide_id=fide_id,
        has_withdrawn=sheet.withdrawn_from_round is not None,
        points=sheet.points_text,
        rounds=[_player_round(each) for each in sheet.rounds],
    )


def _player_round(row: PlayerSheetRound) -> PlayerRoundSchema:
    return PlayerRoundSchema(
        round=row.number,
        board=row.board,
        opponent=row.opponent.tpn if row.opponent else None,
        colour={Colour.WHITE: "w", Colour.BLACK: "b", None: ""}[row.colour],
        result=row.symbol,
        bye=row.bye_kind,
        points=row.points_text,
    )


def serialise_board(board: SheetBoard, names: PlayerNames) -> BoardSchema:
    """Return a board with its reasons."""
    return BoardSchema(
        board=board.board,
        game=board.game,
        revision=board.revision,
        white=_seat(board.white),
        black=_seat(board.black),
        result=board.result,
        text=board.result_text,
        reasons=_reasons(board.reasons, names),
    )


def serialise_entry(entry: Entry) -> EntrySchema:
    """Return a player of an event, for those who enter players."""
    return EntrySchema(
        id=entry.pk,
        number=entry.tpn,
        name=entry.name,
        title=entry.title,
        rating=entry.rating,
        federation=entry.federation,
        club=entry.club_name,
        from_round=entry.entered_in_round,
        withdrawn_from_round=entry.withdrawn_from_round,
    )


def serialise_bye(bye: SheetBye, names: PlayerNames) -> ByeSchema:
    """Return a player without a game."""
    return ByeSchema(player=_seat(bye.player), kind=bye.kind, worth=bye.worth, reasons=_reasons(bye.reasons, names))


def _seat(player: SheetPlayer) -> BoardPlayerSchema:
    return BoardPlayerSchema(
        number=player.tpn, name=player.name, title=player.title, rating=player.rating, points=player.points
    )


def _reasons(stored: Iterable[dict[str, Any]], names: PlayerNames) -> list[ReasonSchema]:
    return [
        ReasonSchema(
            article=reason.article,
            kind=reason.kind.value,
            players=list(reason.players),
            text=reason_sentence(reason, names),
        )
        for reason in reasons_from_json(stored)
    ]


def serialise_standings_row(line: StandingsLine, workings: str | None) -> StandingsRowSchema:
    """Return a line in the table."""
    player = line.player
    return StandingsRowSchema(
        place=line.place,
        number=player.tpn,
        name=player.name,
        title=player.title,
        rating=player.rating,
        federation=line.federation,
        has_withdrawn=line.has_withdrawn,
        values=[str(value) for value in line.values],
        rounds=[_cell(cell) for cell in line.rounds],
        workings=workings,
    )


def serialise_crosstable_row(line: StandingsLine) -> CrosstableRowSchema:
    """Return a line in the crosstable. `line.place` is the line number."""
    player = line.player
    return CrosstableRowSchema(
        line=line.place,
        number=player.tpn,
        name=player.name,
        title=player.title,
        rating=player.rating,
        federation=line.federation,
        has_withdrawn=line.has_withdrawn,
        values=[str(value) for value in line.values],
        rounds=[
            CrosstableCellSchema(**_cell(cell).model_dump(), opponent_line=cell.opponent_line) for cell in line.rounds
        ],
    )


def serialise_prizes(sheet: PrizeSheet, currency: str) -> PrizesSchema:
    """Return the prizes of an event."""
    return PrizesSchema(
        after_round=sheet.after_round,
        is_final=sheet.is_final,
        currency=currency,
        lists=[
            PrizeListSchema(
                key=each.key,
                label=each.label,
                prizes=[
                    PrizeSchema(
                        place=line.place,
                        number=line.player.tpn,
                        name=line.player.name,
                        amount=str(cents_to_decimal(line.amount.cents)),
                        in_kind=line.amount.in_kind,
                        working=line.working,
                    )
                    for line in each.lines
                ],
                by_lot=[
                    PrizeByLotSchema(in_kind=lot.in_kind, players=[player.tpn or 0 for player in lot.candidates])
                    for lot in each.by_lot
                ],
            )
            for each in sheet.lists
        ],
    )


def serialise_calendar_entry(entry: CalendarEntry, club: str) -> CalendarEntrySchema:
    """Return an evening of a club's calendar."""
    return CalendarEntrySchema(
        name=entry.tournament.name,
        place=entry.place,
        round=entry.number,
        starts_at=entry.starts_at,
        first_day=entry.first,
        last_day=entry.last,
        event=reverse("api_event", args=[club, entry.tournament.slug]),
    )


def _cell(cell: RoundResultCell) -> RoundResultSchema:
    return RoundResultSchema(opponent=cell.opponent, colour=cell.colour, result=cell.symbol)


def serialise_tie_break_working(working: TieBreakWorkingText) -> TieBreakWorkingSchema:
    """Return the calculation of one value."""
    return TieBreakWorkingSchema(
        code=working.code,
        meaning=working.meaning,
        article=working.article,
        value=working.text,
        rows=[
            TieBreakStepSchema(
                round=row.round,
                opponent=row.opponent_tpn,
                remark=row.remark,
                counted=_number(row.counted),
                points=_number(row.points),
                value=_number(row.value),
                is_cut=row.is_cut,
            )
            for row in working.rows
        ],
    )


def _number(value: object) -> str | None:
    return None if value is None else str(value)
