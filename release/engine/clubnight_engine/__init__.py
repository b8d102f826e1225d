"""Pairs chess tournaments by documented systems, and explains every pairing. It needs Python and nothing else.

The names listed in `__all__` are the stable interface: within a major version they keep their meaning. Other modules
may change with every release. All points are whole numbers of half points: 3 is one and a half.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from clubnight_engine.paired_round import (
    DecisionCause,
    PairedBye,
    PairedGame,
    PairedRound,
    PairingImpossible,
    PairingReason,
    ReasonKind,
)
from clubnight_engine.snapshot import (
    Colour,
    InvalidSnapshot,
    PairingCard,
    PairingNumber,
    PointSystem,
    Result,
    RoundRecord,
    TournamentSnapshot,
)
from clubnight_engine.translation import LANGUAGES

if TYPE_CHECKING:
    from clubnight_engine.explained import ExplainedReason, Explanation
    from clubnight_engine.legality import RuleBreach
    from clubnight_engine.pairing_checker import RoundCheck, RoundVerdict
    from clubnight_engine.simulator import SimulationPlan
    from clubnight_engine.standings import (
        PlayerStanding,
        TieBreaksNeedStandardPoints,
        TieBreakValue,
        UnknownTieBreak,
    )
    from clubnight_engine.trf import TeamEventError, TrfError, TrfFile, TrfHeader, TrfWarning

__all__ = [
    "LANGUAGES",
    "RESULTS",
    "SYSTEMS",
    "Colour",
    "DecisionCause",
    "ExplainedReason",
    "Explanation",
    "InvalidSnapshot",
    "PairedBye",
    "PairedGame",
    "PairedRound",
    "PairingCard",
    "PairingImpossible",
    "PairingNumber",
    "PairingReason",
    "PlayerStanding",
    "PointSystem",
    "ReasonKind",
    "Result",
    "RoundCheck",
    "RoundRecord",
    "RoundVerdict",
    "RuleBreach",
    "SimulationPlan",
    "TeamEventError",
    "TieBreakValue",
    "TieBreaksNeedStandardPoints",
    "TournamentSnapshot",
    "TrfError",
    "TrfFile",
    "TrfHeader",
    "TrfWarning",
    "UnknownTieBreak",
    "before_round",
    "check",
    "explain",
    "explain_failure",
    "generate",
    "pair",
    "rank",
    "read_trf",
    "record_results",
    "snapshot_from_trf",
    "usual_tie_breaks",
    "write_trf",
]

SYSTEMS = ("dubov-1997", "dutch-1992", "dutch-2026", "fide-1989", "jahr", "keizer", "round-robin")

RESULTS: Mapping[str, tuple[Result, Result]] = {
    "1-0": (Result.WIN, Result.LOSS),
    "1/2-1/2": (Result.DRAW, Result.DRAW),
    "0-1": (Result.LOSS, Result.WIN),
    "0-0": (Result.LOSS, Result.LOSS),
    "+:-": (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
    "-:+": (Result.FORFEIT_LOSS, Result.FORFEIT_WIN),
    "-:-": (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),
    "*": (Result.ADJOURNED, Result.ADJOURNED),
}
"""Results of boards in text, White's first. A colon marks a forfeit, `*` a game that is not finished."""

_FROM = {
    "explained": ("ExplainedReason", "Explanation"),
    "legality": ("RuleBreach",),
    "pairing_checker": ("RoundCheck", "RoundVerdict"),
    "simulator": ("SimulationPlan",),
    "standings": ("PlayerStanding", "TieBreakValue", "TieBreaksNeedStandardPoints", "UnknownTieBreak"),
    "trf": ("TeamEventError", "TrfError", "TrfFile", "TrfHeader", "TrfWarning"),
}
"""Imported when first used: pairing a snapshot needs none of them."""


def pair(event: TournamentSnapshot) -> PairedRound:
    """Pair the event's next round under its system, and give the reasons for every board as data.

    Raises PairingImpossible if no legal round exists, InvalidSnapshot if the event contradicts itself or is over.
    """
    event = _checked(event)
    if event.rounds_announced is not None and event.rounds_paired >= event.rounds_announced:
        raise InvalidSnapshot(f"all {event.rounds_announced} rounds are paired. For another, change `rounds_announced`")
    return _pair(event)


def _checked(event: TournamentSnapshot) -> TournamentSnapshot:
    """Return the event with the points that its system fixes, whatever the event says of them.

    Raises InvalidSnapshot if a field has the wrong type, or the event contradicts itself.
    """
    from dataclasses import replace

    from clubnight_engine.input_checks import check_event
    from clubnight_engine.point_systems import points_in_system

    check_event(event, SYSTEMS)
    event.check_consistency()
    return replace(event, points=points_in_system(event.points, event.system))


def _pair(event: TournamentSnapshot) -> PairedRound:
    from clubnight_engine.systems import PAIRING_SYSTEMS

    event.check_consistency()
    return PAIRING_SYSTEMS[event.system](event)


def explain(paired: PairedRound, event: TournamentSnapshot, *, language: str = "en") -> tuple[Explanation, ...]:
    """Explain every board, and the bye, in one of LANGUAGES.

    Raises InvalidSnapshot unless `event` is the snapshot that was paired, ValueError for another language.
    """
    from clubnight_engine.explained import ExplainedReason, Explanation
    from clubnight_engine.explanations.articles import article_text
    from clubnight_engine.explanations.reason_sentences import reason_sentence
    from clubnight_engine.explanations.summary_sentences import summary_text
    from clubnight_engine.input_checks import check_round_belongs, check_scores
    from clubnight_engine.translation import use_language

    event = _checked(event)
    check_round_belongs(paired, event)
    check_scores(paired, event)
    names = {card.tpn: card.name or str(card.tpn) for card in event.cards}

    def explanation(
        board: int, white: PairingNumber, black: PairingNumber | None, reasons: Sequence[PairingReason]
    ) -> Explanation:
        explained = tuple(
            ExplainedReason(
                article=reason.article,
                sentence=reason_sentence(reason, names),
                article_text=article_text(reason.article),
            )
            for reason in reasons
        )
        summary = summary_text(reasons, names)
        return Explanation(board=board, white=white, black=black, summary=summary, reasons=explained)

    with use_language(language):
        boards = [explanation(game.board, game.white, game.black, game.reasons) for game in paired.games]
        if paired.bye:
            boards.append(explanation(0, paired.bye.player, None, paired.bye.reasons))
    return tuple(boards)


def explain_failure(
    error: PairingImpossible, event: TournamentSnapshot, *, language: str = "en"
) -> tuple[ExplainedReason, ...]:
    """Explain why `pair` found no legal round, in one of LANGUAGES: first who can't be paired, then each cause."""
    from clubnight_engine.explained import ExplainedReason
    from clubnight_engine.explanations.articles import article_text
    from clubnight_engine.explanations.relaxations import impossible_cause_sentence, no_legal_pairing_text
    from clubnight_engine.translation import use_language

    event = _checked(event)
    names = {card.tpn: card.name or str(card.tpn) for card in event.cards}
    if unknown := {tpn for reason in error.causes for tpn in reason.players} - names.keys():
        raise InvalidSnapshot(f"the error is of another event: player {min(unknown)} is not on the starting list")
    with use_language(language):
        first = ExplainedReason(article="", sentence=no_legal_pairing_text(error, names), article_text="")
        causes = (
            ExplainedReason(
                article=cause.article,
                sentence=impossible_cause_sentence(cause, names),
                article_text=article_text(cause.article),
            )
            for cause in error.causes
            # The first sentence names these already.
            if cause.players != error.players
        )
        return (first, *causes)


def record_results(
    event: TournamentSnapshot, paired: PairedRound, results: Mapping[int, str | tuple[Result, Result]]
) -> TournamentSnapshot:
    """Return the event before its next round. `results` are by board: texts from RESULTS, such as "1-0", or Results.

    Every card's `unavailable` is for one round: it becomes the player's record, and is None afterwards.

    Raises InvalidSnapshot if a board has no result or an impossible one, or if `paired` is not a pairing of the event's
    next round.
    """
    from clubnight_engine.input_checks import check_results, check_round_belongs
    from clubnight_engine.rules.snapshot_after import snapshot_after_round

    event = _checked(event)
    check_round_belongs(paired, event)
    check_results(results, paired, RESULTS)
    read = {board: RESULTS[each] if isinstance(each, str) else each for board, each in results.items()}
    return snapshot_after_round(event, paired, read)


def rank(event: TournamentSnapshot, tie_breaks: str | Iterable[str] | None = None) -> tuple[PlayerStanding, ...]:
    """Rank all players by points, then by tie-breaks: codes, or a text such as "BH/C1,BH".

    The default is `usual_tie_breaks`. Each place has one value for each tie-break, in their order.

    Raises UnknownTieBreak for a code that does not exist, TieBreaksNeedStandardPoints for one that does not support the
    event's points.
    """
    from clubnight_engine.standings import rank_players

    event = _checked(event)
    if tie_breaks is None:
        tie_breaks = usual_tie_breaks(event.system)
    elif isinstance(tie_breaks, str):
        tie_breaks = filter(None, map(str.strip, tie_breaks.split(",")))
    return tuple(rank_players(event, tie_breaks))


def usual_tie_breaks(system: str) -> tuple[str, ...]:
    """Return the tie-breaks of a system's document, in their order. They are those of `rank` if it is given none."""
    from clubnight_engine.input_checks import check_system
    from clubnight_engine.standings import DEFAULT_TIE_BREAKS_BY_SYSTEM

    check_system(system, SYSTEMS)
    return DEFAULT_TIE_BREAKS_BY_SYSTEM[system]


def check(event: TournamentSnapshot, *, report: TrfFile | None = None) -> tuple[RoundCheck, ...]:
    """Re-pair every round from the rounds before it, and compare the pairings with the event's own.

    `report` is the file that the event was read from. It may name pairs that must not meet in single rounds, and other
    systems for the first rounds. If it does not state the colour of the first pair, round 1 shows it.
    """
    from clubnight_engine.pairing_checker import check_event_pairings

    event = _checked(event)
    event, stated = _with_report(event, report)
    return tuple(check_event_pairings(event, _pair, **stated))


def before_round(event: TournamentSnapshot, number: int, *, report: TrfFile | None = None) -> TournamentSnapshot:
    """Return the event before one of its rounds, as `check` pairs it again. `report` is the same as for `check`.

    The next round is allowed too. Raises InvalidSnapshot for any other number.
    """
    from clubnight_engine.pairing_checker import event_before_round

    event = _checked(event)
    if not 1 <= number <= event.round_number:
        raise InvalidSnapshot(f"there is no round {number}. Use 1 to {event.round_number}")
    event, stated = _with_report(event, report)
    if number == event.round_number:
        return event
    return event_before_round(event, number, **stated)


def _with_report(event: TournamentSnapshot, report: TrfFile | None) -> tuple[TournamentSnapshot, dict[str, Any]]:
    """Return the event with the colour that its round 1 shows, and what the report says about single rounds."""
    from dataclasses import replace
    from functools import partial

    from clubnight_engine.pairing_checker import infer_first_colour
    from clubnight_engine.trf import forbidden_pairs_in_round, read_earlier_systems
    from clubnight_engine.trf.event_directives import read_directives

    if report is None:
        return event, {}
    stated: dict[str, Any] = {
        "forbidden_in": partial(forbidden_pairs_in_round, report),
        "earlier": [each for each in read_earlier_systems(report) if each.system in SYSTEMS],
    }
    if event.rounds_paired and read_directives(report).first_colour is None:
        inferred = infer_first_colour(event, _pair, **stated)
        event = replace(event, first_colour=inferred or event.first_colour)
    return event, stated


def generate(plan: SimulationPlan) -> TournamentSnapshot:
    """Return a random event after its last round. The same plan gives the same event.

    Raises InvalidSnapshot for a plan that cannot be, PairingImpossible if a round has no legal pairing.
    """
    from dataclasses import replace

    from clubnight_engine.input_checks import check_plan
    from clubnight_engine.point_systems import points_in_system
    from clubnight_engine.simulator import simulate_event

    check_plan(plan, SYSTEMS)
    return simulate_event(replace(plan, points=points_in_system(plan.points, plan.system)), _pair)


def read_trf(source: str | os.PathLike[str] | bytes) -> TrfFile:
    """Read a FIDE report file (TRF16 or TRF26) from its path or its content. A text of several lines is content.

    The file's `warnings` list what does not agree in it, such as a player's points. Raises TrfError if it is not a
    report file, OSError if it cannot be read.
    """
    from clubnight_engine.trf import read_trf as read

    if isinstance(source, str) and "\n" in source:
        source = source.encode()
    if isinstance(source, bytes):
        return read(source, name="report")
    with open(source, "rb") as file:
        return read(file.read(), name=os.fspath(source))


def snapshot_from_trf(
    report: TrfFile,
    *,
    system: str,
    procedure: str | None = None,
    acceleration: str | None = None,
    group_limits: tuple[int, int] | None = None,
    rounds: int | None = None,
    is_for_pairing: bool = True,
) -> TournamentSnapshot:
    """Return the event after its last round with any pairing, ready for the next round to be paired.

    `acceleration` is by default what the file states. `rounds` is the number of rounds if the file does not state it.
    A file has no `options`, and no lots. A player is not paired if they have an entry for the round: a bye or an
    absence. Someone who has withdrawn needs one in every round.

    Raises InvalidSnapshot for an unknown system, TrfError if the file lacks a result or has points that the system does
    not support, TeamEventError for a team event, which can only be ranked (`is_for_pairing=False`).
    """
    from clubnight_engine.input_checks import check_system
    from clubnight_engine.report_files import StatedAcceleration, read_acceleration, with_acceleration
    from clubnight_engine.trf.snapshot_conversion import snapshot_from_trf as convert

    check_system(system, SYSTEMS)
    event = convert(report, system=system, procedure=procedure, rounds=rounds, is_for_pairing=is_for_pairing)
    if acceleration is None:
        return with_acceleration(event, read_acceleration(report, system))
    return with_acceleration(event, StatedAcceleration(acceleration, group_limits))


def write_trf(event: TournamentSnapshot, *, header: TrfHeader | None = None, report: TrfFile | None = None) -> bytes:
    """Return the event as a report file (TRF26), with ranks by the usual tie-breaks of its system.

    `report` is an earlier file of the event: its other lines and its players' FIDE data (number, federation, date of
    birth, sex) are kept, for players with the same number and name. An event without it has none. Names are cut to 33
    letters, the format's limit. The file does not state `options`, `procedure`, and systems that FIDE has no code for.

    Raises InvalidSnapshot if the event contradicts itself.
    """
    from clubnight_engine.report_files import report_of_event
    from clubnight_engine.trf import write_trf as write

    event = _checked(event)
    ranks = {row.tpn: row.rank for row in rank(event)}
    return write(report_of_event(event, ranks, header=header, old=report))


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("clubnight-engine")
    for module, names in _FROM.items():
        if name in names:
            return getattr(import_module(f"clubnight_engine.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
