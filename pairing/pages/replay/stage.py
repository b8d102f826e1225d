"""What the page of a replayed round shows at one of its steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pairing.engine.paired_round import PairedRound, ReasonKind
from pairing.engine.round_steps import Step, StepKind, concerns, steps_of
from pairing.engine.round_table import Column, Table, table_after
from pairing.engine.snapshot import PairingNumber
from pairing.explanations.articles import words_of
from pairing.explanations.explanations import Names, points_text, sentence
from pairing.explanations.step_words import headline, left_to_pair
from pairing.explanations.with_names import Explained

STEPS_ON_A_PAGE = 200
"""A round of sixty players has some eighty; of a large event the list shows those round the step that is looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A player's card. `state`: now (the step is his), tried (passed over or kept back in it), or empty."""

    tpn: PairingNumber
    name: str
    state: str
    came: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A score group: the cards that wait, and the pairs. `is_here`: something happens in it now."""

    points: str
    waiting: tuple[Card, ...]
    pairs: tuple[tuple[Card, Card], ...]
    is_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A step of the list, counted from 1."""

    number: int
    headline: str
    waiting: str
    why: tuple[Explained, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """An article that the step rests on, in the reader's language."""

    cited: Explained
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """The cards on the table: the groups, the pairs that the arbiter set, the bye, the boards laid out so far."""

    groups: tuple[Group, ...]
    apart: tuple[tuple[Card, Card], ...]
    bye: Card | None
    boards: tuple[tuple[int, Card, Card], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step of a round with the table after it; `first`, `previous`, `following` and `last` are numbers of steps.

    So are `earlier` and `later`, which lead to the parts of the list before and after the one in `lines`.
    """

    now: Line
    table: Cards
    articles: tuple[Article, ...]
    lines: tuple[Line, ...]
    count: int
    first: int
    previous: int | None
    following: int | None
    last: int
    earlier: int | None
    later: int | None


def stage_of(paired: PairedRound, names: Names, *, wanted: int, player: PairingNumber | None = None) -> Stage:
    """The step of that number, or the nearest there is; with a player only those that concern him are gone through."""
    names = _every_name(paired, names)
    steps = steps_of(paired)
    shown = [number for number, step in enumerate(steps, start=1) if player is None or concerns(step, player)] or list(
        range(1, len(steps) + 1)
    )
    place = min(range(len(shown)), key=lambda at: (abs(shown[at] - wanted), at))
    number = shown[place]
    step = steps[number - 1]
    begin = place // STEPS_ON_A_PAGE * STEPS_ON_A_PAGE
    listed = shown[begin : begin + STEPS_ON_A_PAGE]
    now = _line(number, step, names)
    return Stage(
        now=now,
        table=_laid_out(table_after(steps[:number]), step, names),
        articles=tuple(_articles(now)),
        lines=tuple(_line(each, steps[each - 1], names) for each in listed),
        count=len(steps),
        first=shown[0],
        previous=shown[place - 1] if place else None,
        following=shown[place + 1] if place + 1 < len(shown) else None,
        last=shown[-1],
        earlier=shown[begin - 1] if begin else None,
        later=shown[begin + STEPS_ON_A_PAGE] if begin + STEPS_ON_A_PAGE < len(shown) else None,
    )


def _every_name(paired: PairedRound, names: Names) -> Names:
    """Reasons may speak of players who are gone since."""
    spoken = {tpn for game in paired.games for why in game.reasons for tpn in why.players}
    spoken |= {tpn for why in (paired.bye.reasons if paired.bye else ()) for tpn in why.players}
    return {tpn: str(tpn) for tpn in spoken} | dict(names)


def _line(number: int, step: Step, names: Names) -> Line:
    return Line(
        number=number,
        headline=headline(step, names),
        waiting=left_to_pair(step, names),
        why=tuple(Explained(article=why.article, text=sentence(why, names)) for why in step.reasons),
    )


def _articles(line: Line) -> Iterator[Article]:
    """Each article once, in the order in which the step cites them."""
    for cited in {why.article: why for why in line.why}.values():
        if words := words_of(cited.article):
            yield Article(cited=cited, words=words)


def _laid_out(table: Table, step: Step, names: Names) -> Cards:
    tried = {
        tpn
        for why in step.reasons
        if why.kind
        in (ReasonKind.PASSED_OVER, ReasonKind.STAYED, ReasonKind.BYE_PASSED_OVER, ReasonKind.EXCHANGE_TRIED)
        for tpn in why.players
    }

    def make_card(tpn: PairingNumber, column: Column | None = None) -> Card:
        state = "now" if tpn in step.players else "tried" if tpn in tried else ""
        return Card(tpn=tpn, name=names[tpn], state=state, came=column is not None and tpn in column.came)

    def make_score_group(column: Column) -> Group:
        waiting = tuple(make_card(tpn, column) for tpn in column.waiting)
        pairs = tuple((make_card(one, column), make_card(other, column)) for one, other in column.pairs)
        cards = (*waiting, *(each for pair in pairs for each in pair))
        return Group(
            points=points_text(column.half_points),
            waiting=waiting,
            pairs=pairs,
            is_here=step.kind is not StepKind.BOARD and any(each.state for each in cards),
        )

    return Cards(
        groups=tuple(make_score_group(column) for column in table.columns),
        apart=tuple((make_card(one), make_card(other)) for one, other in table.apart),
        bye=None if table.bye is None else make_card(table.bye),
        boards=tuple((board, make_card(white), make_card(black)) for board, white, black in table.boards),
    )
