"""Saving a report file as an event that has no players yet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from django.utils import timezone

from clubs.models import Club, TimeControlKind, User
from pairing.engine.point_systems import format_point_system
from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber, Result
from pairing.engine.standings import TieBreaksNeedStandardPoints, check_tie_breaks_for_points, is_known_tie_break
from pairing.engine.trf import (
    TrfPlayer,
    TrfRound,
    detect_rate_of_play,
    format_time_control,
    is_earlier_system_line,
    is_interpretation_line,
    read_earlier_systems,
    read_event_type,
    read_rule_interpretations,
    read_tie_break_codes,
    read_time_control,
    stated_pairing_system,
)
from pairing.engine.trf import point_system_of_trf as points_of_file
from pairing.engine.trf.writer import format_player_line
from tournaments.entries.player_rows import PlayerRow
from tournaments.events.arbiters import parse_deputy_arbiters, split_name_and_fide_id
from tournaments.events.event_setup import change_tournament, create_tournament
from tournaments.import_export.report_files import ReportFile, parse_report_date, sex_in_report
from tournaments.import_export.snapshots import BYE_RESULTS, RESULTS_BY_SIDE, point_system_of_event
from tournaments.models import Acceleration, Bye, Entry, ForbiddenPair, Game, PairingSystem, Round, Tournament

PLAYERS_PLACEHOLDER = "001"
"""The line of `Tournament.report_lines` that represents all players' lines."""

TEXT_FIELDS_BY_CODE: Mapping[str, str] = {"022": "city", "122": "time_control"}
"""Lines whose text is a field of the event."""

DATE_FIELDS_BY_CODE: Mapping[str, str] = {"042": "starts_on", "052": "ends_on"}

_KINDS = {result: kind for kind, result in BYE_RESULTS.items()}
_RESULTS = {sides: result for result, sides in RESULTS_BY_SIDE.items()}
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_BATCH = 400


def create_event_from_report(
    club: Club, report: ReportFile, system: str, filename: str, *, by: User | None, rated_as: str | None = None
) -> Tournament:
    """Create an event for a report. The event is named as in the file, or else after the file.

    `rated_as` None: by its time control, or standard if it has none.
    """
    name = fit_text_to_field("name", report.trf.first_value_for_code("012") or PurePath(filename).stem)
    said = read_event_type(report.trf)
    is_accelerated = said is not None and said.is_accelerated and said.system == system
    return create_tournament(
        club,
        by=by,
        name=name,
        system=system,
        acceleration=Acceleration.BAKU if is_accelerated else Acceleration.NONE,
        rounds_announced=_rounds(report),
        point_system=_points(report),
        rated_as=(time_kind_of_report(report) or TimeControlKind.STANDARD) if rated_as is None else rated_as,
    )


def pairing_system_of_report(report: ReportFile) -> str:
    """Return the pairing system a file names (192, or a round robin in 092), or empty if unknown."""
    return stated_pairing_system(report.trf)


def time_kind_of_report(report: ReportFile) -> str:
    """Return the `TimeControlKind` of the file's time control, or empty if the file has none."""
    return detect_rate_of_play(report.trf)


def fill_event_from_report(
    event: Tournament, report: ReportFile, rows: Iterable[PlayerRow], *, by: User | None
) -> Tournament:
    """Save the players, rounds, games, byes and rules of a report without `problems` in an event without players.

    The file decides on rounds, points and first colour; other fields of the event are filled only if empty. Returns the
    updated event. The caller has locked the event in a transaction.
    """
    said: dict[str, Any] = _empty_fields(event, report) | {
        "rounds_announced": _rounds(report, event),
        "point_system": _points(report),
    }
    if report.directives.first_colour is not None:
        said["first_colour"] = report.directives.first_colour.value
    event = change_tournament(event, by=by, **said)
    event.keeps_numbers, event.report_lines = True, _lines_to_keep(report)
    event.readings = dict(read_rule_interpretations(report.trf))
    event.earlier_systems = _earlier_systems(report, event)
    event.save(update_fields=["keeps_numbers", "report_lines", "readings", "earlier_systems"])
    entries = _save_entries(event, report, rows)
    scores = _running_scores(event, report)
    rounds = {each.number: each for each in event.rounds.all()}
    _save_games(report, rounds, entries, scores)
    _save_byes(report, rounds, entries)
    _save_forbidden_pairs(event, report, entries)
    _close_rounds(report, rounds, entries, scores)
    return event


def fit_text_to_field(name: str, text: str) -> str:
    """Return a text that fits an event field: shortened if necessary, and without unprintable characters."""
    lengths = {field.name: field.max_length for field in Tournament._meta.fields}
    return _CONTROL.sub(" ", text).strip()[: lengths[name]]


def _rounds(report: ReportFile, event: Tournament | None = None) -> int:
    """Return the file's number of rounds, or else the event's, and at least as many as the file uses."""
    announced = report.directives.rounds or (event.rounds_announced if event else 1)
    return max(announced, report.rounds_needed)


def _points(report: ReportFile) -> str:
    """Return the file's points for results, in the format of an event's field."""
    return format_point_system(points_of_file(report.trf, report.directives))


def _empty_fields(event: Tournament, report: ReportFile) -> dict[str, Any]:
    """Return the file's values for the event's empty fields."""
    found: dict[str, Any] = {}
    for code, name in TEXT_FIELDS_BY_CODE.items():
        if not getattr(event, name) and report.trf.first_value_for_code(code):
            found[name] = fit_text_to_field(name, report.trf.first_value_for_code(code))
    found |= _arbiters(event, report) | _regulations(event, report)
    days = {
        name: parse_report_date(report.trf.first_value_for_code(code)) for code, name in DATE_FIELDS_BY_CODE.items()
    }
    first, last = days["starts_on"], days["ends_on"]
    if not (event.starts_on or event.ends_on) and not (first and last and last < first):
        found |= {name: day for name, day in days.items() if day}
    return found


def _arbiters(event: Tournament, report: ReportFile) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if not event.chief_arbiter and report.trf.first_value_for_code("102"):
        name, number = split_name_and_fide_id(report.trf.first_value_for_code("102"))
        found |= {"chief_arbiter": fit_text_to_field("chief_arbiter", name), "chief_arbiter_fide_id": number}
    deputies = "\n".join(line for line in report.trf.values_for_code("112") if line)
    if not event.deputy_arbiters and deputies:
        found["deputy_arbiters"] = "\n".join(parse_deputy_arbiters(deputies))[:2000]
    return found


def _regulations(event: Tournament, report: ReportFile) -> dict[str, Any]:
    """Return tie-breaks (202, 212), if all are known here, and the time control (222) if there is no 122."""
    found: dict[str, Any] = {}
    codes = read_tie_break_codes(report.trf)
    if codes and not event.tie_breaks and all(is_known_tie_break(code) for code in codes):
        with suppress(TieBreaksNeedStandardPoints):
            found["tie_breaks"] = [
                str(code) for code in check_tie_breaks_for_points(codes, points_of_file(report.trf, report.directives))
            ]
    periods = read_time_control(report.trf)
    if periods and not event.time_control and not report.trf.first_value_for_code("122"):
        found["time_control"] = fit_text_to_field("time_control", format_time_control(periods))
    return found


def _earlier_systems(report: ReportFile, event: Tournament) -> list[dict[str, Any]]:
    """Return the systems that paired the first rounds, as the file says, without unknown ones."""
    return [
        {
            "to_round": each.last_round,
            "system": each.system,
            "procedure": each.procedure or "",
            "had_bye": any(
                block.result is Result.PAIRING_ALLOCATED_BYE
                for _number, player in report.trf.players_with_line_numbers()
                for block in player.rounds[: each.last_round]
            ),
        }
        for each in read_earlier_systems(report.trf)
        if each.system in PairingSystem.values and each.last_round < event.rounds_announced
    ]


def _lines_to_keep(report: ReportFile) -> list[str]:
    """Return all lines but those of players and interpretations, with a placeholder for the players.

    Behind it is a line of number, sex and title for every player whose sex or title the file spells in its own way.
    """
    if report.table_rows:
        return [PLAYERS_PLACEHOLDER]
    first_player = next(number for number, _player in report.trf.players_with_line_numbers())
    records = [
        (number, record)
        for number, record in report.trf.records_with_line_numbers()
        if not is_interpretation_line(record.text) and not is_earlier_system_line(record.text)
    ]
    before = [record.text for number, record in records if number < first_player]
    spelt = [
        format_player_line(TrfPlayer(tpn=player.tpn, sex=player.sex, title=player.title))
        for player in report.trf.players
        if player.sex != sex_in_report(player) or player.title != player.fide_title
    ]
    after = [record.text for number, record in records if number > first_player]
    return [*before, PLAYERS_PLACEHOLDER, *spelt, *after]


def _save_entries(event: Tournament, report: ReportFile, rows: Iterable[PlayerRow]) -> dict[PairingNumber, Entry]:
    tpn_of_line = {line: player.tpn for line, player in report.trf.players_with_line_numbers()}
    entries = {
        tpn_of_line[row.line]: Entry(
            tournament=event,
            member=row.member,
            tpn=tpn_of_line[row.line],
            name=row.name,
            title=row.title,
            sex=row.sex,
            rating=row.rating,
            federation=row.federation,
            club_name=event.club.name if row.member else row.club_name,
            fide_id=row.fide_id,
            birth=row.birth,
            fictitious=_fictitious(report.directives.fictitious.get(tpn_of_line[row.line], {})),
        )
        for row in rows
    }
    Entry.objects.bulk_create(entries.values(), batch_size=_BATCH)
    return entries


def _fictitious(by_round: Mapping[int, HalfPoints]) -> list[HalfPoints]:
    return [by_round.get(number, 0) for number in range(1, max(by_round, default=0) + 1)]


def _running_scores(event: Tournament, report: ReportFile) -> dict[PairingNumber, list[HalfPoints]]:
    """Return everyone's half points before round 1, 2, ..., and after the last round paired."""
    points = point_system_of_event(event)
    scores = {}
    for player in report.trf.players:
        running = [0]
        for number in range(1, report.rounds_paired + 1):
            result = player.get_round(number).result or report.byes.get((player.tpn, number), Result.ABSENT)
            running.append(running[-1] + points.points_for_result(result))
        scores[player.tpn] = running
    return scores


def _save_games(
    report: ReportFile,
    rounds: Mapping[int, Round],
    entries: Mapping[PairingNumber, Entry],
    scores: Mapping[PairingNumber, list[HalfPoints]],
) -> None:
    """Save each pairing once, with boards in the order of the scores before the round."""
    players = {player.tpn: player for player in report.trf.players}
    games: dict[int, list[tuple[tuple[int, ...], Game]]] = {number: [] for number in rounds}
    for tpn, number, block in report.iter_round_blocks():
        other = block.opponent
        if other is None or not _is_whites_line(tpn, other, block.colour, players[other].get_round(number).colour):
            continue
        answer = players[other].get_round(number)
        game = Game(
            round=rounds[number],
            white=entries[tpn],
            black=entries[other],
            result=_result(block, answer),
            colours_drawn=block.colour is Colour.WHITE or answer.colour is Colour.BLACK,
        )
        mine, theirs = scores[tpn][number - 1], scores[other][number - 1]
        games[number].append(((-max(mine, theirs), -(mine + theirs), min(tpn, other)), game))
    for found in games.values():
        for board, (_key, game) in enumerate(sorted(found, key=lambda item: item[0]), start=1):
            game.board = board
    Game.objects.bulk_create([game for found in games.values() for _key, game in found], batch_size=_BATCH)


def _save_byes(report: ReportFile, rounds: Mapping[int, Round], entries: Mapping[PairingNumber, Entry]) -> None:
    given, byes = set[int](), []
    for (tpn, number), result in sorted(report.byes.items(), key=lambda item: item[0]):
        is_another = result is Result.PAIRING_ALLOCATED_BYE and number in given
        if result is Result.PAIRING_ALLOCATED_BYE:
            given.add(number)
        byes.append(Bye(round=rounds[number], entry=entries[tpn], kind=_KINDS[result], beside_another=is_another))
    Bye.objects.bulk_create(byes, batch_size=_BATCH)


def _result(white: TrfRound, black: TrfRound) -> str:
    """Return a game's result from the two lines. The reader has checked that they agree."""
    if white.result is None or black.result is None:
        return Game.Result.PENDING
    return _RESULTS[white.result, black.result]


def _is_whites_line(tpn: PairingNumber, other: PairingNumber, own: Colour | None, theirs: Colour | None) -> bool:
    """Return True for the line of White, or of the smaller number if the colours are missing or the same."""
    if own is theirs:
        return tpn < other
    return own is Colour.WHITE or theirs is Colour.BLACK


def _save_forbidden_pairs(event: Tournament, report: ReportFile, entries: Mapping[PairingNumber, Entry]) -> None:
    """Save one rule for each pair, covering the rounds of all the file's rules for it."""
    rules: dict[tuple[int, int], ForbiddenPair] = {}
    for group in report.directives.forbidden:
        for one in group.players:
            for other in group.players:
                first, second = entries[one], entries[other]
                if first.pk >= second.pk:
                    continue
                rule = rules.setdefault(
                    (first.pk, second.pk),
                    ForbiddenPair(
                        tournament=event,
                        first=first,
                        second=second,
                        from_round=group.first_round,
                        to_round=group.last_round,
                    ),
                )
                rule.from_round = min(rule.from_round, group.first_round)
                open_end = rule.to_round is None or group.last_round is None
                rule.to_round = None if open_end else max(rule.to_round or 0, group.last_round or 0)
    ForbiddenPair.objects.bulk_create(rules.values(), batch_size=_BATCH)


def _close_rounds(
    report: ReportFile,
    rounds: Mapping[int, Round],
    entries: Mapping[PairingNumber, Entry],
    scores: Mapping[PairingNumber, list[HalfPoints]],
) -> None:
    """Finish the rounds that have all results, and publish one still in play."""
    open_rounds = {
        number for _tpn, number, block in report.iter_round_blocks() if block.opponent and block.result is None
    }
    now = timezone.now()
    for number in range(1, report.rounds_paired + 1):
        this_round = rounds[number]
        this_round.state = Round.State.PUBLISHED if number in open_rounds else Round.State.FINISHED
        this_round.paired_at = this_round.published_at = now
        this_round.version = this_round.publications = 1
        this_round.scores = {str(entry.pk): scores[tpn][number - 1] for tpn, entry in entries.items()}
    Round.objects.bulk_update(
        [rounds[number] for number in range(1, report.rounds_paired + 1)],
        ["state", "paired_at", "published_at", "version", "publications", "scores"],
    )
