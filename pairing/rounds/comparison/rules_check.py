"""Check every finished round of an event: which articles it breaks, and which boards the system pairs differently."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pairing.engine.legality import RuleBreach
from pairing.engine.paired_round import PairedRound
from pairing.engine.pairing_checker import RoundCheck, SeatedPair, check_round_pairings
from pairing.engine.snapshot import InvalidSnapshot, TournamentSnapshot
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.explanations.named_reasons import ExplainedReason, player_names_by_number
from pairing.explanations.reason_sentences import PlayerNames
from pairing.rounds.lifecycle.draft_checks import is_manually_paired
from tournaments.entries.pairing_numbers import numbers_in_round
from tournaments.import_export.snapshots import snapshot_from_entries
from tournaments.models import Round, Tournament

MAX_PAIRINGS_AT_ONCE = 2_000
"""The most games and byes that are paired again within one request. A larger event is checked one round at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedBreach:
    """An article that a round breaks: `kind` is a `RuleBreachKind`, `cited` the article."""

    kind: str
    cited: ExplainedReason
    names: tuple[str, ...]
    round: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRound:
    """A round with its verdict (`agrees`, `differs`, `illegal`), or with the `problem` that prevents one.

    Pairs are White and Black by name. Black is empty for the bye.
    """

    number: int
    system: str
    verdict: str = ""
    breaches: tuple[NamedBreach, ...] = ()
    only_made: tuple[tuple[str, str], ...] = ()
    only_rebuilt: tuple[tuple[str, str], ...] = ()
    is_impossible: bool = False
    is_manual: bool = False
    problem: str = ""


def finished_rounds(tournament: Tournament) -> list[Round]:
    """Return the rounds that can be checked, in order."""
    return list(tournament.rounds.filter(state=Round.State.FINISHED).order_by("number"))


def can_check_within_request(tournament: Tournament, rounds: list[Round]) -> bool:
    """Return True if all rounds can be checked within one request."""
    return tournament.entries.count() * len(rounds) <= MAX_PAIRINGS_AT_ONCE


def check_rounds(tournament: Tournament, rounds: list[Round]) -> Iterator[CheckedRound]:
    """Yield each round with its verdict.

    Each is paired again from the results before it, by the system that paired it then.
    """
    for each in rounds:
        each.tournament = tournament
        by_hand = any(is_manually_paired(reasons) for reasons in each.games.values_list("reasons", flat=True))
        checked = CheckedRound(number=each.number, system=each.pairing_method.label, is_manual=by_hand)
        try:
            names = player_names_by_number(tournament, each.number)
            yield _with_verdict(checked, _checked(tournament, each.number), names)
        except InvalidSnapshot as error:
            yield replace(checked, problem=str(error))


def _checked(tournament: Tournament, number: int) -> RoundCheck:
    entries = list(tournament.entries.all())
    numbers = numbers_in_round(tournament, entries, number)
    before, after = (snapshot_from_entries(tournament, entries, each, numbers=numbers) for each in (number, number + 1))
    before.check_consistency()
    return check_round_pairings(before, {card.tpn: card.records[number - 1] for card in after.cards}, _pair)


def _pair(snapshot: TournamentSnapshot) -> PairedRound:
    return PAIRING_SYSTEMS[snapshot.system](snapshot)


def _with_verdict(checked: CheckedRound, found: RoundCheck, names: PlayerNames) -> CheckedRound:
    def player_names(pairs: tuple[SeatedPair, ...]) -> tuple[tuple[str, str], ...]:
        return tuple((names[white], names[black] if black else "") for white, black in pairs)

    def named_breach(each: RuleBreach) -> NamedBreach:
        return NamedBreach(
            kind=each.kind.value,
            cited=ExplainedReason(article=each.article, text=""),
            names=tuple(names[tpn] for tpn in each.players),
            round=each.round_number,
        )

    return replace(
        checked,
        verdict=found.verdict.value,
        breaches=tuple(named_breach(each) for each in found.breaches),
        only_made=player_names(found.only_actual),
        only_rebuilt=player_names(found.only_expected),
        is_impossible=bool(found.impossible_reason),
    )
