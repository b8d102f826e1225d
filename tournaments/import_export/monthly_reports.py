"""Monthly reports of events of more than 30 days: the rounds in each report, and the report itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from pairing.engine.snapshot import HalfPoints, Result, points_by_result
from pairing.engine.trf import TrfPlayer, TrfRecord, write_trf
from pairing.engine.trf.model import BLANK_ROUND, BLOCK_WIDTH, FIRST_BLOCK
from tournaments.club_ratings.rating_calculation import known_round_dates, rating_months_of_rounds
from tournaments.import_export.snapshots import point_system_of_event
from tournaments.import_export.trf_export import build_trf_file
from tournaments.models import Round, Tournament

_OF_THE_WHOLE = (
    *("012", "022", "032", "062", "072", "082", "092", "102", "112", "122", "222"),
    *("XXR", "142", "XXS", "162"),
)
"""Lines that a month's report copies from the whole file.

It leaves out dates and pairing systems, which differ, and tie-breaks, since it doesn't use them for places. Points for
results (XXS, 162) stay, because they made its scores.
"""


def reportable_rounds_by_month(event: Tournament, rounds: Iterable[Round]) -> dict[date, tuple[int, ...]]:
    """Return the months in `rounds_by_report_month` with at least one published round."""
    rounds = list(rounds)
    published = {each.number for each in rounds if each.is_public}
    return {
        month: numbers for month, numbers in rounds_by_report_month(event, rounds).items() if published & {*numbers}
    }


def rounds_by_report_month(event: Tournament, rounds: Iterable[Round]) -> dict[date, tuple[int, ...]]:
    """Return the rounds reported in each month. Empty for an event reported as a whole at its end."""
    rounds = list(rounds)
    months = rating_months_of_rounds(event, rounds)
    parts: dict[date, list[int]] = defaultdict(list)
    for each in rounds:
        parts[months[each.pk][0]].append(each.number)
    return {month: tuple(sorted(parts[month])) for month in sorted(parts)} if len(parts) > 1 else {}


def export_month_trf(event: Tournament, month: date) -> bytes | None:
    """Return the TRF16 report of one month's published rounds, or None if there are none.

    Its rounds count from 1, and its points are from these rounds only. It names no pairing system, because nobody
    should pair further rounds from it.
    """
    rounds = list(event.rounds.order_by("number"))
    numbers = rounds_by_report_month(event, rounds).get(month, ())
    part = [each for each in rounds if each.is_public and each.number in numbers]
    if not part:
        return None
    whole = build_trf_file(event, with_coming_byes=False)
    worth = points_by_result(point_system_of_event(event))
    players = [_in_part(player, [each.number for each in part], worth) for player in whole.players]
    places = {player.tpn: place for place, player in enumerate(sorted(players, key=_by_points), start=1)}
    days = known_round_dates(event, part)
    first = days.get(part[0].number) or max(month, event.starts_on or month)
    last = days.get(part[-1].number) or min(_last_of(month), event.ends_on or _last_of(month))
    lines = [line for line in whole.lines if isinstance(line, TrfRecord) and line.line_code in _OF_THE_WHOLE]
    lines += [TrfRecord(text=f"042 {first:%Y/%m/%d}"), TrfRecord(text=f"052 {last:%Y/%m/%d}")]
    if days:
        dates = (f"{days[each.number]:%y/%m/%d}" if each.number in days else "" for each in part)
        blocks = "".join(f"{day:<{BLOCK_WIDTH}}" for day in dates)
        lines.append(TrfRecord(text="132".ljust(FIRST_BLOCK + 1) + blocks.rstrip()))
    lines.sort(key=lambda line: line.line_code)
    ranked = (replace(player, rank=places[player.tpn]) for player in players)
    return write_trf(replace(whole, lines=(*lines, *ranked)))


def _in_part(player: TrfPlayer, rounds: list[int], worth: Mapping[Result, HalfPoints]) -> TrfPlayer:
    blocks = tuple(player.rounds[number - 1] if number <= len(player.rounds) else BLANK_ROUND for number in rounds)
    half_points = sum(worth[block.result] for block in blocks if block.result is not None)
    return replace(player, rounds=blocks, points=Decimal(half_points) / 2)


def _by_points(player: TrfPlayer) -> tuple[Decimal, int]:
    return -(player.points or Decimal(0)), player.tpn


def _last_of(month: date) -> date:
    return (month + timedelta(days=31)).replace(day=1) - timedelta(days=1)
