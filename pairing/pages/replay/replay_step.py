"""The content of the replay page at one step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pairing.engine.paired_round import PairedBye, PairedGame, PairedRound, PairingReason, PlayerScore, ReasonKind
from pairing.engine.pairing_trace import (
    ScoreGroupState,
    TraceState,
    TraceStep,
    TraceStepKind,
    is_step_about_player,
    opponent_in_steps,
    state_after_steps,
    steps_by_players,
    trace_pairing_steps,
)
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.articles import article_text
from pairing.explanations.named_reasons import ExplainedReason, explain_reasons, names_in_sentences
from pairing.explanations.reason_json import reasons_from_json
from pairing.explanations.reason_sentences import PlayerNames, points_text
from pairing.explanations.step_sentences import step_heading, step_line, step_section, unpaired_players_sentence
from pairing.explanations.summary_sentences import summary_text
from tournaments.entries.pairing_numbers import kept_numbers
from tournaments.models import Bye, Round

STEPS_PER_PAGE = 200
"""The most steps listed at once. A round of sixty players has about eighty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayCard:
    """A player's card. `state` is "now" (paired in this step), "tried" (skipped or kept back), or empty."""

    tpn: PairingNumber
    name: str
    state: str
    came: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayScoreGroup:
    """A score group: unpaired cards and pairs. `is_here` is True if the step happens in it."""

    points: str
    waiting: tuple[ReplayCard, ...]
    pairs: tuple[tuple[ReplayCard, ReplayCard], ...]
    is_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayLine:
    """A step in the list, counted from 1, without what the heading of its section already says."""

    number: int
    heading: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaySection:
    """Steps of the list under one heading: the score groups, what happens in one of them, or the boards."""

    heading: str
    lines: tuple[ReplayLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedArticle:
    """An article cited by the step, in the reader's language."""

    cited: ExplainedReason
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayTable:
    """The state of the pairing: score groups, manual pairs, the bye, and the boards so far."""

    groups: tuple[ReplayScoreGroup, ...]
    apart: tuple[tuple[ReplayCard, ReplayCard], ...]
    bye: ReplayCard | None
    boards: tuple[tuple[int, ReplayCard, ReplayCard], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayStep:
    """One step of a round with the state after it. `summary` briefly explains a board or the bye.

    `first`, `previous`, `following` and `last` are step numbers.

    So are `earlier` and `later`, which link to the parts of the list before and after `sections`.
    """

    number: int
    heading: str
    summary: str
    waiting: str
    why: tuple[ExplainedReason, ...]
    table: ReplayTable
    articles: tuple[CitedArticle, ...]
    sections: tuple[ReplaySection, ...]
    count: int
    first: int
    previous: int | None
    following: int | None
    last: int
    earlier: int | None
    later: int | None


def build_replay_step(
    paired: PairedRound, names: PlayerNames, *, wanted: int, player: PairingNumber | None = None
) -> ReplayStep:
    """Build the requested step, or the nearest one. With a player, only steps about that player are listed."""
    names = _every_name(paired, names)
    spoken = names_in_sentences(names)
    steps = trace_pairing_steps(paired)
    opponent = None if player is None else opponent_in_steps(steps, player)
    shown = [
        number
        for number, step in enumerate(steps, start=1)
        if player is None or is_step_about_player(step, player, opponent)
    ] or list(range(1, len(steps) + 1))
    place = min(range(len(shown)), key=lambda at: (abs(shown[at] - wanted), at))
    number = shown[place]
    step = steps[number - 1]
    groups = sum(each.kind is TraceStepKind.GROUPS for each in steps)
    begin = place // STEPS_PER_PAGE * STEPS_PER_PAGE
    listed = shown[begin : begin + STEPS_PER_PAGE]
    why = explain_reasons(step.reasons, names, marked=step.players)
    return ReplayStep(
        number=number,
        heading=step_heading(step, names),
        summary=_summary(paired, step, spoken),
        waiting=unpaired_players_sentence(step, spoken),
        why=why,
        table=_laid_out(state_after_steps(steps[: max(number, groups)]), step, names),
        articles=tuple(_articles(why)),
        sections=tuple(_sections(steps, listed, names)),
        count=len(steps),
        first=shown[0],
        previous=shown[place - 1] if place else None,
        following=shown[place + 1] if place + 1 < len(shown) else None,
        last=shown[-1],
        earlier=shown[begin - 1] if begin else None,
        later=shown[begin + STEPS_PER_PAGE] if begin + STEPS_PER_PAGE < len(shown) else None,
    )


def _every_name(paired: PairedRound, names: PlayerNames) -> PlayerNames:
    """Add names for players in the reasons who have since left."""
    spoken = {tpn for game in paired.games for why in game.reasons for tpn in why.players}
    spoken |= {tpn for why in (paired.bye.reasons if paired.bye else ()) for tpn in why.players}
    return {tpn: str(tpn) for tpn in spoken} | dict(names)


def _summary(paired: PairedRound, step: TraceStep, names: PlayerNames) -> str:
    """Return the pairing in short, where a step ends with a board or the bye."""
    if step.kind is TraceStepKind.BYE and paired.bye:
        return summary_text(paired.bye.reasons, names)
    if step.kind is TraceStepKind.BOARD:
        return next((summary_text(game.reasons, names) for game in paired.games if game.board == step.board), "")
    return ""


def _sections(steps: Sequence[TraceStep], listed: Iterable[int], names: PlayerNames) -> Iterator[ReplaySection]:
    """Yield the listed steps under headings. Players float before a pair of the group that is being paired."""
    headings: list[str] = []
    into = None
    for step in reversed(steps):
        into = step.half_points if step.kind is TraceStepKind.PAIR else into
        headings.append(step_section(step, into))
    headings.reverse()
    for heading, numbers in groupby(listed, key=lambda number: headings[number - 1]):
        lines = (ReplayLine(number=number, heading=step_line(steps[number - 1], names)) for number in numbers)
        yield ReplaySection(heading=heading, lines=tuple(lines))


def _articles(reasons: Iterable[ExplainedReason]) -> Iterator[CitedArticle]:
    """Yield each article once, in the order cited."""
    for cited in {why.article: why for why in reasons}.values():
        if words := article_text(cited.article):
            yield CitedArticle(cited=cited, words=words)


def _laid_out(table: TraceState, step: TraceStep, names: PlayerNames) -> ReplayTable:
    tried = {
        tpn
        for why in step.reasons
        if why.kind
        in (ReasonKind.PASSED_OVER, ReasonKind.STAYED, ReasonKind.BYE_PASSED_OVER, ReasonKind.EXCHANGE_TRIED)
        for tpn in why.players
    }

    def make_card(tpn: PairingNumber, column: ScoreGroupState | None = None) -> ReplayCard:
        state = "now" if tpn in step.players else "tried" if tpn in tried else ""
        return ReplayCard(
            tpn=tpn, name=names[tpn], state=state, came=column is not None and tpn in column.incoming_floaters
        )

    def make_score_group(column: ScoreGroupState) -> ReplayScoreGroup:
        waiting = tuple(make_card(tpn, column) for tpn in column.waiting)
        pairs = tuple((make_card(one, column), make_card(other, column)) for one, other in column.pairs)
        cards = (*waiting, *(each for pair in pairs for each in pair))
        return ReplayScoreGroup(
            points=points_text(column.half_points),
            waiting=waiting,
            pairs=pairs,
            is_here=step.kind is not TraceStepKind.BOARD and any(each.state for each in cards),
        )

    return ReplayTable(
        groups=tuple(make_score_group(column) for column in table.score_groups),
        apart=tuple((make_card(one), make_card(other)) for one, other in table.ungrouped_pairs),
        bye=None if table.bye is None else make_card(table.bye),
        boards=tuple((board, make_card(white), make_card(black)) for board, white, black in table.boards),
    )


def unpaired_at_board(this_round: Round, board: int, names: PlayerNames) -> str:
    """Say who was still unpaired in the group when a board's pair was formed. Empty if the round does not say."""
    paired = load_paired_round(this_round)
    game = next((game for game in paired.games if game.board == board), None) if paired else None
    if paired is None or game is None:
        return ""
    names = names_in_sentences(_every_name(paired, names))
    step = steps_by_players(trace_pairing_steps(paired)).get(frozenset((game.white, game.black)))
    return unpaired_players_sentence(step, names) if step else ""


def load_paired_round(this_round: Round) -> PairedRound | None:
    """Load a round's pairing with its reasons, in three queries. None if it has no reasons (after an import)."""
    given = this_round.tournament.entries.values_list("pk", "tpn")
    numbers = {key: tpn for key, tpn in given if tpn is not None}
    numbers |= {int(key): number for key, number in kept_numbers(this_round.tournament, this_round.number).items()}
    games = [
        PairedGame(board=board, white=numbers[white], black=numbers[black], reasons=why, formation_number=_formed(why))
        for board, white, black, stored in this_round.games.order_by("board").values_list(
            "board", "white_id", "black_id", "reasons"
        )
        for why in [reasons_from_json(stored)]
        if white in numbers and black in numbers
    ]
    byes = [
        PairedBye(player=numbers[player], reasons=reasons_from_json(stored))
        for player, stored in this_round.byes.filter(kind=Bye.Kind.PAIRING_ALLOCATED)
        .order_by("entry__tpn")
        .values_list("entry_id", "reasons")
        if player in numbers
    ]
    if not any(game.reasons for game in games):
        return None
    return PairedRound(
        system=this_round.pairing_method.system,
        round_number=this_round.number,
        games=tuple(games),
        bye=byes[0] if byes else None,
        scores=tuple(
            PlayerScore(tpn=tpn, score=score)
            for entry, score in this_round.scores.items()
            if (tpn := numbers.get(int(entry))) is not None
        ),
    )


def _formed(reasons: Iterable[PairingReason]) -> int:
    """Return the position in which the pair was formed. 0 if its reasons do not say, as in old rounds."""
    formed = next((why.get_fact("formed") for why in reasons if why.kind is ReasonKind.SCORE_GROUP), None)
    return formed if isinstance(formed, int) else 0
