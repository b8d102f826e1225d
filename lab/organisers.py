"""Compare our standings with those that organisers published: `python -m lab.organisers FOLDER...`.

A folder has events as Vega writes them for a website, each in a subfolder: `standings.html` or `standing.html`,
`crosstable.html` or, for a round robin, `sortedcrosstable.html`, and `tourstat.html`. Or it has tables of other
programs (`published_tables`). They are read here with code that shares nothing with Clubnight's readers. Players are
ranked by the tie-breaks that the organiser states, and places, points and values are compared. If a file doesn't name
them, those are taken that most values agree with. Where places or values differ, other rules for unplayed rounds are
tried. Prints Markdown.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import permutations
from pathlib import Path

from lab.exports import programs_python
from lab.figures import table
from lab.published_tables import read_published_events
from lab.vega_pages import BY_COLOUR, NotComparable, Published, points_in_halves, read_vega_event
from pairing.engine.snapshot import Colour, Result
from pairing.engine.standings import TieBreakEdition, rank_players
from pairing.engine.trf import TrfFile, TrfPlayer, TrfRecord, TrfRound, snapshot_from_trf, write_trf

HALF, CENT = Decimal("0.5"), Decimal("0.01")
BY_HAND = {"DE", "BH", "BH/C1", "BH/C2", "SB", "SOB"}
"""The tie-breaks of Swiss events that other rules are tried for."""
UNNAMED = {"dutch-2026": ("BH", "BH/C1", "BH/C2", "SB"), "round-robin": ("SB", "WIN", "WON", "KS")}
"""The tie-breaks that a column without a name may be."""
Standing = tuple[int, Decimal, tuple[Decimal | None, ...]]
"""A place, the points, and the values of the tie-breaks."""


@dataclass(slots=True)
class Comparison:
    """The result for one event. A place agrees if the published one is among those of the players tied with us.

    `explained_by` names other rules that give the published places and values. `reference` counts the places, points
    and values in which Gacrux, the reference of FIDE's Technical Commission, agrees with us.
    """

    event: Published
    edition: str
    places: int = 0
    values: int = 0
    values_compared: int = 0
    wrong: list[str] = field(default_factory=list)
    explained_by: str = ""
    explained_values: int = 0
    reference: str = ""


def main(arguments: list[str] | None = None) -> int:
    """Compare the events and print; 1 if a place differs."""
    parser = argparse.ArgumentParser(prog="python -m lab.organisers", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--details", action="store_true", help="print every difference")
    parser.add_argument("--gacrux", action="store_true", help="ask Gacrux too (installed from PyPI in var/exports)")
    options = parser.parse_args(arguments)
    found, left = [], []
    for folder in options.folders:
        for stats in sorted(folder.rglob("tourstat.html")):
            try:
                found.append(compare(read_vega_event(stats.parent, source=folder.name)))
            except NotComparable as reason:
                left.append(f"{stats.parent.relative_to(folder.parent)}: {reason}")
        for event in read_published_events(folder, source=folder.name):
            if isinstance(event, str):
                left.append(event)
            elif event.games not in [other.event.games for other in found]:
                found.append(compare(event))
    if options.gacrux:
        with tempfile.TemporaryDirectory() as kept:
            for each in found:
                each.reference = _told_by_gacrux(each.event, Path(kept))
    print(_tables(found, left, with_details=options.details))
    return 1 if any(each.places < len(each.event.rows) for each in found) else 0


def compare(event: Published) -> Comparison:
    """Rank the players of an event by its organiser's tie-breaks, and compare places, points and values."""
    if "" in event.tie_breaks:
        return max(map(compare, _with_names(event)), key=lambda each: each.explained_values)
    edition = TieBreakEdition.edition_for_date(event.begins.isoformat() if event.begins else "")
    ours = _compared(event, _standings(event, edition), edition.value[:4])
    ours.explained_values = ours.values
    if not ours.wrong:
        return ours
    others: dict[str, dict[int, Standing]] = {}
    if edition is not TieBreakEdition.AUGUST_2024:
        others["the edition of 2024"] = _standings(event, TieBreakEdition.AUGUST_2024)
    if event.system == "round-robin":
        if any(_base(code) == "SB" for code in event.tie_breaks):
            others["a forfeit counts with the player's own points"] = _forfeits_by_hand(event, edition)
        others["the games of a player who left count"] = (
            _round_robin_by_hand(event)
            if set(event.tie_breaks) <= {"SB", "ARO"}
            else _standings(replace(event, system="dutch-2026"), edition)
        )
    elif {_base(code) for code in event.tie_breaks} <= BY_HAND and "DE" not in event.tie_breaks[1:]:
        others |= {rules.name: _swiss_by_hand(event, rules) for rules in OTHER_RULES}
    tried = [_compared(event, standings, name) for name, standings in others.items()]
    best = max(tried, key=lambda each: each.places + each.values, default=ours)
    if best.places + best.values > ours.places + ours.values:
        ours.explained_by = best.edition
        ours.explained_values = best.values
        if best.wrong:
            ours.explained_by += f" (all but {len(best.wrong)})"
    return ours


def _with_names(event: Published) -> Iterator[Published]:
    """Yield the event with every choice of tie-breaks for the columns without a name."""
    unnamed = [place for place, code in enumerate(event.tie_breaks) if not code]
    for chosen in permutations(UNNAMED[event.system], len(unnamed)):
        names = dict(zip(unnamed, chosen, strict=True))
        yield replace(event, tie_breaks=tuple(code or names[place] for place, code in enumerate(event.tie_breaks)))


def _base(code: str) -> str:
    """Return a code without its edition."""
    return code.partition("/V")[0]


def _standings(event: Published, edition: TieBreakEdition) -> dict[int, Standing]:
    """Our own standings."""
    players = tuple(
        TrfPlayer(tpn=tpn, name=str(tpn), rating=event.ratings.get(tpn, 0), rounds=tuple(rounds))
        for tpn, rounds in sorted(event.games.items())
    )
    trf = TrfFile(lines=(TrfRecord(text=f"XXR {event.rounds}"), *players))
    rows = rank_players(snapshot_from_trf(trf, system=event.system), event.tie_breaks, edition=edition)
    return {row.tpn: (row.rank, Decimal(row.points) / 2, tuple(value.number for value in row.values)) for row in rows}


def _compared(event: Published, standings: Mapping[int, Standing], edition: str) -> Comparison:
    tied = Counter(rank for rank, _points, _values in standings.values())
    result = Comparison(event=event, edition=edition)
    for row in event.rows:
        rank, points, values = standings[row.tpn]
        if rank <= row.place < rank + tied[rank]:
            result.places += 1
        else:
            result.wrong.append(f"player {row.tpn}: place {row.place}, ours {rank}")
        columns = (("points", row.points, points), *zip(event.tie_breaks, row.values, values, strict=True))
        for code, theirs, value in columns:
            if theirs is None or value is None:
                continue
            result.values_compared += 1
            if _is_equal(theirs, value):
                result.values += 1
            else:
                result.wrong.append(f"player {row.tpn}: {code} {theirs}, ours {value}")
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherRules:
    """Rules for unplayed rounds that Clubnight doesn't have: C.07 of 2024 but for what a field says.

    - `is_before_2023`: each counts as a draw for the opponents, and its player met a virtual opponent
    - `ends_at_forfeit`: byes before a lost forfeit keep their points
    - `leaves_out_byes`: no term for a pairing-allocated bye in Sonneborn-Berger
    """

    name: str
    is_before_2023: bool = False
    ends_at_forfeit: bool = False
    leaves_out_byes: bool = False


OTHER_RULES = (
    OtherRules(name="byes before a lost forfeit keep their points", ends_at_forfeit=True),
    OtherRules(name="2024, and pairing-allocated byes left out of SB", leaves_out_byes=True),
    OtherRules(name="the virtual opponent of before 2023", is_before_2023=True),
)


def _swiss_by_hand(event: Published, rules: OtherRules) -> dict[int, Standing]:
    """The standings by other rules, for BH, BH/C1 and SB."""
    points = {tpn: Decimal(sum(map(points_in_halves, rounds))) / 2 for tpn, rounds in event.games.items()}
    counted = {
        tpn: sum((Decimal(points_in_halves(each)) / 2 if _is_played(each) else HALF for each in rounds), Decimal(0))
        if rules.is_before_2023
        else points[tpn] + _last_byes(rounds, rules)
        for tpn, rounds in event.games.items()
    }
    # The direct encounter comes first, so it only depends on the games.
    direct = _standings(replace(event, tie_breaks=("DE",)), TieBreakEdition.MARCH_2026)
    columns = {}
    for tpn, rounds in event.games.items():
        terms, shares, before = [], [], Decimal(0)
        for number, each in enumerate(rounds, start=1):
            own = Decimal(points_in_halves(each)) / 2
            if _is_played(each) and each.opponent:
                term = counted[each.opponent]
            elif rules.is_before_2023:
                term = before + (1 - own) + HALF * (event.rounds - number)
            else:
                term = points[tpn]
            terms.append((term, not rules.is_before_2023 and _is_voluntary(each)))
            if not (rules.leaves_out_byes and each.result is Result.PAIRING_ALLOCATED_BYE):
                shares.append(term * own)
            before += own
        total = sum((term for term, _is_cut_first in terms), Decimal(0))
        columns[tpn] = {"BH": total, "BH/C1": total - _cut(terms), "SB": sum(shares, Decimal(0))}
        columns[tpn]["BH/C2"] = total - sum(sorted(term for term, _is_cut_first in terms)[:2])
        columns[tpn]["DE"] = direct[tpn][2][0] or Decimal(0)
    for tpn, rounds in event.games.items():
        columns[tpn]["SOB"] = sum((columns[each.opponent]["BH"] for each in rounds if each.opponent), Decimal(0))
    return _ranked(event, points, columns)


def _round_robin_by_hand(event: Published) -> dict[int, Standing]:
    """The standings of a round robin in which every game counts, for SB and ARO. Forfeits are games for SB."""
    points = {tpn: Decimal(sum(map(points_in_halves, rounds))) / 2 for tpn, rounds in event.games.items()}
    columns = {}
    for tpn, rounds in event.games.items():
        met = [(each.opponent, each) for each in rounds if each.opponent]
        ratings = [event.ratings[other] for other, each in met if _is_played(each)]
        columns[tpn] = {
            "SB": sum((points[other] * points_in_halves(each) / 2 for other, each in met), Decimal(0)),
            "ARO": Decimal(round(sum(ratings) / len(ratings))),
        }
    return _ranked(event, points, columns)


def _forfeits_by_hand(event: Published, edition: TieBreakEdition) -> dict[int, Standing]:
    """Our standings, but in Sonneborn-Berger a game won by forfeit counts with the player's own points."""
    ours = _standings(event, edition)
    columns: dict[int, dict[str, Decimal]] = {}
    for tpn, rounds in event.games.items():
        columns[tpn] = {
            _base(code): value or Decimal(0) for code, value in zip(event.tie_breaks, ours[tpn][2], strict=True)
        }
        columns[tpn]["SB"] = sum(
            (
                ours[each.opponent if each.opponent and _is_played(each) else tpn][1] * points_in_halves(each) / 2
                for each in rounds
            ),
            Decimal(0),
        )
    return _ranked(event, {tpn: points for tpn, (_rank, points, _values) in ours.items()}, columns)


def _ranked(
    event: Published, points: Mapping[int, Decimal], columns: Mapping[int, Mapping[str, Decimal]]
) -> dict[int, Standing]:
    codes = [_base(code) for code in event.tie_breaks]
    values = {tpn: tuple(columns[tpn][code] for code in codes) for tpn in columns}
    # Of the direct encounter, our value is a place.
    keys = {
        tpn: (points[tpn], *(-columns[tpn][code] if code == "DE" else columns[tpn][code] for code in codes))
        for tpn in columns
    }
    return {
        tpn: (1 + sum(other > key for other in keys.values()), points[tpn], values[tpn]) for tpn, key in keys.items()
    }


def _is_played(block: TrfRound) -> bool:
    return block.result in (Result.WIN, Result.DRAW, Result.LOSS)


def _is_voluntary(block: TrfRound) -> bool:
    return not _is_played(block) and block.result not in (Result.FORFEIT_WIN, Result.PAIRING_ALLOCATED_BYE)


def _last_byes(rounds: Sequence[TrfRound], rules: OtherRules) -> Decimal:
    """What the requested byes at the end are worth to the opponents, beyond their points."""
    more = Decimal(0)
    for each in reversed(rounds):
        if not _is_voluntary(each) or (rules.ends_at_forfeit and each.result is Result.FORFEIT_LOSS):
            break
        if each.result is not Result.FORFEIT_LOSS:
            more += HALF - Decimal(points_in_halves(each)) / 2
    return more


def _cut(terms: Sequence[tuple[Decimal, bool]]) -> Decimal:
    """The value cut: that of a voluntary unplayed round if it is not above the lowest, else the lowest."""
    lowest = min(term for term, _is_cut_first in terms)
    voluntary = [term for term, is_cut_first in terms if is_cut_first]
    return max(min(voluntary), lowest) if voluntary else lowest


def _told_by_gacrux(event: Published, folder: Path) -> str:
    """How much of our standings Gacrux gives too: `48 of 48`, or its refusal."""
    if "SOB" in event.tie_breaks:
        return "doesn't know SOB"
    codes = tuple(code for code in event.tie_breaks if code not in BY_COLOUR)
    event = replace(
        event,
        tie_breaks=codes,
        rows=[
            replace(
                row,
                values=tuple(value for code, value in zip(event.tie_breaks, row.values, strict=True) if code in codes),
            )
            for row in event.rows
        ],
    )
    path = folder / "event.trf"
    path.write_bytes(write_trf(_report(event)))
    command = [str(programs_python()), "-m", "gacrux.tiebreakchecker", "-i", str(path), "-o", "-", "-dT"]
    command += [*(["-p"] if event.system == "round-robin" else ["-s"]), "-t", "PTS", *codes]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    if not lines or not lines[0].startswith("StartNo"):
        return f"refused: {' '.join(lines)[:80]}"
    ours = _standings(event, TieBreakEdition.edition_for_date(event.begins.isoformat() if event.begins else ""))
    alike = compared = 0
    for line in lines[1:]:
        tpn, *theirs = line.split("\t")
        rank, points, values = ours[int(tpn)]
        for told, own in zip(theirs, (Decimal(rank), points, *values), strict=True):
            compared += own is not None
            alike += own is not None and re.fullmatch(r"[0-9.]+", told) is not None and abs(Decimal(told) - own) < CENT
    return f"{alike} of {compared}"


def _report(event: Published) -> TrfFile:
    """The event as a report file, without names. Colours of forfeits are made up, which Gacrux expects."""
    players = []
    for row in event.rows:
        rounds = tuple(
            replace(each, colour=Colour.WHITE if row.tpn < each.opponent else Colour.BLACK)
            if each.opponent and each.colour is None
            else each
            for each in event.games[row.tpn]
        )
        rating = event.ratings.get(row.tpn, 0)
        name = f"Player {row.tpn}"
        players.append(
            TrfPlayer(tpn=row.tpn, name=name, rating=rating, points=row.points, rank=row.place, rounds=rounds)
        )
    day = [f"042 {event.begins:%Y/%m/%d}"] if event.begins else []
    lines = ("012 Event", *day, f"062 {len(players)}", f"142 {event.rounds}", "152 W")
    return TrfFile(lines=(*(TrfRecord(text=line) for line in lines), *sorted(players, key=lambda each: each.tpn)))


def _is_equal(theirs: Decimal, ours: Decimal) -> bool:
    """Equal as far as the organiser prints decimals."""
    exponent = theirs.as_tuple().exponent
    return abs(theirs - ours) <= Decimal(5).scaleb(int(exponent) - 1)


def _tables(found: Sequence[Comparison], left: Sequence[str], *, with_details: bool) -> str:
    rows = [
        [
            each.event.name,
            each.event.source,
            str(each.event.begins or ""),
            "round robin" if each.event.system == "round-robin" else "Swiss",
            str(len(each.event.rows)),
            str(each.event.rounds),
            ", ".join(each.event.tie_breaks),
            f"{each.places} of {len(each.event.rows)}",
            f"{each.values} of {each.values_compared}",
            each.reference,
            each.explained_by,
        ]
        for each in found
    ]
    head = [
        "event",
        "source",
        "begins",
        "system",
        "players",
        "rounds",
        "tie-breaks",
        "places",
        "values",
        "Gacrux",
        "explained by",
    ]
    lines = [table(head, rows), "", *_sums(found)]
    lines += [f"- not compared: {each}" for each in left]
    if with_details:
        lines += [
            f"- {each.event.name}{' (several full byes)' if each.event.is_ambiguous else ''}: {wrong}"
            for each in found
            for wrong in each.wrong
        ]
    return "\n".join(lines)


def _sums(found: Sequence[Comparison]) -> Iterator[str]:
    whole = sum(each.places == len(each.event.rows) for each in found)
    yield (
        f"{len(found)} events, {whole} of them with every place alike; {sum(each.places for each in found)} of "
        f"{sum(len(each.event.rows) for each in found)} places, {sum(each.values for each in found)} of "
        f"{sum(each.values_compared for each in found)} values."
    )


if __name__ == "__main__":
    sys.exit(main())
