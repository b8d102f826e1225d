"""Run by the Python of `lab.peers`: let caissify-pairings pair the next round of a report file.

Its own command takes no report files but to check them, so the round to be paired is asked of what its checker uses.
"""

import sys
from pathlib import Path

from caissify_pairings import fpc
from caissify_pairings.engines.dutch import DutchEngine
from caissify_pairings.trf import TRFParser


def main() -> None:
    parsed = TRFParser(Path(sys.argv[1]).read_text(encoding="utf-8")).parse()
    players = {player["starting_number"]: player for player in parsed["players"]}
    played = [number for one in players.values() for number, record in one["results"].items() if record.get("opponent")]
    number = max(played, default=0) + 1
    for player in players.values():
        # The checker treats every player with a record of the round as present.
        player["results"].setdefault(number, {"opponent": 0, "result": "=", "color": "w"})
    engine = DutchEngine(
        players=fpc._build_engine_players(players, number),
        previous_pairings=fpc._build_previous_pairings(players, number),
        round_number=number,
        total_rounds=parsed["tournament"].get("total_rounds") or number,
        initial_color=fpc._infer_initial_color(players),
    )
    pairs = fpc._normalise_engine_output(engine.generate_pairings())
    print(len(pairs))
    for pair in pairs:
        print(pair["white"], pair.get("black") or 0)


main()
