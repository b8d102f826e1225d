"""Writing a report file into an event that has no players yet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from django.utils import timezone

from clubs.models import Club, TimeKind, User
from pairing.engine.points import points_written
from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber, Result
from pairing.engine.standings import TieBreaksNeedUsualPoints, check_tie_breaks, is_tie_break
from pairing.engine.trf import (
    TrfRound,
    earlier_systems_of,
    event_type,
    rate_of_play,
    readings_of,
    says_round_robin,
    states_reading,
    states_system,
    tie_breaks_said,
    time_control_in_words,
    time_control_said,
)
from pairing.engine.trf import points_of as points_of_file
from tournaments.entries.player_rows import PlayerRow
from tournaments.events.arbiters import deputies_of, name_and_number
from tournaments.events.setting_up import change_tournament, create_tournament
from tournaments.import_export.report_files import LINES_OF_BYES, Report, day_of
from tournaments.import_export.snapshots import BYE_RESULTS, SIDES, points_of
from tournaments.models import Acceleration, Bye, Entry, ForbiddenPair, Game, Round, System, Tournament

PLAYERS_STAND_HERE = "001"
"""The line of `Tournament.report_lines` that stands for all players' lines."""

TEXTS: Mapping[str, str] = {"022": "city", "122": "time_control"}
"""Lines whose text is a field of the event."""

DAYS: Mapping[str, str] = {"042": "starts_on", "052": "ends_on"}

_KINDS = {result: kind for kind, result in BYE_RESULTS.items()}
_RESULTS = {sides: result for result, sides in SIDES.items()}
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_BATCH = 400


def new_event(
    club: Club, report: Report, system: str, filename: str, *, by: User | None, rated_as: str | None = None
) -> Tournament:
    """An event for a report, by the file's own name of it or else the file's name.

    `rated_as` is what it counts for; None: what its time control says, standard where it has none.
    """
    name = fitting("name", report.trf.value("012") or PurePath(filename).stem)
    said = event_type(report.trf)
    is_accelerated = said is not None and said.is_accelerated and said.system == system
    return create_tournament(
        club,
        by=by,
        name=name,
        system=system,
        acceleration=Acceleration.BAKU if is_accelerated else Acceleration.NONE,
        rounds_announced=_rounds(report),
        point_system=_points(report),
        rated_as=(kind_said(report) or TimeKind.STANDARD) if rated_as is None else rated_as,
    )


def system_said(report: Report) -> str:
    """The pairing system that a file names (192, or a round robin in 092); empty where it names none known here."""
    said = event_type(report.trf)
    if said:
        return said.system or ""
    return System.ROUND_ROBIN if says_round_robin(report.trf) else ""


def kind_said(report: Report) -> str:
    """What an event of the file's time control is rated as (`TimeKind`); empty where it does not say."""
    return rate_of_play(report.trf)


def fill_event(event: Tournament, report: Report, rows: Iterable[PlayerRow], *, by: User | None) -> Tournament:
    """Write players, rounds, games, byes and rules of a report without `problems` into an event without players.

    Returns the event as it is then.

    What the file says of rounds and first colour holds; other fields of the event are filled where they are empty.
    The caller holds the event inside a transaction.
    """
    said: dict[str, Any] = _empty_fields(event, report) | {
        "rounds_announced": _rounds(report, event),
        "point_system": _points(report),
    }
    if report.said.first_colour is not None:
        said["first_colour"] = report.said.first_colour.value
    event = change_tournament(event, by=by, **said)
    event.keeps_numbers, event.report_lines = True, _lines_to_keep(report)
    event.readings = dict(readings_of(report.trf))
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


def fitting(name: str, text: str) -> str:
    """A text as a field of the event holds it: cut where it is too long, without characters that do not print."""
    lengths = {field.name: field.max_length for field in Tournament._meta.fields}
    return _CONTROL.sub(" ", text).strip()[: lengths[name]]


def _rounds(report: Report, event: Tournament | None = None) -> int:
    """The number of rounds the file announces; where it does not, the event's own, or those the file speaks of."""
    announced = report.said.rounds or (event.rounds_announced if event else 1)
    return max(announced, report.rounds_needed)


def _points(report: Report) -> str:
    """What the file says results are worth, as an event keeps it."""
    return points_written(points_of_file(report.trf, report.said))


def _empty_fields(event: Tournament, report: Report) -> dict[str, Any]:
    """What the file says for fields of the event that are empty."""
    found: dict[str, Any] = {}
    for code, name in TEXTS.items():
        if not getattr(event, name) and report.trf.value(code):
            found[name] = fitting(name, report.trf.value(code))
    found |= _arbiters(event, report) | _regulations(event, report)
    days = {name: day_of(report.trf.value(code)) for code, name in DAYS.items()}
    first, last = days["starts_on"], days["ends_on"]
    if not (event.starts_on or event.ends_on) and not (first and last and last < first):
        found |= {name: day for name, day in days.items() if day}
    return found


def _arbiters(event: Tournament, report: Report) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if not event.chief_arbiter and report.trf.value("102"):
        name, number = name_and_number(report.trf.value("102"))
        found |= {"chief_arbiter": fitting("chief_arbiter", name), "chief_arbiter_fide_id": number}
    deputies = "\n".join(line for line in report.trf.values("112") if line)
    if not event.deputy_arbiters and deputies:
        found["deputy_arbiters"] = "\n".join(deputies_of(deputies))[:2000]
    return found


def _regulations(event: Tournament, report: Report) -> dict[str, Any]:
    """Tie-breaks (202, 212), where all of them are counted here, and the time control (222) where 122 is silent."""
    found: dict[str, Any] = {}
    codes = tie_breaks_said(report.trf)
    if codes and not event.tie_breaks and all(is_tie_break(code) for code in codes):
        with suppress(TieBreaksNeedUsualPoints):
            found["tie_breaks"] = [
                str(code) for code in check_tie_breaks(codes, points_of_file(report.trf, report.said))
            ]
    periods = time_control_said(report.trf)
    if periods and not event.time_control and not report.trf.value("122"):
        found["time_control"] = fitting("time_control", time_control_in_words(periods))
    return found


def _earlier_systems(report: Report, event: Tournament) -> list[dict[str, Any]]:
    """The systems that paired the first rounds, as the file says; those that nobody knows here are left out."""
    return [
        {
            "to_round": each.last,
            "system": each.system,
            "procedure": each.procedure or "",
            "had_bye": any(
                block.result is Result.PAIRING_ALLOCATED_BYE
                for _number, player in report.trf.numbered_players()
                for block in player.rounds[: each.last]
            ),
        }
        for each in earlier_systems_of(report.trf)
        if each.system in System.values and each.last < event.rounds_announced
    ]


def _lines_to_keep(report: Report) -> list[str]:
    """All lines but the players', those of byes and of readings, with a mark where the players stood."""
    if report.given:
        return [PLAYERS_STAND_HERE]
    first_player = next(number for number, _player in report.trf.numbered_players())
    records = [
        (number, record)
        for number, record in report.trf.numbered_records()
        if record.code not in LINES_OF_BYES and not states_reading(record.text) and not states_system(record.text)
    ]
    before = [record.text for number, record in records if number < first_player]
    return [*before, PLAYERS_STAND_HERE, *(record.text for number, record in records if number > first_player)]


def _save_entries(event: Tournament, report: Report, rows: Iterable[PlayerRow]) -> dict[PairingNumber, Entry]:
    tpn_of_line = {line: player.tpn for line, player in report.trf.numbered_players()}
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
            fictitious=_fictitious(report.said.fictitious.get(tpn_of_line[row.line], {})),
        )
        for row in rows
    }
    Entry.objects.bulk_create(entries.values(), batch_size=_BATCH)
    return entries


def _fictitious(by_round: Mapping[int, HalfPoints]) -> list[HalfPoints]:
    return [by_round.get(number, 0) for number in range(1, max(by_round, default=0) + 1)]


def _running_scores(event: Tournament, report: Report) -> dict[PairingNumber, list[HalfPoints]]:
    """Everyone's half points before round 1, 2, ..., and after the last round paired."""
    points = points_of(event)
    scores = {}
    for player in report.trf.players:
        running = [0]
        for number in range(1, report.rounds_paired + 1):
            result = player.round(number).result or report.byes.get((player.tpn, number), Result.ABSENT)
            running.append(running[-1] + points.of(result))
        scores[player.tpn] = running
    return scores


def _save_games(
    report: Report,
    rounds: Mapping[int, Round],
    entries: Mapping[PairingNumber, Entry],
    scores: Mapping[PairingNumber, list[HalfPoints]],
) -> None:
    """Every pairing once, on boards in the order of the scores before the round."""
    players = {player.tpn: player for player in report.trf.players}
    games: dict[int, list[tuple[tuple[int, ...], Game]]] = {number: [] for number in rounds}
    for tpn, number, block in report.blocks():
        other = block.opponent
        if other is None or not _is_whites_line(tpn, other, block.colour, players[other].round(number).colour):
            continue
        answer = players[other].round(number)
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


def _save_byes(report: Report, rounds: Mapping[int, Round], entries: Mapping[PairingNumber, Entry]) -> None:
    given, byes = set[int](), []
    for (tpn, number), result in sorted(report.byes.items(), key=lambda item: item[0]):
        is_another = result is Result.PAIRING_ALLOCATED_BYE and number in given
        if result is Result.PAIRING_ALLOCATED_BYE:
            given.add(number)
        byes.append(Bye(round=rounds[number], entry=entries[tpn], kind=_KINDS[result], beside_another=is_another))
    Bye.objects.bulk_create(byes, batch_size=_BATCH)


def _result(white: TrfRound, black: TrfRound) -> str:
    """The game's result from the two lines; the reader has seen to it that they agree."""
    if white.result is None or black.result is None:
        return Game.Result.PENDING
    return _RESULTS[white.result, black.result]


def _is_whites_line(tpn: PairingNumber, other: PairingNumber, own: Colour | None, theirs: Colour | None) -> bool:
    """Of a pairing's two lines the one with White; the smaller number's where no colours, or the same, are given."""
    if own is theirs:
        return tpn < other
    return own is Colour.WHITE or theirs is Colour.BLACK


def _save_forbidden_pairs(event: Tournament, report: Report, entries: Mapping[PairingNumber, Entry]) -> None:
    """One rule a pair; of several for one pair the widest."""
    rules: dict[tuple[int, int], ForbiddenPair] = {}
    for group in report.said.forbidden:
        for one in group.players:
            for other in group.players:
                first, second = entries[one], entries[other]
                if first.pk >= second.pk:
                    continue
                rule = rules.setdefault(
                    (first.pk, second.pk),
                    ForbiddenPair(
                        tournament=event, first=first, second=second, from_round=group.first, to_round=group.last
                    ),
                )
                rule.from_round = min(rule.from_round, group.first)
                open_end = rule.to_round is None or group.last is None
                rule.to_round = None if open_end else max(rule.to_round or 0, group.last or 0)
    ForbiddenPair.objects.bulk_create(rules.values(), batch_size=_BATCH)


def _close_rounds(
    report: Report,
    rounds: Mapping[int, Round],
    entries: Mapping[PairingNumber, Entry],
    scores: Mapping[PairingNumber, list[HalfPoints]],
) -> None:
    """Rounds with all results are finished; one still being played is published."""
    open_rounds = {number for _tpn, number, block in report.blocks() if block.opponent and block.result is None}
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
