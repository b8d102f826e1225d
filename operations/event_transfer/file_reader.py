"""Reads event files. An invalid file is refused with the position and a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.utils.translation import gettext as _
from pydantic import ValidationError

from common.file_store.upload_limits import MAX_EVENT_FILE_BYTES
from common.tabular.subprocess_reader import is_light, read_in_subprocess
from common.tabular.text_tables import UnreadableTable
from operations.event_transfer.file_format import EventFile, EventFileRound
from tournaments.problems import ArbiterProblem

_LONGEST_PLACE, _LONGEST_WORD = 120, 200


def read_event_file(data: bytes) -> EventFile:
    """Parse an event file and check its references. Raises ArbiterProblem if it is invalid.

    A file that is not light is parsed in a subprocess first: an invalid one could fill the memory.
    """
    if len(data) > MAX_EVENT_FILE_BYTES:
        raise event_file_problem("", _("it is larger than %(limit)s MB") % {"limit": MAX_EVENT_FILE_BYTES // 1024**2})
    if not is_light(data):
        try:
            problem = read_in_subprocess(f"{__name__}.find_problem", data)
        except UnreadableTable as error:
            raise event_file_problem("", _("it takes too much time or memory to read")) from error
        if problem:
            raise ArbiterProblem(problem)
    return parse_event_file(data)


def find_problem(data: bytes) -> str:
    """Return the problem with an event file, read in this process. Empty if the file is valid."""
    try:
        parse_event_file(data)
    except ArbiterProblem as problem:
        return problem.message
    return ""


def parse_event_file(data: bytes) -> EventFile:
    """Parse an event file in this process, and check its references. Raises ArbiterProblem if it is invalid."""
    if b"\\u0000" in data:
        raise event_file_problem("", _("it contains invalid characters"))
    try:
        file = EventFile.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        if first["loc"] == ("version",):
            raise ArbiterProblem(_("The file was made by a newer version of Clubnight.")) from error
        if not first["loc"] or first["loc"] == ("format",):
            raise ArbiterProblem(_("This isn't a Clubnight event file (%(why)s).") % {"why": first["msg"]}) from error
        raise event_file_problem(".".join(map(str, first["loc"])), first["msg"]) from error
    except (RecursionError, ValueError) as error:
        raise ArbiterProblem(_("This isn't a Clubnight event file (%(why)s).") % {"why": "unreadable"}) from error
    _check_places(file)
    return file


def event_file_problem(place: str, why: str) -> ArbiterProblem:
    """Return the error for a problem in a file, with its place if known."""
    if not place:
        return ArbiterProblem(_("We couldn't import the file: %(why)s.") % {"why": why[:_LONGEST_WORD]})
    return ArbiterProblem(
        _("We couldn't import the file. Problem at %(place)s: %(why)s.")
        % {"place": place[:_LONGEST_PLACE], "why": why[:_LONGEST_WORD]}
    )


def _check_places(file: EventFile) -> None:
    """Raise ArbiterProblem if a position refers to something that is not in the file."""
    has_player, has_person, has_line = (_within(len(each)) for each in (file.players, file.people, file.log))
    numbers = [each.number for each in file.rounds]
    _all(numbers == list(range(1, len(numbers) + 1)), "rounds", "1, 2, 3, ...")
    _all(file.event.rounds_announced == len(numbers), "event.rounds_announced", str(len(numbers)))
    for number, line in enumerate(file.log):
        where = f"log.{number}"
        _all(has_person(line.by) and has_line(line.erasure), where, _("it refers to something that isn't in the file"))
        _all(
            line.round is None or line.round <= len(numbers), where, _("it refers to something that isn't in the file")
        )
    for number, pair in enumerate(file.kept_apart):
        fine = has_player(pair.first) and has_player(pair.second) and pair.first < pair.second
        _all(fine, f"kept_apart.{number}", _("it refers to something that isn't in the file"))
    sent = (each.player for each in file.online_entries)
    _all(all(map(has_player, sent)), "online_entries", _("it refers to something that isn't in the file"))
    numbered = (int(place) for each in file.event.earlier_numbers for place in each.numbers)
    _all(all(map(has_player, numbered)), "event.earlier_numbers", _("it refers to something that isn't in the file"))
    for number, each in enumerate(file.rounds):
        fine = all(map(has_player, _players_of(each))) and all(map(has_person, _people_of(each)))
        lines = [board.correction for board in each.boards] + [trial.correction for trial in each.trials]
        lines.append(each.decision)
        boards = {board.board for board in each.boards}
        named = {claim.board for claim in each.claims} | {reading.board for reading in each.second_readings}
        fine = fine and all(map(has_line, lines)) and named <= boards
        _all(fine, f"rounds.{number}", _("it refers to something that isn't in the file"))
        _check_once(file, each, f"rounds.{number}")


def _check_once(file: EventFile, each: EventFileRound, where: str) -> None:
    """Raise ArbiterProblem if a board number or a player appears twice in a round."""
    boards: set[int] = set()
    players: set[int] = set()
    for place, board in enumerate(each.boards):
        at = f"{where}.boards.{place}"
        _all(board.board not in boards, at, f"board {board.board} is there more than once in round {each.number}")
        boards.add(board.board)
        for player in (board.white, board.black):
            _all(player not in players, at, _more_than_once(file, player, each))
            players.add(player)
    for place, bye in enumerate(each.byes):
        _all(bye.player not in players, f"{where}.byes.{place}", _more_than_once(file, bye.player, each))
        players.add(bye.player)


def _more_than_once(file: EventFile, player: int, each: EventFileRound) -> str:
    """Describe a player who appears twice, in the words of the doctor."""
    return f"{file.players[player - 1].name} (player {player}) is more than once in round {each.number}"


def _within(count: int) -> Callable[[int | None], bool]:
    return lambda place: place is None or 1 <= place <= count


def _all(holds: bool, place: str, why: str) -> None:
    if not holds:
        raise event_file_problem(place, why)


def _players_of(each: EventFileRound) -> Iterable[int]:
    yield from map(int, each.scores)
    for board in each.boards:
        yield from (board.white, board.black)
    yield from (bye.player for bye in each.byes)
    yield from (seen.player for seen in each.door)
    yield from (claim.player for claim in each.claims)
    for state in (*each.steps, *each.restore_points):
        yield from (*map(int, state.scores), *map(int, state.numbers), *state.unpaired)
        yield from (bye.entry for bye in state.byes)
        for seats in state.boards:
            yield from (seats.white, seats.black)
    for trial in each.trials:
        yield from (*map(int, trial.scores), *trial.absent, *trial.present)
        if trial.bye is not None:
            yield trial.bye.entry
        for seats in trial.boards:
            yield from (seats.white, seats.black)


def _people_of(each: EventFileRound) -> Iterable[int | None]:
    yield from (board.entered_by for board in each.boards)
    yield from (seen.by for seen in each.door)
    yield from (again.by for again in each.second_readings)
    yield from (state.by for state in (*each.steps, *each.restore_points))
    yield from (trial.by for trial in each.trials)
