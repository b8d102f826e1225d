"""Run by the Python of the other programs: read report files with each program and print the results.

Paths come as lines of standard input; each is answered with one line of JSON: for every program the players, the games
with two players and a mark of all that they are, or the sentence with which it refused the file. It imports nothing of
this project.
"""

import contextlib
import hashlib
import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path


def gacrux(path: str) -> list[object]:
    """Gacrux, the reference of FIDE's Technical Commission."""
    from gacrux.trf2json import trf2json

    reader = trf2json()
    reader.parse_file(Path(path).read_text(encoding="utf-8-sig"), False)
    status = reader.chessjson["status"]
    if status["code"]:
        raise ValueError(str(status["error"]))
    event = reader.chessjson["event"]["tournaments"][0]
    games = [
        (game["round"], side(game["white"]), side(game["black"]), game["played"], game["rated"])
        for game in event["gameList"]
    ]
    return found(len(event["competitors"]), sum(bool(white and black) for _round, white, black, *_ in games), games)


def side(player: dict[str, object] | None) -> object:
    """A player's number and result."""
    return player and (player["cid"], player["result"])


def py4swiss(path: str) -> list[object]:
    """py4swiss."""
    from py4swiss.trf import TrfParser

    players = TrfParser.parse(Path(path)).player_sections
    games = [
        (player.starting_number, number, result.id, str(result.color), str(result.result))
        for player in players
        for number, result in enumerate(player.results, start=1)
        if result.id or "ZERO" not in str(result.result).upper()
    ]
    return found(len(players), sum(bool(opponent) for _player, _round, opponent, *_ in games) // 2, games)


def found(players: int, games: int, everything: Iterable[object]) -> list[object]:
    """The result for a file."""
    return [players, games, hashlib.sha256("\n".join(sorted(map(str, everything))).encode()).hexdigest()[:12]]


if __name__ == "__main__":
    for line in sys.stdin:
        told: dict[str, object] = {}
        for program in (gacrux, py4swiss):
            quiet = io.StringIO()
            try:
                with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
                    told[program.__name__] = program(line.strip())
            except Exception as error:  # whatever another program raises for a file is its answer
                told[program.__name__] = f"{type(error).__name__}: {error}"[:200]
        print(json.dumps(told), flush=True)
